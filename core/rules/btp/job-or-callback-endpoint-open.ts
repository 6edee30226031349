import type { Mta } from '../../model/deployment/index.ts'
import { decidingRule, soleChain } from '../../model/java/index.ts'
import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { handedApps, modulesBehindLogin } from '../cap/_callers/handed-apps.ts'
import { platformCallbacks, TENANTS } from './_platform-callbacks.ts'

const SPRING = 'https://github.com/SAP/cloud-security-services-integration-library/tree/main/spring-security'
const XSSEC = 'https://www.npmjs.com/package/@sap/xssec#passport-strategy'

/**
 * A callback for subscriptions for which no security descriptor grants a scope to the platform, and an endpoint for subscriptions or jobs whose
 * code checks none.
 * Facts: SAP BTP, "Developing Multitenant Applications" (`onSubscription`; the application checks the scope) and "Secure Access" of the Job
 * Scheduling Service (scope granted to the service, headers x-sap-job-*); @sap/approuter 23.0.0 README, "Authorize LPS for invoking callbacks".
 * Impact: a caller without the right subscribes and removes tenants, or starts jobs; a handler that writes a log line and answers gives little. Of a descriptor alone, the check of the endpoint itself is not known.
 */
export const jobOrCallbackEndpointOpen: Rule = defineRule({
  id: 'btp/job-or-callback-endpoint-open',
  impact: 'data',
  grades: {
    scope: { reach: 'user' },
    scopeJob: { reach: 'user' },
    scopeSpring: { reach: 'user' },
    openSpring: { reach: 'anyone' },
  },
  confidence: 'medium',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#authorize-lps-for-invoking-callbacks',
  docsByVariant: { scope: XSSEC, scopeJob: XSSEC, open: XSSEC, openJob: XSSEC, scopeSpring: SPRING, openSpring: SPRING },
  extracts: [platformCallbacks, handedApps],
  checks: {
    *deployment({ mtas, services, placeOf }, { capRoots }) {
      // CAP's own endpoint for subscriptions requires the role by itself
      if (capRoots.some(({ test }) => !test)) return
      for (const mta of mtas) {
        const clients = services.filter((client) => client.mta?.file === mta.file)
        const isKnown = clients.length > 0 && clients.every(({ isComplete }) => isComplete) && !usesOthers(mta)
        if (!isKnown || clients.some(({ config }) => grantsCallback(config))) continue
        const [client] = clients
        const file = client === undefined ? mta.file : placeOf(at(client.config, 'scopes') ?? client.config).file
        for (const { name, node, service } of mta.resources) {
          const callback = at(node, 'parameters', 'config', 'appUrls', 'onSubscription')
          const url = stringOf(callback)
          if (service !== 'saas-registry' || callback === undefined || url === undefined) continue
          yield { at: placeOf(callback), args: { resource: name, url, file }, reach: 'user', evidence: 'assumed' }
        }
      }
    },
    *project(project) {
      yield* judgeScripts(project)
      yield* judgeSpring(project)
    },
  },

  text: () => ({
    en: {
      title: 'Subscription callback without an authorization scope',
      message:
        'The subscription callback of {resource} is {url}, but no security descriptor of this MTA grants a scope to sap-provisioning.',
      why: 'Without this scope, the endpoint cannot tell the platform from other callers: an attacker may be able to subscribe and unsubscribe tenants, which can delete their data.',
      fix: 'Add to "scopes" in {file}: { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] }, and require this scope in the endpoint.',
      variants: {
        scope: {
          title: 'Platform callback without a scope check',
          message:
            'The platform calls {method} {path}, but the code checks no scope: any token that was issued for the application is accepted.',
          why: 'Any authenticated user can call this callback in place of the platform, for any tenant.',
          fix: 'Check first: if (!{request}.authInfo.checkLocalScope("{scope}")) return {response}.sendStatus(403). Add to "scopes" in xs-security.json: { "name": "$XSAPPNAME.{scope}", "grant-as-authority-to-apps": ["{grantee}"] }.',
        },
        scopeJob: {
          title: 'Platform callback without a scope check',
          message:
            'The platform calls {method} {path}, but the code checks no scope: any token that was issued for the application is accepted.',
          why: 'Any authenticated user can start this job, as often as they want, with the permissions of its code.',
          fix: 'Check first: if (!{request}.authInfo.checkLocalScope("{scope}")) return {response}.sendStatus(403). Add to "scopes" in xs-security.json: { "name": "$XSAPPNAME.{scope}", "grant-as-authority-to-apps": ["{grantee}"] }.',
        },
        open: {
          title: 'Missing authentication on a platform callback',
          message: 'The platform calls {method} {path}, but the code checks neither a token nor a scope.',
          why: 'An unauthenticated attacker can call this callback in place of the platform, for any tenant.',
          fix: 'Add before the route, with @sap/xssec: passport.use(new XssecPassportStrategy(new XsuaaService(<credentials>))); app.use(passport.authenticate("JWT", { session: false })). Check {request}.authInfo.checkLocalScope("{scope}") and grant this scope to "{grantee}".',
        },
        openJob: {
          title: 'Missing authentication on a platform callback',
          message: 'The platform calls {method} {path}, but the code checks neither a token nor a scope.',
          why: 'An unauthenticated attacker can start this job, as often as they want, with the permissions of its code.',
          fix: 'Add before the route, with @sap/xssec: passport.use(new XssecPassportStrategy(new XsuaaService(<credentials>))); app.use(passport.authenticate("JWT", { session: false })). Check {request}.authInfo.checkLocalScope("{scope}") and grant this scope to "{grantee}".',
        },
        scopeSpring: {
          title: 'Platform callback without a scope check',
          message:
            'The platform calls {method} {path}, but Spring Security only requires a login for it, and no code checks a scope.',
          why: 'Any authenticated user can call this callback in place of the platform, for any tenant.',
          fix: 'Add as the first rule: .requestMatchers("{path}").hasAuthority("{scope}"), with setLocalScopeAsAuthorities(true) on the token converter, and grant this scope to "{grantee}" in xs-security.json.',
        },
        openSpring: {
          title: 'Missing authentication on a platform callback',
          message:
            'The platform calls {method} {path}, but Spring Security lets every caller through, and no code checks a scope.',
          why: 'An unauthenticated attacker can call this callback in place of the platform, for any tenant.',
          fix: 'Add as the first rule: .requestMatchers("{path}").hasAuthority("{scope}"), with setLocalScopeAsAuthorities(true) on the token converter, and grant this scope to "{grantee}" in xs-security.json.',
        },
      },
    },
    fr: {
      title: 'Callback d’abonnement sans scope d’autorisation',
      message:
        'Le callback d’abonnement de la ressource {resource} est {url}, mais aucun descripteur de sécurité de ce MTA n’accorde de scope à sap-provisioning.',
      why: 'Sans ce scope, le point de terminaison ne peut pas distinguer la plateforme des autres appelants : un attaquant pourrait abonner et désabonner des locataires, ce qui peut effacer leurs données.',
      fix: 'Ajoutez aux "scopes" de {file} : { "name": "$XSAPPNAME.Callback", "grant-as-authority-to-apps": ["$XSAPPNAME(application,sap-provisioning,tenant-onboarding)"] }, et exigez ce scope dans le point de terminaison.',
      variants: {
        scope: {
          title: 'Callback de la plateforme sans contrôle du scope',
          message:
            'La plateforme appelle {method} {path}, mais le code ne vérifie aucun scope : tout jeton émis pour l’application est accepté.',
          why: 'Tout utilisateur authentifié peut appeler ce callback à la place de la plateforme, pour n’importe quel locataire.',
          fix: 'Commencez le gestionnaire par : if (!{request}.authInfo.checkLocalScope("{scope}")) return {response}.sendStatus(403). Ajoutez aux "scopes" de xs-security.json : { "name": "$XSAPPNAME.{scope}", "grant-as-authority-to-apps": ["{grantee}"] }.',
        },
        scopeJob: {
          title: 'Callback de la plateforme sans contrôle du scope',
          message:
            'La plateforme appelle {method} {path}, mais le code ne vérifie aucun scope : tout jeton émis pour l’application est accepté.',
          why: 'Tout utilisateur authentifié peut lancer cette tâche aussi souvent qu’il le veut, avec les droits dont dispose le code de la tâche.',
          fix: 'Commencez le gestionnaire par : if (!{request}.authInfo.checkLocalScope("{scope}")) return {response}.sendStatus(403). Ajoutez aux "scopes" de xs-security.json : { "name": "$XSAPPNAME.{scope}", "grant-as-authority-to-apps": ["{grantee}"] }.',
        },
        open: {
          title: 'Absence d’authentification sur un callback de la plateforme',
          message: 'La plateforme appelle {method} {path}, mais le code ne vérifie ni jeton ni scope.',
          why: 'Un attaquant non authentifié peut appeler ce callback à la place de la plateforme, pour n’importe quel locataire.',
          fix: 'Ajoutez avant la route, avec @sap/xssec : passport.use(new XssecPassportStrategy(new XsuaaService(<identifiants>))); app.use(passport.authenticate("JWT", { session: false })). Vérifiez {request}.authInfo.checkLocalScope("{scope}") dans le gestionnaire et accordez ce scope à "{grantee}".',
        },
        openJob: {
          title: 'Absence d’authentification sur un callback de la plateforme',
          message: 'La plateforme appelle {method} {path}, mais le code ne vérifie ni jeton ni scope.',
          why: 'Un attaquant non authentifié peut lancer cette tâche aussi souvent qu’il le veut, avec les droits dont dispose le code de la tâche.',
          fix: 'Ajoutez avant la route, avec @sap/xssec : passport.use(new XssecPassportStrategy(new XsuaaService(<identifiants>))); app.use(passport.authenticate("JWT", { session: false })). Vérifiez {request}.authInfo.checkLocalScope("{scope}") dans le gestionnaire et accordez ce scope à "{grantee}".',
        },
        scopeSpring: {
          title: 'Callback de la plateforme sans contrôle du scope',
          message:
            'La plateforme appelle {method} {path}, mais Spring Security n’exige qu’une connexion, et aucun code ne vérifie de scope.',
          why: 'Tout utilisateur authentifié peut appeler ce callback à la place de la plateforme, pour n’importe quel locataire.',
          fix: 'Ajoutez comme première règle : .requestMatchers("{path}").hasAuthority("{scope}"), avec setLocalScopeAsAuthorities(true) sur le convertisseur de jetons, et accordez ce scope à "{grantee}" dans xs-security.json.',
        },
        openSpring: {
          title: 'Absence d’authentification sur un callback de la plateforme',
          message:
            'La plateforme appelle {method} {path}, mais Spring Security laisse passer tout appelant, et aucun code ne vérifie de scope.',
          why: 'Un attaquant non authentifié peut appeler ce callback à la place de la plateforme, pour n’importe quel locataire.',
          fix: 'Ajoutez comme première règle : .requestMatchers("{path}").hasAuthority("{scope}"), avec setLocalScopeAsAuthorities(true) sur le convertisseur de jetons, et accordez ce scope à "{grantee}" dans xs-security.json.',
        },
      },
    },
  }),
})

/** An existing instance may have the scope. */
function usesOthers({ resources }: Mta): boolean {
  return resources.some(({ type }) => type === 'org.cloudfoundry.existing-service')
}

function grantsCallback(config: Parameters<typeof at>[0]): boolean {
  return itemsOf(at(config, 'scopes')).some((scope) =>
    ['grant-as-authority-to-apps', 'granted-apps'].some((key) =>
      textItems(at(scope, key)).some(({ text }) => /sap-provisioning|tenant-onboarding|\$XSSERVICENAME\(/.test(text)),
    ),
  )
}

const GRANTED = {
  tenants: { scope: 'Callback', grantee: '$XSAPPNAME(application,sap-provisioning,tenant-onboarding)' },
  jobs: { scope: 'JOBSCHEDULER', grantee: '$XSSERVICENAME(<job-scheduler-instance>)' },
} as const

/** Routes that scripts register, on an app of their own or on one that they get behind a login of another script. */
function* judgeScripts(project: Project): Generator<Match> {
  const found = project.scripts.get(platformCallbacks)
  if (found.length === 0) return
  const modules = modulesBehindLogin(project)
  for (const { file, value } of found) {
    project.step(1 + modules.length)
    const { at, method, path, purpose, request, response, within, onlyAnswers } = value
    const isOpen = value.isOpen && !modules.some((module) => module.file === file && module.name === within)
    yield {
      at: { file, span: at },
      args: { method, path, request, response, ...GRANTED[purpose] },
      variant: `${isOpen ? 'open' : 'scope'}${purpose === 'jobs' ? 'Job' : ''}`,
      ...(onlyAnswers && { impact: 'bounded' as const, ...(isOpen && { reach: 'anyone' as const }) }),
    }
  }
}

/** Controllers for subscriptions, and the rule of the one chain that decides about them; where a rule names such a path, it is marked. */
function* judgeSpring({ springModules }: Project): Generator<Match> {
  for (const module of springModules()) {
    const only = soleChain(module)
    if (only === undefined || module.asksInMethods || only.chain.hasFilter) continue
    const called = module.endpoints.flatMap(({ path, verb }) => {
      if (path === undefined || !(TENANTS.test(path) && path.includes('{')) || (verb !== 'PUT' && verb !== 'DELETE')) return []
      const rule = decidingRule(only.chain, path, verb)
      return rule?.access === 'login' || rule?.access === 'open' ? [{ path, verb, rule }] : []
    })
    const [first] = called
    if (first === undefined) continue
    const named = only.chain.rules.find(({ patterns }) => patterns?.some((pattern) => /callback|tenant/i.test(pattern)))
    const { start, end } = named ?? first.rule
    yield {
      at: { file: only.file, span: { start, end } },
      args: { method: first.verb, path: first.path, request: '', response: '', ...GRANTED.tenants },
      variant: first.rule.access === 'login' ? 'scopeSpring' : 'openSpring',
    }
  }
}
