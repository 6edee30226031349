import { requiresLogin, type Approuter } from '../../model/approuter/index.ts'
import { manifestModelsOf, type Ui5App } from '../../model/ui5/index.ts'
import { accountUses } from './_account-uses.ts'

/** Services of an ABAP system, which authenticates each caller by itself. Fact: SAP Gateway, "Authentication and Single Sign-On". */
const GATEWAY = /(?:^|\/)sap\/(?:opu|bc)\//i

/** Whether the app asks SAP Gateway for data. */
export function asksGateway(app: Ui5App): boolean {
  return manifestModelsOf(app).some(({ uri = '' }) => GATEWAY.test(uri))
}

/**
 * The app reads accounts and compares their passwords itself, and nothing before its services asks for a login: these have no user with whom they could compare what the page says of its own.
 * Needs the extract `accountUses`.
 */
export function logsInByPageAlone(app: Ui5App, approuters: readonly Approuter[]): boolean {
  if (requiresLogin(approuters) || asksGateway(app) || manifestModelsOf(app).length === 0) return false
  return app.scripts.get(accountUses).some(({ value }) => value.kind === 'login' && value.isRead)
}
