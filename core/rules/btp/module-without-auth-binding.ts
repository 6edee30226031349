import {
  authStrategyOf,
  effectiveConfiguration,
  isCdsBelow,
  profilesOf,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { servesFiles, type Application } from '../../model/deployment/index.ts'
import { capRootOf, isUnbound, reliesOnBinding } from '../../model/authorization/index.ts'
import { SERVER_PACKAGES } from '../../server-frameworks.ts'
import { at } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'
import type { Locale, Localized, Match, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Packages that authenticate without a binding. */
const GUARDS =
  /^(?:passport(?:-.{1,60})?|@sap\/xssec|@sap\/xsenv-auth|jsonwebtoken|jose|express-(?:jwt|openid-connect|basic-auth|oauth2-jwt-bearer)|basic-auth|openid-client|keycloak-connect|@nestjs\/(?:jwt|passport)|fastify-auth|@fastify\/(?:jwt|auth|basic-auth)|koa-(?:jwt|passport)|next-auth)$/

const OWN_DOCS =
  'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/add-authentication-and-functional-authorization-checks-to-your-application-0a69484.md'

/** What runs: a server of the project's own, or CAP; `open`: a CAP that authenticates nobody unless it is told to. */
type Server = 'own' | 'java' | 'node' | 'open'
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
    open: {
      message:
        'Application {app} (CAP Node.js) has a public route and is bound neither to XSUAA nor to the identity service, and this version of CAP requires no authentication by default.',
      why: 'The application cannot authenticate anyone: an attacker who knows the URL can use each service that has no @requires or @restrict, and adding these alone does not give users a way to log in.',
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
    open: {
      message:
        'L’application {app} (CAP Node.js) a une route publique et n’est liée ni à XSUAA ni à IAS, et cette version de CAP n’exige aucune authentification par défaut.',
      why: 'L’application ne peut authentifier personne : un attaquant qui connaît l’URL peut utiliser tout service dépourvu de @requires et de @restrict, et ces annotations seules ne permettent pas aux utilisateurs de se connecter.',
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
 * Impact: a caller without a login reads and changes what services of CAP Java require a login for. What a server of the project's own gives away is told by the rules on
 * its code, and what services of a CAP that requires no login by default leave open by the rule on them: little, as far as the descriptor shows. Where roles still refuse the caller, or CAP Node.js does not start, nothing by itself.
 */
export const moduleWithoutAuthBinding: Rule = defineRule({
  id: 'btp/module-without-auth-binding',
  impact: 'data',
  reach: 'anyone',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  docsByVariant: { 'own-known': OWN_DOCS, 'own-new': OWN_DOCS, 'own-manifest': OWN_DOCS },
  on: 'deployment',

  *check({ applications, mtas, placeOf }, { capRoots, reach, files }) {
    for (const application of applications) {
      if (!isUnbound(application)) continue
      const facts = judge(application, capRootOf(application, capRoots), { reach, files })
      const name = at(application.node, 'name')
      if (facts === undefined || name === undefined) continue
      const mta = mtas.find(({ file }) => file === application.file)
      const auth = mta?.resources.find(({ service }) => service === 'xsuaa' || service === 'identity')
      const { server, ...rest } = facts
      const descriptor = mta === undefined ? 'manifest' : auth === undefined ? 'new' : 'known'
      const args = { app: application.name ?? '', instance: auth?.name ?? '<xsuaa>' }
      yield { at: placeOf(name), args, variant: `${server}-${descriptor}`, ...rest }
    }
  },

  text: () => ({
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
  }),
})

function textOf(locale: Locale, server: Server, descriptor: Descriptor): Pick<RuleText, 'message' | 'why' | 'fix'> {
  const validate = server === 'own' ? VALIDATE[locale] : ''
  const close = CLOSE[locale][descriptor === 'manifest' ? 'manifest' : 'mta']
  return { ...SERVER_TEXTS[locale][server], fix: BIND[locale][descriptor] + validate + close }
}

function variantsOf(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = {}
  for (const server of ['own', 'java', 'node', 'open'] as const)
    for (const descriptor of ['known', 'new', 'manifest'] as const)
      texts[`${server}-${descriptor}`] = textOf(locale, server, descriptor)
  return texts
}

function judge(
  application: Application,
  root: CapRoot | undefined,
  { reach, files }: Pick<Project, 'reach' | 'files'>,
): (Pick<Match, 'impact' | 'circumstance' | 'evidence' | 'confidence'> & { readonly server: Server }) | undefined {
  const { type, dependencies } = application
  if (servesFiles(application.node)) return undefined
  if (root !== undefined) {
    const served = root.services.filter(({ exposure }) => exposure === 'served')
    if (!reliesOnBinding(root, application)) {
      if (!isWithoutKind(root, application, served)) return undefined
      return isCdsBelow(7, files, root) ? { server: 'open', impact: 'bounded' } : { server: 'node', impact: 'defence' }
    }
    // what a login should protect is open without a binding; services that are public by default are the finding of a rule of CAP
    const open = served.filter(({ access }) => access.kind === 'default-authenticated' || access.kind === 'default-unknown')
    if (root.runtime !== 'java' || open.length === 0)
      return { server: root.runtime === 'java' ? 'java' : 'node', impact: 'defence' }
    const isDemo = open.every((service) => reach.ofService(service).isDemo === true)
    return { server: 'java', ...(isDemo && { circumstance: 'demo' }) }
  }
  // it may have no endpoint at all
  if (type.startsWith('java')) return { server: 'own', evidence: 'guessed', confidence: 'medium' }
  if (dependencies?.has('@sap/cds') === true) return { server: 'node', impact: 'defence' }
  if (dependencies === undefined || !SERVER_PACKAGES.some((name) => dependencies.has(name))) return undefined
  return [...dependencies].some((name) => GUARDS.test(name)) ? undefined : { server: 'own', impact: 'bounded' }
}

/**
 * Services that say nothing are open, and no setting of this application chooses how callers log in. Before cds 7 the version alone leaves them open, whose rule tells what
 * they give away; since then another deployment of the same project does, and this one takes `jwt`, which does not start without a binding.
 * Facts: @sap/cds 6.8.4, lib/auth/jwt-auth.js (a warning) and libx/_runtime/auth/index.js; 7.9.5 and 9.9.3, jwt-auth.js (an error).
 */
function isWithoutKind(root: CapRoot, { variables }: Application, served: readonly CapService[]): boolean {
  return (
    root.runtime === 'node' &&
    !root.test &&
    served.some(({ access }) => access.kind === 'default-public') &&
    authStrategyOf(effectiveConfiguration(root, profilesOf(variables), variables)).kind === undefined
  )
}
