import { defineRule, type Rule } from '../rule.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import type { FlowHit, OpenRoute } from '../../flow/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Localized, Match } from '../../types.ts'
import { GUARD_EXTRACTS, hasApplicationGuard } from './_routes/application-guards.ts'
import { gradeHit } from './_flow-grade.ts'
import { passwordHashes } from './_secrets/password-rows.ts'
import { bodyNeeds, lacksBody } from './_routes/body-needs.ts'
import { isHandedOn } from './_routes/handed-on-routes.ts'
import { imageAnswers, isOnlyImage } from './_routes/image-answers.ts'
import { isListMountedAt, routerParts } from './_routes/mounted-routers.ts'
import { sentCredentials, wholeRows } from './_routes/whole-rows.ts'

const SERVER_FIX: Localized<string> = {
  en: 'Register passport.authenticate("JWT", { session: false }), with the strategy of @sap/xssec, before the route or in its call. In the handler, check the scope: if (!req.authInfo.checkLocalScope("<scope>")) return res.sendStatus(403).',
  fr: 'Déclarez passport.authenticate("JWT", { session: false }), avec la stratégie de @sap/xssec, avant la route ou dans son appel. Dans le gestionnaire, vérifiez le scope : if (!req.authInfo.checkLocalScope("<scope>")) return res.sendStatus(403).',
}

/**
 * A route that nothing authenticates: of Express in `bootstrap` of CAP, before its own middlewares, or of a server of the project's own (Express, Fastify, Koa).
 * Facts: capire, "cds.server" and "Middlewares": what is added to the app in `bootstrap` runs before them, without cds.context.
 * @sap/cds 9.9.3, lib/srv/middlewares/auth: the strategies for tokens set `cds.context.user` only, never `req.user`, and let requests without a token pass as anonymous.
 * Impact: an unauthenticated caller reads or changes data. That is shown where the project gives the server an address, starts it and tells of nothing in front of it, or its approuter hands the path on without a login, and the route
 * uses the database or credentials of the application; otherwise whether it is meant for everybody is not in the project, and of a route that seems to do nothing it is guessed that a function
 * which it calls does. What the technical user of a destination reads is for nobody without a login;
 * beside protected routes it is assumed that somebody wanted it open. A token of the application is all that a caller needs for the services that accept it. What only passes a question on to a fixed host gives what others get there as well, at the cost of the application;
 * rows of CSV files of a project that nothing deploys, with no database and no other system behind it, are data of a demonstration, unless they are accounts, and so are those of
 * a CAP server that has no others;
 * rows with passwords, codes or tokens of users let a caller in as these users;
 * what is named like a catalogue that a shop shows to everybody may be public, so it is MEDIUM;
 * an image of the brand is what pages show before anybody has logged in, so it is LOW; so is a route that throws since nothing reads the body that it needs;
 * where another system gets a file of the caller, there may be no data of others; how many rows there are is little.
 */
export const expressRouteUnauthenticated: Rule = defineRule({
  id: 'cap/express-route-unauthenticated',
  formerIds: ['cap/server-route-unauthenticated'],
  impact: 'data',
  evidence: 'assumed',
  grades: {
    harmless: { evidence: 'guessed' },
    internals: { impact: 'bounded' },
    forwards: { impact: 'bounded', evidence: 'shown' },
    token: { impact: 'takeover' },
    counts: { impact: 'bounded', evidence: 'shown' },
    // as soon as somebody adds a parser it does what it was written for
    bodiless: { impact: 'bounded', evidence: 'assumed', inOpenRoute: 'assumed' },
    excepted: { circumstance: 'public' },
    catalogue: { circumstance: 'public', evidence: 'shown' },
  },
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#bootstrap',
  extracts: [...GUARD_EXTRACTS, routerParts, wholeRows, passwordHashes, imageAnswers, bodyNeeds],
  on: 'flow',
  yieldsTo: ['btp/job-or-callback-endpoint-open'],

  *check(hit, project) {
    const { approuters, reach, scripts } = project
    // it has to be public
    if (hit.detail === 'entrance') return
    const { method, route } = hit.api
    const isHarmless = hit.detail === 'harmless'
    const isOwn = hit.origin === 'open-server'
    // of a server without data the routes for everybody are no fault
    if (isOwn && (isHarmless || isDeveloperFile(hit.at.file))) return
    const isDecorated = hit.api.effects.has('decorated')
    if (isDecorated && hasApplicationGuard(hit.at.file, scripts)) return
    const isList = method === 'ANY' && isListMountedAt(hit.at, project)
    const credentials = hit.detail === 'reads' ? sentCredentials(hit.api.answeredBy ?? [], project) : []
    const isShown = isProven(hit) || credentials.length > 0
    const server = reach.ofServer(hit.at.file)
    const isStarted = server.isStarted === true && (isForNobody(hit) || credentials.length > 0)
    const isPublished = server.isPublished || isStarted || (isShown && route !== undefined && isHandedOn(route, approuters))
    const told: Match = {
      ...gradeHit(hit),
      confidence: 'medium',
      // who the application is elsewhere, its service says
      ...(!isDecorated && isShown && isPublished && { evidence: 'shown' }),
      // without a login only from inside of the cluster
      ...(server.isBehindLogin === true && { reach: 'privileged' as const }),
      args: {
        route: route === undefined ? '' : routeWords(route),
        ...(credentials.length > 0 && { elements: listNames(credentials) }),
      },
      ...(isHarmless && { variant: 'harmless' }),
      ...(isOwn && { variant: 'server' }),
      ...(TOLD.has(hit.detail ?? '') && { variant: hit.detail }),
      ...(hit.detail === 'reads' && hit.api.effects.has('catalogue') && method !== 'ANY' && { variant: 'catalogue' }),
      ...(hit.detail === 'reads' && hit.api.effects.has('excepted') && { variant: 'excepted' }),
      ...(isOnlyImage(hit.api.answeredBy ?? [], project) && { circumstance: 'public' as const, evidence: 'assumed' as const }),
      ...(credentials.length > 0 && { impact: 'takeover', ...(!isOwn && { variant: 'credentials' }) }),
      ...(isOfSamples(hit, reach) && { circumstance: 'demo', evidence: 'shown' }),
      // names that a form offers are nobody's secret, and whether a name is taken a form for new accounts has to say
      ...((isList || hit.detail === 'verdict') && { impact: 'bounded', evidence: 'assumed' }),
    }
    const isIdle = method !== 'GET' && lacksBody(hit.api.answeredBy ?? [], project)
    const match = isIdle ? { ...told, variant: 'bodiless', ...UNPARSED } : told
    const groupKey = causeOf(hit, match)
    yield { ...match, ...(groupKey !== undefined && { groupKey }) }
  },

  text: () => ({
    en: {
      title: 'Express route without authentication in a CAP server',
      message: '{route} is registered outside CAP’s authentication, and no middleware authenticates its callers.',
      why: 'An unauthenticated attacker can call the route, and its code reads or changes data with the application’s permissions.',
      fix: 'Put ...cds.middlewares.before (from @sap/cds) in front of the handler in this call. In the handler, reject callers unless cds.context.user.is("<role>"): these middlewares accept requests without a token. Or make the route an action or a function of a service.',
      variants: {
        harmless: {
          why: 'An unauthenticated attacker can call the route. No data access was found in its handler, but a function that it calls may access data.',
        },
        environment: {
          title: 'Environment variables exposed by a route without authentication',
          message: '{route} responds with the environment of the process, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker reads the credentials of all bound services (VCAP_SERVICES) and the secrets in environment variables, and uses them directly.',
          fix: 'Remove the route. If a value is needed, send that value only, and register passport.authenticate("JWT", { session: false }), with the strategy of @sap/xssec, before the route.',
        },
        internals: {
          title: 'Diagnostic data exposed by a route without authentication',
          message:
            '{route} responds with metrics, paths or versions of the process, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker learns versions, file paths, routes and load of the server, which help to prepare an attack.',
          fix: 'Serve this route on a port that has no public route, or register an authentication before it, such as passport.authenticate("JWT", { session: false }) with the strategy of @sap/xssec.',
        },
        token: {
          title: 'Access token handed out by a route without authentication',
          message:
            '{route} responds with an access token that the application gets with its own credentials, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker gets a valid token and calls every service that accepts it, with the permissions of the application.',
          fix: 'Remove the route: the approuter or the client has to log the user in. If a page needs data of another system, call that system in a route behind passport.authenticate("JWT", { session: false }).',
        },
        credentials: {
          title: 'Credentials of users returned by a route without authentication',
          message: '{route} responds with whole rows, with their {elements:and}, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker reads credentials of users, and logs in as any of them.',
        },
        database: {
          title: 'Database file handed out by a route without authentication',
          message: '{route} responds with the file of a database, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker downloads all data of the application at once, including what its services protect.',
          fix: 'Remove the route. If a backup is needed, write it to a place that only operators reach, or register passport.authenticate("JWT", { session: false }) and a check of an administrator’s scope before the route.',
        },
        backend: {
          title: 'Data of another system returned by a route without authentication',
          message:
            '{route} logs on to another system with the credentials of a destination and returns its response, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker reads what the technical user of the destination may read, such as business data or user accounts.',
          fix: SERVER_FIX.en,
        },
        forwards: {
          title: 'Route to another system without authentication',
          message: '{route} passes requests on to another system, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker can send any number of requests in the name of the application, use up its quota there, and get its answers.',
          fix: SERVER_FIX.en,
        },
        counts: {
          title: 'Numbers of rows returned by a route without authentication',
          message: '{route} responds with numbers of rows, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker learns how much there is of what the application keeps, and can make it read all rows any number of times.',
          fix: SERVER_FIX.en,
        },
        bodiless: {
          message:
            '{route} has no authentication. Its handler needs fields of req.body, but nothing in the project parses bodies: every call fails today.',
          why: 'As soon as a parser such as express.json() is registered, an unauthenticated attacker can call the route, and its code reads or changes data with the application’s permissions.',
        },
        excepted: {
          title: 'Server route without authentication beside protected ones',
          message:
            '{route} has no authentication, while routes of the same router authenticate their callers before they change data.',
          why: 'An unauthenticated attacker reads what the route responds with. That may be intended, if all of it is public.',
          fix: 'Put the middleware of the protected routes into this call too, unless all that the route responds with is public; then suppress this finding with that reason.',
        },
        catalogue: {
          title: 'Catalog data returned by a route without authentication',
          message: '{route} reads data that is named like a public catalog, and no middleware authenticates its callers.',
          why: 'An unauthenticated attacker can read all of it. That may be intended, if all that the tables hold is public.',
          fix: 'Put a middleware that authenticates the caller in front of the handler in this call, unless all that the route responds with is public; then suppress this finding with that reason.',
        },
        server: {
          title: 'Server route without authentication',
          message: '{route} has no authentication: no middleware authenticates its callers, and its handler does not check them.',
          fix: SERVER_FIX.en,
        },
      },
      steps: {
        call: 'The app is passed to {name}.',
        return: '{name} returns the app.',
        'store-module': 'The module exports the router or the app.',
        load: 'The router or the app is used here.',
        sink: 'The route {sink} is registered on this app.',
      },
    },
    fr: {
      title: 'Route Express sans authentification dans un serveur CAP',
      message: '{route} est déclarée en dehors de l’authentification de CAP, et aucun middleware n’authentifie ses appelants.',
      why: 'Un attaquant non authentifié peut appeler la route, dont le code lit ou modifie des données avec les droits de l’application.',
      fix: 'Insérez ...cds.middlewares.before (de @sap/cds) avant le gestionnaire dans cet appel. Dans le gestionnaire, rejetez la requête (403) si cds.context.user.is("<rôle>") est faux : ces middlewares acceptent les requêtes sans jeton. Ou remplacez la route par une action ou une fonction d’un service.',
      variants: {
        harmless: {
          why: 'Un attaquant non authentifié peut appeler la route. Aucun accès aux données n’a été détecté dans son gestionnaire, mais une fonction appelée par celui-ci peut accéder à des données.',
        },
        environment: {
          title: 'Variables d’environnement exposées par une route sans authentification',
          message: '{route} renvoie l’environnement du processus, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié lit les identifiants de tous les services liés (VCAP_SERVICES) et les secrets des variables d’environnement, et les utilise directement.',
          fix: 'Supprimez la route. Si une valeur est nécessaire, n’envoyez que celle-ci, et déclarez passport.authenticate("JWT", { session: false }), avec la stratégie de @sap/xssec, avant la route.',
        },
        internals: {
          title: 'Données de diagnostic exposées par une route sans authentification',
          message:
            '{route} renvoie des métriques, des chemins ou des versions du processus, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié apprend les versions, les chemins de fichiers, les routes et la charge du serveur, ce qui aide à préparer une attaque.',
          fix: 'Servez cette route sur un port sans route publique, ou déclarez avant elle une authentification, par exemple passport.authenticate("JWT", { session: false }) avec la stratégie de @sap/xssec.',
        },
        token: {
          title: 'Jeton d’accès remis par une route sans authentification',
          message:
            '{route} répond avec un jeton d’accès que l’application obtient avec ses propres identifiants, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié obtient un jeton valide et appelle tous les services qui l’acceptent, avec les autorisations de l’application.',
          fix: 'Supprimez la route : c’est à l’approuter ou au client de connecter l’utilisateur. Si une page a besoin de données d’un autre système, appelez celui-ci dans une route placée derrière passport.authenticate("JWT", { session: false }).',
        },
        credentials: {
          title: 'Secrets d’utilisateurs renvoyés par une route sans authentification',
          message:
            '{route} renvoie des lignes entières, avec leurs éléments {elements:et}, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié lit des secrets d’utilisateurs et se connecte avec le compte de n’importe lequel d’entre eux.',
        },
        database: {
          title: 'Fichier de base de données remis par une route sans authentification',
          message: '{route} renvoie le fichier d’une base de données, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié télécharge d’un coup toutes les données de l’application, y compris celles que ses services protègent.',
          fix: 'Supprimez la route. Si une sauvegarde est nécessaire, écrivez-la à un endroit que seuls les opérateurs atteignent, ou déclarez avant la route passport.authenticate("JWT", { session: false }) et un contrôle du scope d’administration.',
        },
        backend: {
          title: 'Données d’un autre système remises par une route sans authentification',
          message:
            '{route} se connecte à un autre système avec les identifiants d’une destination et renvoie sa réponse, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié lit tout ce que l’utilisateur technique de la destination peut lire, par exemple des données métier ou des comptes d’utilisateurs.',
          fix: SERVER_FIX.fr,
        },
        forwards: {
          title: 'Route vers un autre système sans authentification',
          message: '{route} transmet des requêtes à un autre système, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié peut envoyer autant de requêtes qu’il veut au nom de l’application, épuiser son quota et obtenir les réponses.',
          fix: SERVER_FIX.fr,
        },
        counts: {
          title: 'Nombres de lignes renvoyés par une route sans authentification',
          message: '{route} renvoie des nombres de lignes, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié apprend combien de données l’application conserve, et peut lui faire lire toutes les lignes autant de fois qu’il veut.',
          fix: SERVER_FIX.fr,
        },
        bodiless: {
          message:
            '{route} est sans authentification. Son gestionnaire a besoin de champs de req.body, mais rien dans le projet n’analyse le corps des requêtes : chaque appel échoue aujourd’hui.',
          why: 'Dès qu’un analyseur comme express.json() sera enregistré, un attaquant non authentifié pourra appeler la route, dont le code lit ou modifie des données avec les droits de l’application.',
        },
        excepted: {
          title: 'Route de serveur sans authentification à côté de routes protégées',
          message:
            '{route} est sans authentification, alors que des routes du même routeur authentifient leurs appelants avant de modifier des données.',
          why: 'Un attaquant non authentifié lit ce que la route renvoie. C’est peut-être voulu, si tout est public.',
          fix: 'Ajoutez à cet appel le middleware des routes protégées, sauf si tout ce que la route renvoie est public ; dans ce cas, masquez ce constat en indiquant cette raison.',
        },
        catalogue: {
          title: 'Données de catalogue renvoyées par une route sans authentification',
          message: '{route} lit des données nommées comme un catalogue public, et aucun middleware n’authentifie ses appelants.',
          why: 'Un attaquant non authentifié peut les lire toutes. C’est peut-être voulu, si tout ce que contiennent les tables est public.',
          fix: 'Placez dans cet appel, devant le gestionnaire, un middleware qui authentifie l’appelant, sauf si tout ce que la route renvoie est public ; dans ce cas, masquez ce constat en indiquant cette raison.',
        },
        server: {
          title: 'Route de serveur sans authentification',
          message:
            '{route} est sans authentification : aucun middleware n’authentifie ses appelants, et son gestionnaire ne les contrôle pas.',
          fix: SERVER_FIX.fr,
        },
      },
      steps: {
        call: 'L’application est transmise à {name}.',
        return: '{name} renvoie l’application.',
        'store-module': 'Le module exporte le routeur ou l’application.',
        load: 'Le routeur ou l’application est utilisé ici.',
        sink: 'La route {sink} est enregistrée dans cette application.',
      },
    },
  }),
})

const UNPARSED = { impact: 'bounded', evidence: 'assumed' } as const

/** What a route tells or does, with texts of its own. */
const TOLD: ReadonlySet<string> = new Set(['environment', 'internals', 'forwards', 'backend', 'token', 'database', 'counts'])
/** What is wrong with such a route is not only that nobody is asked. */
const UNLIKE: ReadonlySet<string> = new Set(['environment', 'internals', 'token', 'database', 'credentials'])
const PROVEN: ReadonlySet<string> = new Set(['changes', 'backend', 'environment', 'internals', 'token', 'database'])

/** It is for nobody without a login, even where the project gives the server no address: what others read of its rows, or send to be kept, may be meant for them. */
function isForNobody({ detail, api: { method, route } }: FlowHit): boolean {
  if (detail !== 'changes') return PROVEN.has(detail ?? '') && detail !== 'internals'
  return method !== 'POST' || !OF_VISITORS.test(route?.address ?? '')
}

/** What visitors of a site send to it, and other systems that have no login. */
const OF_VISITORS =
  /contact|message|feedback|comment|review|rating|vote|rsvp|subscri|newsletter|survey|inquir|enquir|sign-?up|regist|apply|applicat|appointment|reserv|donat|score|shorten|hook|callback|track|logs?\b|telemetry|analytics|checkout|order|book|chat/i

/** What only the application may read or change goes through the route; what a CAP server reads for everybody may be public, and what callers get of their own files is theirs. */
function isProven({ detail, origin, api }: FlowHit): boolean {
  if (api.effects.has('upload') && detail === 'changes') return false
  if (api.effects.has('excepted') && detail === 'backend') return false
  return PROVEN.has(detail ?? '') || (detail === 'reads' && origin === 'open-server')
}

/** It reads or changes rows of files of the project alone, or those of a CAP server that has no others. */
function isOfSamples({ at, detail, origin, api: { method, answeredBy = [] } }: FlowHit, reach: ReachModel): boolean {
  if (TOLD.has(detail ?? '')) return false
  return origin === 'open-server' ? reach.isOfSamples({ at, method, answeredBy }) : reach.holdsDemoRows(at.file)
}

/**
 * Routes that lack authentication by one cause are one fault: the methods of a controller, those that one function answers by asking another system for their path, and
 * those of one kind that a file registers where nothing that it registers asks who calls.
 */
function causeOf({ at, detail, api }: FlowHit, { variant = '' }: Match): string | undefined {
  if (api.effects.has('decorated')) return `controller ${at.file}`
  const places = (api.answeredBy ?? []).map(({ file, span }) => `${file} ${span?.start ?? ''}`)
  if (detail === 'backend' && places.length > 0) return `${at.file} ${places.join(' ')}`
  return api.route?.isBesideAsking === false && !UNLIKE.has(variant) ? `${at.file} ${variant}` : undefined
}

function routeWords({ method, address, others }: OpenRoute): string {
  const isAny = method === 'ANY'
  if (address === '<path>' && isAny) return inEachLanguage({ en: 'This route', fr: 'Cette route' })
  if (address === '<path>') return inEachLanguage({ en: `This ${method} route`, fr: `Cette route ${method}` })
  if (isAny) return inEachLanguage({ en: `The route ${address} (any method)`, fr: `La route ${address} (toute méthode)` })
  if (others === 0) return inEachLanguage({ en: `The route ${method} ${address}`, fr: `La route ${method} ${address}` })
  return inEachLanguage({
    en: `The route ${method} ${address} (like ${others} more of its router)`,
    fr: `La route ${method} ${address} (comme ${others} de plus de son routeur)`,
  })
}
