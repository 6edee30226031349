import type { CapRoot } from '../../model/cap/index.ts'
import type { Application } from '../../model/deployment/index.ts'
import { capRootOf, isUnbound, reliesOnBinding } from '../../model/authorization/index.ts'
import { at } from '../../parse/data.ts'
import type { Locale, Localized, Match, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Packages that serve an API. */
const SERVERS = ['express', 'fastify', 'koa', '@nestjs/core', '@hapi/hapi', 'restify', 'polka']

/** Packages that authenticate without a binding. */
const GUARDS =
  /^(?:passport(?:-.{1,60})?|@sap\/xssec|@sap\/xsenv-auth|jsonwebtoken|jose|express-(?:jwt|openid-connect|basic-auth|oauth2-jwt-bearer)|basic-auth|openid-client|keycloak-connect|@nestjs\/(?:jwt|passport)|fastify-auth|@fastify\/(?:jwt|auth|basic-auth)|koa-(?:jwt|passport)|next-auth)$/

const OWN_DOCS =
  'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/add-authentication-and-functional-authorization-checks-to-your-application-0a69484.md'

/** What runs: a server of the project's own, or CAP. */
type Server = 'own' | 'java' | 'node'
/** Where the binding is to be added: in an MTA with a service for authentication, in one without, in a manifest. */
type Descriptor = 'known' | 'new' | 'manifest'

const SERVER_TEXTS: Localized<Readonly<Record<Server, Pick<RuleText, 'message' | 'why'>>>> = {
  en: {
    own: {
      message: 'Application {app} has a public route and is bound neither to XSUAA nor to the identity service.',
      why: 'Unless its code authenticates callers in another way, an attacker who knows the URL can use the service without authentication.',
    },
    java: {
      message:
        'Application {app} (CAP Java) has a public route and is bound neither to XSUAA nor to the identity service: CAP Java then authenticates no request.',
      why: 'Without authentication, an attacker who knows the URL can use any service that has no @requires or @restrict, and any custom endpoint; all other services reject every request.',
    },
    node: {
      message:
        'Application {app} (CAP Node.js) has a public route and is bound neither to XSUAA nor to the identity service: its authentication has no keys to validate tokens.',
      why: 'Without a binding, the service does not start. If mock authentication is enabled to make it start, an attacker can use the service without real credentials.',
    },
  },
  fr: {
    own: {
      message: 'L’application {app} a une route publique et n’est liée ni à XSUAA ni à IAS.',
      why: 'Si son code n’authentifie pas les appelants autrement, un attaquant qui connaît l’URL peut utiliser le service sans s’authentifier.',
    },
    java: {
      message:
        'L’application {app} (CAP Java) a une route publique et n’est liée ni à XSUAA ni à IAS : CAP Java n’authentifie alors aucune requête.',
      why: 'Un attaquant qui connaît l’URL peut utiliser, sans s’authentifier, tout service dépourvu de @requires et de @restrict, ainsi que tout point de terminaison personnalisé ; les autres services rejettent toutes les requêtes.',
    },
    node: {
      message:
        'L’application {app} (CAP Node.js) a une route publique et n’est liée ni à XSUAA ni à IAS : son authentification n’a pas de clés pour valider les jetons.',
      why: 'Sans liaison, le service ne démarre pas. Si une authentification fictive (mock) est activée pour qu’il démarre, un attaquant peut utiliser le service sans véritables identifiants.',
    },
  },
}
const BIND: Localized<Readonly<Record<Descriptor, string>>> = {
  en: {
    known: 'Add "- name: {instance}" to "requires" of module {app}',
    new: 'Add "- name: {instance}" to "requires" of module {app} (resource of type org.cloudfoundry.managed-service, service: xsuaa, service-plan: application)',
    manifest: 'Add "services: [{instance}]" (an XSUAA instance) to application {app}',
  },
  fr: {
    known: 'Ajoutez "- name: {instance}" aux "requires" du module {app}',
    new: 'Ajoutez "- name: {instance}" aux "requires" du module {app} (ressource à définir avec type: org.cloudfoundry.managed-service, service: xsuaa, service-plan: application)',
    manifest: 'Ajoutez "services: [{instance}]" (une instance XSUAA) à l’application {app}',
  },
}
/** A binding alone authenticates nobody: code of one's own has to validate the tokens. */
const VALIDATE: Localized<string> = {
  en: ' and validate tokens in code (Node.js: @sap/xssec)',
  fr: ' et validez les jetons dans son code (en Node.js, avec @sap/xssec)',
}
const CLOSE: Localized<Readonly<Record<'mta' | 'manifest', string>>> = {
  en: {
    mta: ', or remove its route: "no-route: true" under "parameters".',
    manifest: ', or remove its route: "no-route: true".',
  },
  fr: {
    mta: ', ou retirez sa route : "no-route: true" sous "parameters".',
    manifest: ', ou retirez sa route : "no-route: true".',
  },
}

/**
 * An application on a public route that is bound to no service for authentication.
 * Facts: capire, "Authentication" (bindings and pitfalls; CAP Java protects endpoints by a binding); @sap/cds 9.9.3, jwt-auth (it does not
 * start without credentials).
 * Severity: HIGH where a login by default protects services of CAP Java, which an unauthenticated caller then reaches; MEDIUM where roles still
 * refuse the caller, the service does not start, or the code of the server is not judged.
 */
export const moduleWithoutAuthBinding: Rule = defineRule({
  id: 'btp/module-without-auth-binding',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  docsByVariant: { 'own-known': OWN_DOCS, 'own-new': OWN_DOCS, 'own-manifest': OWN_DOCS },
  on: 'deployment',

  *check({ applications, mtas, placeOf }, { capRoots }) {
    for (const application of applications) {
      if (!isUnbound(application)) continue
      const grade = judge(application, capRootOf(application, capRoots))
      const name = at(application.node, 'name')
      if (grade === undefined || name === undefined) continue
      const mta = mtas.find(({ file }) => file === application.file)
      const auth = mta?.resources.find(({ service }) => service === 'xsuaa' || service === 'identity')
      const { server, ...rest } = grade
      const descriptor = mta === undefined ? 'manifest' : auth === undefined ? 'new' : 'known'
      const args = { app: application.name ?? '', instance: auth?.name ?? '<xsuaa>' }
      yield { at: placeOf(name), args, variant: `${server}-${descriptor}`, ...rest }
    }
  },

  text: {
    en: {
      title: 'Public application not bound to an authentication service',
      ...textOf('en', 'own', 'new'),
      variants: variantsOf('en'),
    },
    fr: {
      title: 'Application publique non liée à un service d’authentification',
      ...textOf('fr', 'own', 'new'),
      variants: variantsOf('fr'),
    },
  },
})

function textOf(locale: Locale, server: Server, descriptor: Descriptor): Pick<RuleText, 'message' | 'why' | 'fix'> {
  const validate = server === 'own' ? VALIDATE[locale] : ''
  const close = CLOSE[locale][descriptor === 'manifest' ? 'manifest' : 'mta']
  return { ...SERVER_TEXTS[locale][server], fix: BIND[locale][descriptor] + validate + close }
}

function variantsOf(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = {}
  for (const server of ['own', 'java', 'node'] as const)
    for (const descriptor of ['known', 'new', 'manifest'] as const)
      texts[`${server}-${descriptor}`] = textOf(locale, server, descriptor)
  return texts
}

function judge(
  application: Application,
  root: CapRoot | undefined,
): (Pick<Match, 'severity' | 'confidence'> & { readonly server: Server }) | undefined {
  const { type, dependencies } = application
  if (root !== undefined) {
    if (!reliesOnBinding(root, application)) return undefined
    const served = root.services.filter(({ exposure }) => exposure === 'served')
    // what a login should protect is open without a binding; services that are public by default are the finding of a rule of CAP
    const isOpen = served.some(({ access }) => access.kind === 'default-authenticated' || access.kind === 'default-unknown')
    if (root.runtime === 'java') return { server: 'java', ...(isOpen && { severity: 'HIGH' as const }) }
    return { server: 'node' }
  }
  if (type.startsWith('java')) return { server: 'own', confidence: 'medium' }
  if (dependencies?.has('@sap/cds') === true) return { server: 'node' }
  if (dependencies === undefined || !SERVERS.some((name) => dependencies.has(name))) return undefined
  return [...dependencies].some((name) => GUARDS.test(name)) ? undefined : { server: 'own' }
}
