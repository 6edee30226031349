import type { Ui5App } from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { isKept } from './_kept-flags.ts'
import { namedAdministrators } from './_named-administrators.ts'
import { roleDecisions, sentCredentials, type RoleDecision } from './_role-decisions.ts'
import type { RoleGuardedWrite } from './_role-guarded-writes.ts'

/** Guards of routes are one finding. A stored user counts where something asks for his roles. */
export function* judgeDecisions(
  { root, scripts: all }: Ui5App,
  writing: ReadonlyMap<string, RoleGuardedWrite>,
  logsIn: boolean,
  leavesNothing: boolean,
  once: Project['once'],
): Generator<Match> {
  const decisions = all.get(roleDecisions)
  const knowsCaller = all.get(sentCredentials).length > 0
  const asksRoles =
    decisions.some(({ value }) => value.by === 'route') ||
    [...writing.values()].some(({ guarded }) => guarded.some(({ by }) => by === 'code'))
  const logins = new Set(decisions.flatMap(({ value }) => (value.by === 'login' ? [value.name] : [])))
  const isReadElsewhere = (name: string, file: string): boolean =>
    decisions.some((one) => one.value.by === 'read' && one.value.name === name && one.file !== file)
  // the role comes from the API that gets the user's token with each request: it knows who asks, and nothing says that it forgets the role then
  const isOfApi = knowsCaller && !decisions.some(({ value }) => KEPT_BY_PAGE.has(value.by))
  const asksFlags = decisions.some(({ value }) => value.by === 'asked')
  const isFlagOfLogin = (name: string): boolean => logsIn && /log|auth/i.test(name)
  for (const { file, value } of decisions) {
    const { at: span, name: role, by } = value
    const match = { at: { file, span }, args: { role, property: '', handler: '' } }
    switch (by) {
      case 'route':
        yield { ...match, variant: 'route', groupKey: `${root} route`, ...(isOfApi && { evidence: 'guessed' }) }
        break
      case 'steered':
        if (!logsIn && !knowsCaller) yield { ...match, variant: 'steered', groupKey: `${root} steered` }
        break
      case 'user':
        if (asksRoles) yield { ...match, variant: 'stored' }
        break
      case 'flag':
      case 'restored':
        // a flag that no script of the project sets lets nobody in; one of them may have any name
        if (!isFlagOfLogin(role) && (by === 'flag' || asksFlags))
          yield { ...match, variant: 'stored', groupKey: `${file} ${role}`, ...(!isKept(role, once) && { evidence: 'guessed' }) }
        break
      case 'login':
      case 'typed':
        if (!logsIn && !knowsCaller && logins.has(role)) yield { ...match, variant: 'stored', groupKey: `${root} ${role}` }
        break
      // a login in front of the services knows nothing of this user
      case 'answered':
        if (leavesNothing && !knowsCaller && isReadElsewhere(role, file))
          yield { ...match, variant: 'stored', groupKey: `${root} ${role}` }
        break
      case 'address':
        yield { ...match, variant: 'address', groupKey: `${root} address` }
        break
      default:
    }
  }
}

/** What the user of a browser can edit. */
const KEPT_BY_PAGE: ReadonlySet<RoleDecision['by']> = new Set([
  'flag',
  'login',
  'user',
  'restored',
  'typed',
  'answered',
  'address',
])

/** Users whom a script takes for administrators by their names: one finding for an app. */
export function* judgeNamed({ root, scripts }: Ui5App): Generator<Match> {
  for (const { file, value } of scripts.get(namedAdministrators))
    yield {
      at: { file, span: value.at },
      args: { role: value.flag, property: '', handler: '' },
      variant: 'named',
      groupKey: `${root} named`,
    }
}
