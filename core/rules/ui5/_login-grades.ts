import { areServicesOpen, readOpenFolders } from '../../model/approuter/index.ts'
import type { Ui5App } from '../../model/ui5/index.ts'
import { folderOf } from '../../paths.ts'
import type { Match } from '../../types.ts'
import type { Project } from '../subjects.ts'
import type { LoginDecision } from './_login-comparisons.ts'
import { showsOwnFilesAlone, sharedSender } from './_request-senders.ts'
import { isHandler } from './_unchecked-logins.ts'

type Grade = Pick<Match, 'impact' | 'reach' | 'evidence'>

/** What a user has entered, or an app has made up, is known to that user alone. */
export const OWN_DATA: Grade = { reach: 'self', evidence: 'shown' }
/** No login in front of the services: whoever names a user is that user. */
const OPEN: Grade = { impact: 'takeover', reach: 'anyone' }

/** Whether descriptors of the project leave the login to the page. */
export function openGrade(folder: string, once: Project['once']): Grade | undefined {
  return areServicesOpen(folder, once(readOpenFolders)) ? OPEN : undefined
}

/** Whether the requests of the app leave anything by which services may know who has logged in. */
export function senderGrade(app: Ui5App): Grade {
  const sender = sharedSender(app)
  if (sender === 'fixed') return { evidence: 'shown' }
  return sender === 'nobody' ? { reach: 'anyone' } : {}
}

/** What a login of the page leaves to the services. Without such a descriptor or such requests they may ask for one of their own. */
export function loginGrade(app: Ui5App | undefined, file: string, once: Project['once']): Grade {
  return openGrade(app?.root ?? folderOf(file), once) ?? (app === undefined ? {} : senderGrade(app))
}

/** Of an account that the page itself has: what it opens, where nothing stands behind the app, or no other login in front of what does. */
export function keptGrade(
  app: Ui5App | undefined,
  { file, value }: { readonly file: string; readonly value: LoginDecision },
  once: Project['once'],
): Grade {
  if (app === undefined) return {}
  if (showsOwnFilesAlone(app)) return OWN_DATA
  const isLogin = !value.isOwn && value.method !== undefined && isHandler(value.method, file, app)
  return (isLogin ? openGrade(app.root, once) : undefined) ?? {}
}
