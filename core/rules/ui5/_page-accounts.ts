import { requiresLogin } from '../../model/approuter/index.ts'
import { manifestModelsOf, type Ui5App } from '../../model/ui5/index.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import type { Project } from '../subjects.ts'
import { accountUses } from './_account-uses.ts'

/** Services of an ABAP system, which authenticates each caller by itself. Fact: SAP Gateway, "Authentication and Single Sign-On". */
const GATEWAY = /(?:^|\/)sap\/(?:opu|bc)\//i

/** Whether the app asks SAP Gateway for data. */
export function asksGateway(app: Ui5App): boolean {
  return manifestModelsOf(app).some(({ uri = '' }) => GATEWAY.test(uri))
}

/**
 * The app reads accounts and compares their passwords itself, and neither what stands before its services nor those of the project ask for a login: these have no user with whom they could compare what the page says of its own.
 * Needs the extract `accountUses`.
 */
export function logsInByPageAlone(app: Ui5App, { approuters, capRoots }: Pick<Project, 'approuters' | 'capRoots'>): boolean {
  if (requiresLogin(approuters) || capRoots.some(asksForLogin) || asksGateway(app) || manifestModelsOf(app).length === 0)
    return false
  return app.scripts.get(accountUses).some(({ value }) => value.kind === 'login' && value.isRead)
}

/** Services of the project know their user, whatever the page says. */
function asksForLogin({ test, services }: CapRoot): boolean {
  return !test && services.some(({ access }) => access.kind === 'authenticated' || access.kind === 'roles')
}
