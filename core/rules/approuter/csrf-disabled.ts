import { isUnreachable, placeOf, type Approuter, type Route } from '../../model/approuter/index.ts'
import { rootsBehind, rootsBehindKept } from '../../model/authorization/index.ts'
import { authStrategyOf, isForDevelopment, isOpenToAll, operationHandlers, type CapRoot } from '../../model/cap/index.ts'
import type { Deployment } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import { postedRoutes, routesTakeJson } from './_json-routes.ts'
import { rootsByPath, servicesOnlyRead, takesJson, writingServers } from './_json-services.ts'
import { registeredRoutes, routesOnlyRead, servesNothing } from './_read-only-routes.ts'
import { usageOf } from './_settings.ts'
import { socketPaths, upgradesAlone } from './_socket-routes.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Paths of ABAP systems: gateway and ICF services check a token of their own. */
const ABAP_PATH = /(?:^|[/^(])sap\\?\//i

/** ABAP systems by the name of their destination, and the workflow services of the platform, whose API checks X-CSRF-Token too. */
const BACKEND_WITH_TOKEN = /s4|es5|hana_?cloud_?erp|abap|^com\.sap\.(?:bpm|spa)\b|^bpm(?:workflow|rules)runtime/i

/** CSRF protection disabled on a route that forwards state-changing requests with the session of a user.
 *  Facts: @sap/approuter 23.0.0 README, "csrfProtection": checked for every method but GET and HEAD, on routes that authenticate;
 *  lib/backend-request/headers.js: where it is
 *  on, x-csrf-token is removed before a request is forwarded, so a backend that checks a token of its own needs it off.
 *  Impact: a page of another site changes data with the session of its visitor; nothing by itself where the cookie or a CORS preflight prevents that, or
 *  where clients have no cookie, or where the backend takes callers without a login, and none where the backend checks a token of its own. OData services of
 *  CAP take nothing but JSON; see _json-services.ts. */
export const csrfDisabled: Rule = defineRule({
  id: 'approuter/csrf-disabled',
  impact: 'session',
  // a link to a page of the attacker; whether the browser sends the cookie along depends on its defaults
  reach: 'anyone',
  evidence: 'assumed',
  grades: {
    none: { evidence: 'shown' },
    lax: { impact: 'defence', evidence: 'shown' },
    preflight: { impact: 'defence', evidence: 'shown' },
    basic: { impact: 'defence', evidence: 'shown' },
    open: { impact: 'defence', evidence: 'shown' },
    odata: { impact: 'defence', evidence: 'shown' },
    backend: { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#csrf-protection',
  on: 'approuter',
  extracts: [registeredRoutes, socketPaths, writingServers, postedRoutes, operationHandlers],

  *check(approuter, { approuters, deployment, capRoots, scripts, files }) {
    const application = applicationOf(approuter, approuters, deployment)
    for (const route of approuter.routes) {
      const { target, purpose, source, writeMethods } = route
      if (route.csrfProtection || !route.authenticates || writeMethods.length === 0) continue
      if (target.kind !== 'destination' && target.kind !== 'service') continue
      // nothing behind it changes anything, or it has no session
      if (purpose !== undefined && purpose !== 'management') continue
      const roots = rootsBehind(target.name, deployment, capRoots)
      const reached = roots.length > 0 ? roots : rootsBehindKept(target.name, deployment, capRoots)
      if (leadsToFiles(source) || servicesOnlyRead(route, reached, scripts) || isUnreachable(approuter, route)) continue
      if (routesOnlyRead(route, reached, scripts) || servesNothing(route, reached, scripts)) continue
      if (upgradesAlone(route, scripts, capRoots)) continue
      // what such a destination leads to is not shown, but its path is: that lowers, and hides nothing
      const likely = reached.length > 0 ? reached : rootsByPath(route, capRoots)
      const node = at(route.node, 'csrfProtection')
      const variant = takesAnyone(roots.length > 0 ? roots : likely)
        ? 'open'
        : takesJson(route, likely, { scripts, files })
          ? 'odata'
          : variantOf(approuter, route, routesTakeJson(route, reached, scripts))
      yield {
        at: node === undefined ? route.place : placeOf(approuter.file, node),
        args: { source, methods: writeMethods.join(', '), target: target.name },
        ...(variant !== undefined && { variant }),
        ...usageOf(approuter),
        // one backend decides for all routes to it, and generators write them into every app of an MTA
        groupKey: `${application} ${target.kind} ${target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'CSRF protection disabled for an approuter route',
      message: 'Route "{source}" forwards {methods:and} requests to the backend {target} with "csrfProtection": false.',
      why: 'Unless SameSite (attribute or browser default) prevents it, browsers attach the session cookie to requests from other sites: a malicious page can then change data on behalf of a logged-in user.',
      fix: 'Remove "csrfProtection": false from the route; UI5 OData models fetch and send the token by default. Keep it only if the backend {target} checks its own X-CSRF-Token: with CSRF protection enabled, the approuter removes that header.',
      variants: {
        none: {
          why: 'With SameSite=None, browsers attach the session cookie to requests from other sites, so a malicious page can change data on behalf of a logged-in user.',
        },
        basic: {
          why: 'Browsers attach stored basic authentication credentials to requests from other sites, so a malicious page can change data on behalf of a user who has logged in.',
        },
        lax: {
          why: 'With SameSite=Lax, browsers do not attach the session cookie to such requests from other sites, but an attacker who controls another host of the same site can change data on behalf of a logged-in user.',
        },
        open: {
          why: 'The services behind {target} accept requests without a login, so a forged request gives an attacker nothing yet: once they require a user, a malicious page can change data on behalf of a logged-in user.',
        },
        odata: {
          why: 'The OData services behind {target} accept JSON only, which pages of other sites can send only after a CORS preflight: if a CORS setting ever allows their origin, or an action without parameters is added, a malicious page can act on behalf of a logged-in user.',
        },
        preflight: {
          why: 'Pages of other sites can send these requests only after a CORS preflight: if a CORS setting ever allows their origin, a malicious page can change data on behalf of a logged-in user.',
        },
        backend: {
          message:
            'Route "{source}" forwards {methods:and} requests to the backend {target} with "csrfProtection": false. This type of backend usually checks its own CSRF token.',
          why: 'If a service of the backend {target} does not check X-CSRF-Token, it accepts requests that a malicious page sends with the session of a logged-in user.',
          fix: 'Check that every service behind this route requires X-CSRF-Token, then suppress this finding: with CSRF protection, the approuter would remove that header. For a service that does not, add a separate route before this one, without "csrfProtection": false.',
        },
      },
    },
    fr: {
      title: 'Protection CSRF désactivée pour une route de l’approuter',
      message: 'La route "{source}" transmet des requêtes {methods:et} au backend {target} avec "csrfProtection": false.',
      why: 'Si le navigateur joint le cookie de session aux requêtes venant d’autres sites, ce que l’attribut SameSite ou sa valeur par défaut peut empêcher, une page malveillante peut modifier des données au nom d’un utilisateur connecté.',
      fix: 'Supprimez "csrfProtection": false de la route ; les modèles OData d’UI5 demandent et envoient le jeton par défaut. Ne conservez "csrfProtection": false que si le backend {target} vérifie son propre X-CSRF-Token, car la protection CSRF de l’approuter retire cet en-tête.',
      variants: {
        none: {
          why: 'Avec SameSite=None, le navigateur joint le cookie de session aux requêtes venant d’autres sites : une page malveillante peut donc modifier des données au nom d’un utilisateur connecté.',
        },
        basic: {
          why: 'Le navigateur joint aux requêtes venant d’autres sites les identifiants d’authentification basique qu’il a mémorisés : une page malveillante peut modifier des données au nom d’un utilisateur connecté.',
        },
        lax: {
          why: 'Avec SameSite=Lax, le navigateur ne joint pas le cookie de session à ces requêtes si elles viennent d’autres sites, mais un attaquant qui contrôle un autre hôte du même site peut modifier des données au nom d’un utilisateur connecté.',
        },
        open: {
          why: 'Les services derrière {target} acceptent des requêtes sans authentification : une requête forgée n’apporte encore rien à un attaquant. Dès qu’ils exigeront un utilisateur, une page malveillante pourra modifier des données au nom d’un utilisateur connecté.',
        },
        odata: {
          why: 'Les services OData derrière {target} n’acceptent que du JSON, que les pages d’autres sites ne peuvent envoyer qu’après une requête préliminaire CORS : si un réglage CORS autorise un jour leur origine, ou si une action sans paramètre est ajoutée, une page malveillante peut agir au nom d’un utilisateur connecté.',
        },
        preflight: {
          why: 'Les pages d’autres sites ne peuvent envoyer ces requêtes qu’après une requête préliminaire CORS : si un réglage CORS autorise un jour leur origine, une page malveillante peut modifier des données au nom d’un utilisateur connecté.',
        },
        backend: {
          message:
            'La route "{source}" transmet des requêtes {methods:et} au backend {target} avec "csrfProtection": false. Ce type de backend vérifie en général son propre jeton CSRF.',
          why: 'Si un service du backend {target} ne vérifie pas X-CSRF-Token, il accepte les requêtes qu’une page malveillante envoie avec la session d’un utilisateur connecté.',
          fix: 'Vérifiez que chaque service situé derrière cette route exige X-CSRF-Token, puis masquez ce constat : avec la protection CSRF, l’approuter retirerait cet en-tête. Pour un service qui ne l’exige pas, ajoutez avant cette route une route distincte, sans "csrfProtection": false.',
        },
      },
    },
  }),
})

/** Folders of static content, and files by their ending. */
const STATIC_FOLDER =
  /^\^?\(?\\?\/?(?:css|js|images?|img|icons?|fonts?|assets|static|resources|test-resources|i18n|locales)\\?\//i
const STATIC_FILE =
  /\.\(?(?:\?:)?(?:css|js|map|png|jpe?g|gif|svg|ico|woff2?|ttf|html?|txt|properties)(?:\|\w{1,10}){0,20}\)?\$?\)?\$?$/i

function leadsToFiles(source: string): boolean {
  return STATIC_FOLDER.test(source) || STATIC_FILE.test(source)
}

/** Within which a name of a destination means one backend: the folder of the project's own approuter around, or else of the MTA. */
function applicationOf({ file }: Approuter, approuters: readonly Approuter[], { mtas }: Deployment): string {
  const own = new Set(approuters.flatMap(({ manifest }) => (manifest === undefined ? [] : folderOf(manifest.file))))
  return ownerOf(file, own) ?? ownerOf(file, new Set(mtas.map((mta) => folderOf(mta.file)))) ?? ''
}

/** No service asks for a user, and what would tell one is none of the session of a browser. */
function takesAnyone(roots: readonly CapRoot[]): boolean {
  return (
    roots.length > 0 &&
    roots.every(
      (root) =>
        isOpenToAll(root) &&
        root.productive().every((configuration) => {
          const { kind, custom } = authStrategyOf(configuration)
          return !custom && kind !== undefined && isForDevelopment(kind)
        }),
    )
  )
}

function variantOf(
  approuter: Approuter,
  { source, rewrite, target, authenticationType, writeMethods }: Route,
  isJson: boolean,
): string | undefined {
  if (ABAP_PATH.test(source) || ABAP_PATH.test(rewrite ?? '') || BACKEND_WITH_TOKEN.test(target.name)) return 'backend'
  const cookie = readSameSite(approuter)
  // pages of other sites send these methods only after a CORS preflight
  const hasCors = at(approuter.root, 'cors') !== undefined || approuter.environment.settings('CORS').length > 0
  const needsPreflight = (isJson || !writeMethods.includes('POST')) && !hasCors
  if (authenticationType === 'basic') return 'basic'
  if (cookie === 'Lax') return 'lax'
  if (needsPreflight) return 'preflight'
  return cookie === 'None' ? 'none' : undefined
}

/** The SameSite attribute of the session cookie; a partitioned cookie is not sent to a page of another site. */
function readSameSite({ environment }: Approuter): string | undefined {
  const cookies = environment
    .settings('COOKIES')
    .filter(({ deployed, value }) => deployed && at(value, 'Partitioned') === undefined)
  const values = cookies.map(({ value }) => stringOf(at(value, 'SameSite')))
  return values.includes('None') ? 'None' : values[0]
}
