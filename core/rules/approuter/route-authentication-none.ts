import { checkedServers } from './_checked-servers.ts'
import { storedDestinations } from './_stored-destinations.ts'
import { inEachLanguage } from '../../arguments.ts'
import { isCatchAll, isUnreachable, type Approuter, type Route } from '../../model/approuter/index.ts'
import { servedServices, type CapRoot } from '../../model/cap/index.ts'
import type { Localized, Match } from '../../types.ts'
import { leadsToFiles, publicBackend, usageOf } from './_settings.ts'
import type { Project } from '../subjects.ts'
import { changedModels, isChangedThrough } from './_writing-apps.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Authentication alone would leave the route open to CSRF. */
const UNPROTECTED: Localized<string> = {
  en: ' and remove "csrfProtection": false',
  fr: ' et supprimez "csrfProtection": false',
}

/** A route that forwards unauthenticated requests.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (authenticationType) and "logout" (the page must be public).
 *  Impact: a caller without a login reads and changes what the backend holds; static files, and more paths than those of the login and of probes, are only
 *  worth knowing. */
export const routeAuthenticationNone: Rule = defineRule({
  id: 'approuter/route-authentication-none',
  impact: 'data',
  reach: 'anyone',
  grades: { changed: { evidence: 'assumed' }, static: { impact: 'hygiene' }, page: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  extracts: [checkedServers, storedDestinations, changedModels],
  on: 'approuter',

  *check(approuter, project) {
    for (const route of approuter.routes) {
      // the rules on the whole descriptor and on a route that takes everything say more
      if (route.authenticationType !== 'none' || approuter.authenticationMethod === 'none' || isCatchAll(approuter, route))
        continue
      if ((route.purpose !== undefined && route.purpose !== 'page') || route.target.kind === 'user-api') continue
      // browsers ask with OPTIONS before they send credentials. Fact: Fetch standard, "CORS-preflight fetch"
      if (route.methods?.every((method) => method.toUpperCase() === 'OPTIONS') === true && route.methods.length > 0) continue
      // an earlier route takes all its requests, and its own setting decides
      if (isUnreachable(approuter, route)) continue
      // nobody is logged in yet who asks for them
      if (route.purpose === 'page' && ANCHORED.test(route.source)) continue
      // the rule on public services judges what is public there
      if (leadsToPublicService(route, project.capRoots)) continue
      yield {
        at: route.authenticationPlace,
        args: {
          source: route.source,
          target: route.target.name || route.source,
          csrf: route.csrfProtection ? '' : inEachLanguage(UNPROTECTED),
        },
        ...(isOfFiles(route, project.deployment) || route.purpose === 'page'
          ? variantOf(route)
          : backendOf(approuter, route, project)),
        ...usageOf(approuter),
        // generators write the same route into every app of a project
        groupKey: `${route.source} ${route.target.kind} ${route.target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing authentication on an approuter route',
      message: 'Route "{source}" forwards requests to the backend {target} with "authenticationType": "none".',
      why: 'Unauthenticated attackers can send requests to the backend {target} through this route; the approuter adds the credentials stored for it, if any.',
      fix: 'Set "authenticationType": "xsuaa" (or "ias") on this route{csrf}. If some paths must be public, add an earlier route with "none" for those paths only.',
      variants: {
        changed: {
          message:
            'Route "{source}" forwards requests to the backend {target} with "authenticationType": "none", and an app of the project changes and deletes data through it.',
          why: 'No login travels with the requests of the app: if {target} accepts them or its destination adds stored credentials, unauthenticated attackers can read, change and delete this data.',
        },
        static: {
          title: 'Static files served without authentication',
          message: 'Route "{source}" serves files from {target} with "authenticationType": "none".',
          why: 'Unauthenticated visitors can load these files. That discloses data only if they contain more than the code of the pages.',
          fix: 'Set "authenticationType": "xsuaa" (or "ias") on this route, unless users need its pages before they log in.',
        },
        page: {
          title: 'Public page or health check without authentication',
          message: 'Route "{source}" sets "authenticationType": "none".',
          why: 'Login pages and health checks usually have to be public. Any other path that the route matches is public, too.',
          fix: 'Write "source" with ^, the exact paths and $, for example "^/health/(live|ready)$" or "^/(login|logout)\\\\.html$". If these paths do not have to be public, set "authenticationType": "xsuaa" instead.',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification sur une route de l’approuter',
      message: 'La route "{source}" transmet des requêtes au backend {target} avec "authenticationType": "none".',
      why: 'Un attaquant non authentifié peut envoyer des requêtes au backend {target} par cette route ; l’approuter y joint les identifiants enregistrés pour ce backend, s’il y en a.',
      fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur cette route{csrf}. Si certains chemins doivent être publics, ajoutez, avant cette route, une route avec "none" pour ces seuls chemins.',
      variants: {
        changed: {
          message:
            'La route "{source}" transmet des requêtes au backend {target} avec "authenticationType": "none", et une application du projet modifie et supprime des données par cette route.',
          why: 'Aucune connexion n’accompagne ces requêtes : si {target} les accepte ou si sa destination y joint des identifiants enregistrés, un attaquant non authentifié peut lire, modifier et supprimer ces données.',
        },
        static: {
          title: 'Fichiers statiques servis sans authentification',
          message: 'La route "{source}" sert des fichiers depuis {target} avec "authenticationType": "none".',
          why: 'Un visiteur non authentifié peut charger ces fichiers. Cela ne divulgue des données que s’ils contiennent autre chose que le code des pages.',
          fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur cette route, sauf si les utilisateurs ont besoin de ses pages avant de se connecter.',
        },
        page: {
          title: 'Page publique ou sonde de disponibilité sans authentification',
          message: 'La route "{source}" définit "authenticationType": "none".',
          why: 'Les pages de connexion et les sondes de disponibilité doivent en général être publiques. Tout autre chemin couvert par la route est lui aussi public.',
          fix: 'Écrivez "source" avec ^, les chemins exacts et $, par exemple "^/health/(live|ready)$" ou "^/(login|logout)\\\\.html$". Si ces chemins n’ont pas besoin d’être publics, définissez plutôt "authenticationType": "xsuaa".',
        },
      },
    },
  }),
})

/** Everything that the route takes is a path of a service whose model says that it is public. */
function leadsToPublicService({ source, rewrite, target }: Route, capRoots: readonly CapRoot[]): boolean {
  if (target.kind !== 'destination') return false
  const [path = ''] = /^\/[\w./-]*/.exec(rewrite ?? /^\^(.{0,500})/.exec(source)?.[1]?.replaceAll('\\', '') ?? '') ?? []
  return capRoots.some((root) =>
    servedServices(root).some(
      ({ access, endpoints }) =>
        access.kind === 'public' && endpoints.some((endpoint) => path.startsWith(`/${endpoint.path.replace(/^\/|\/$/g, '')}/`)),
    ),
  )
}

/** Where an app of the project changes data through the route, the text says so; whether the backend takes it from anybody, its destination decides. */
function backendOf(approuter: Approuter, route: Route, project: Project): Pick<Match, 'impact' | 'evidence' | 'variant'> {
  const grade = publicBackend(route, project)
  const isOpen = grade.impact === undefined && grade.evidence === 'assumed' && isChangedThrough(approuter, route, project)
  return isOpen ? { variant: 'changed' } : grade
}

/** Takes nothing but the alternatives that it names. */
const ANCHORED = /^\^(?:[^.*+?[\]\\]|\\[./-]){0,500}\$$/

function variantOf({ purpose }: Route): Pick<Match, 'variant'> {
  return { variant: purpose === 'page' ? 'page' : 'static' }
}

/**
 * Folders of files alone: those of the approuter, of the repository of HTML5 apps, of UI5 itself, and those of a server that a path names as such.
 */
function isOfFiles({ source, rewrite, target }: Route, deployment: Project['deployment']): boolean {
  if (target.kind !== 'destination' && target.kind !== 'service') return true
  if (leadsToFiles(target, deployment)) return true
  const isStatic = STATIC.test(source) || LIBRARY.test(source)
  return isStatic && (rewrite === undefined || !leadsElsewhere(rewrite) || STATIC.test(rewrite))
}

/** `^/resources/com/example/lib/(.*)$`: the files of a library of UI5, below its namespace. Fact: SAPUI5 documentation, "Deploying a UI5 library". */
const LIBRARY = /^\^?\\?\/resources\\?\/(?:[\w-]{1,40}\\?\/){2,6}\(/

/** Behind a folder of its own: `/api/$1`, but not `/$1`. */
function leadsElsewhere(rewrite: string): boolean {
  const first = rewrite.search(/[^/$\d]/)
  return first !== -1 && rewrite.lastIndexOf('/') > first
}

/** `^/css/(.*)$`, `^/assets/img/(.*)$`, `^/(.*\\.(?:js|css))$`, and documents about the site, which are for everybody (RFC 8615). */
const STATIC =
  /^\^?(?:\\?\/[\w-]{1,40}){0,3}\\?\/(?:css|js|img|images?|fonts?|icons?|assets|static|styles?|i18n|docs?|documentation|api-docs|swagger(?:-ui)?|legal|terms|privacy|imprint|impressum|\\?\.well-known)\\?\/|\\?\.\(?(?:\?:)?(?:(?:css|js|mjs|png|jpe?g|gif|svg|ico|woff2?|ttf|webp|html?|map)[|)]?){1,15}\)?\)?\$$/i
