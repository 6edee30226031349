import { conditionOf, privilegesOf, restrictionsOf, type CapRoot } from '../../model/cap/index.ts'
import { capRootOf } from '../../model/authorization/index.ts'
import { rewriteUrl, type Route } from '../../model/approuter/index.ts'
import { forwardsToken, providerOf, textItems, type ServiceInstance } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { lastName } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/**
 * A destination by which a UI calls the project's own CAP service with the client's credentials, where conditions of the model compare rows with `$user`.
 * Facts: SAP BTP Connectivity, "OAuth Client Credentials Authentication" (the token is the client's) and "OAuth User Token Exchange"; capire, "Authorization", `$user`.
 * Impact: the service takes all users for the client: each one reads and changes what any of them created.
 * Where no row is created in the name of the client, users rather find nothing.
 */
export const destinationLosesUser: Rule = defineRule({
  id: 'btp/destination-loses-user',
  impact: 'data',
  reach: 'user',
  // without authorities of the client, the service may refuse it
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/oauth-client-credentials-authentication',
  on: 'deployment',

  *check({ destinations, applications, services }, { approuters, capRoots }) {
    const routes = approuters.flatMap((approuter) =>
      approuter.routes.filter(
        ({ target, authenticationType }) => target?.kind === 'destination' && authenticationType !== 'none',
      ),
    )
    const roles = rolesOfClient(services)
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const authentication = property('Authentication')
      const calling = routes.filter(({ target }) => target.name === name)
      if (kind !== 'service' || calling.length === 0 || forwardsToken(destination)) continue
      if (authentication === undefined || !/^OAuth2ClientCredentials$/i.test(authentication.text)) continue
      const application = providerOf(property('URL')?.written ?? '', applications)
      const root = application && capRootOf(application, capRoots)
      const compared = root === undefined || root.test ? undefined : elementOfUser(root, calling, roles)
      if (compared === undefined) continue
      yield {
        at: authentication.place,
        args: { name, compared: compared.name, policy: policyOf(destination) },
        ...(!compared.isFilled && { impact: 'bounded' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'User identity lost on the way to the own service',
      message:
        'The approuter calls the project’s own service by the destination {name} with "OAuth2ClientCredentials", while {compared} is restricted to rows of $user.',
      why: 'For the service, every user is the same client: a condition on $user separates nobody. Each user reads or changes the rows that any of them created this way, or finds no row at all.',
      fix: 'Set "Authentication" of destination {name} to "NoAuthentication" with "HTML5.ForwardAuthToken": true, so that the approuter sends the user’s own token{policy}.',
    },
    fr: {
      title: 'Identité de l’utilisateur perdue en route vers le service du projet',
      message:
        'L’approuter appelle le service du projet par la destination {name} avec "OAuth2ClientCredentials", alors que {compared} est limité aux lignes de $user.',
      why: 'Pour le service, tous les utilisateurs sont le même client : une condition sur $user ne sépare personne. Chacun lit ou modifie les lignes que tous ont créées par cette voie, ou n’en trouve aucune.',
      fix: 'Donnez à "Authentication", dans la destination {name}, la valeur "NoAuthentication", avec "HTML5.ForwardAuthToken": true, pour que l’approuter envoie le jeton de l’utilisateur{policy}.',
    },
  }),
})

/** What users get their own rows of alone; `isFilled`: rows are created in the name of the client, too, so that all users meet in them. */
function elementOfUser(
  root: CapRoot,
  calling: readonly Route[],
  roles: ReadonlySet<string>,
): { readonly name: string; readonly isFilled: boolean } | undefined {
  let found: { readonly name: string; readonly isFilled: boolean } | undefined
  for (const { name, annotation, service, element } of restrictionsOf(root)) {
    if (name !== 'restrict' || !service.endpoints.some(({ path }) => calling.some((route) => leadsTo(route, path)))) continue
    const privileges = privilegesOf(annotation.value).filter(({ to }) => to === undefined || to.some((role) => roles.has(role)))
    const creates = privileges.some(({ grants }) => grants.length === 0 || grants.some((grant) => CREATES.test(grant)))
    for (const { where } of privileges) {
      const condition = where && conditionOf(where)
      if (typeof condition !== 'object' || !/\$user(?![\w.])|\$user\.id\b/.test(condition.text)) continue
      const isFilled = creates || /\b(?:created|modified)By\b/.test(condition.text)
      const told = { name: element === undefined ? service.name : `${service.name}.${element.name}`, isFilled }
      if (isFilled) return told
      found ??= told
    }
  }
  return found
}

const CREATES = /^(?:\*|CREATE|WRITE|UPSERT|INSERT)$/i

/** Whether requests to a path of the service may go by a route. Fact: @sap/approuter 23.0.0 README, "Routes" (`source`, `target`). */
function leadsTo({ source, matchCase, rewrite }: Route, path: string): boolean {
  if (rewrite !== undefined) {
    const start = `/${(rewrite.split('$')[0] ?? '').replace(/^\//, '')}`
    return `${path}/`.startsWith(start) || start.startsWith(`${path}/`)
  }
  return rewriteUrl({ source, matchCase, rewrite: MARK }, `${path}/Rows`)?.includes(MARK) !== false
}

/** What a matched part becomes. */
const MARK = '/--matched--/'

/**
 * Roles that a token of the client has: those of every token, and scopes that descriptors give to clients.
 * Facts: capire, "Authorization", pseudo roles; SAP BTP, "Application Security Descriptor Configuration Syntax" (`authorities`, `grant-as-authority-to-apps`).
 */
function rolesOfClient(services: readonly ServiceInstance[]): ReadonlySet<string> {
  const found = new Set(['any', 'authenticated-user', 'system-user', 'internal-user'])
  for (const { config } of services) {
    for (const { text } of textItems(at(config, 'authorities'))) found.add(lastName(text))
    for (const scope of itemsOf(at(config, 'scopes')))
      if (at(scope, 'grant-as-authority-to-apps') !== undefined) found.add(lastName(stringOf(at(scope, 'name')) ?? ''))
  }
  return found
}
