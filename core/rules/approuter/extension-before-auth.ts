import { isCatchAll, isSet, type Approuter, type Route } from '../../model/approuter/index.ts'
import { folderOf, isBelow, joinPath } from '../../paths.ts'
import type { Localized } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { earlyHandlers, EXTENSION_KEYWORDS, lateHandlers } from './_extension-handlers.ts'

const ALL: Localized<string> = {
  en: 'Unauthenticated attackers reach this handler with any URL: whatever it returns or forwards is public.',
  fr: 'Un attaquant non authentifié atteint ce gestionnaire par n’importe quelle URL : tout ce qu’il renvoie ou transmet est public.',
}

/** Handlers that a start script inserts where the approuter does not authenticate the requests that they answer: before its checks, or behind them
 *  with a path that no route has.
 *  Facts: @sap/approuter 23.0.0, doc/extending.md: in the slot "first" no security check has been made yet; @sap/approuter 20.10.0,
 *  lib/middleware/login-provider.js: a request without a route needs no login, unless REQUIRE_AUTH_FOR_UNKNOWN_ROUTES is true;
 *  lib/configuration/app-config.js: a catch-all route for the folder "resources" is added where no route has a "localDir".
 *  Impact: a caller without a login gets an answer, and what it holds is not known; a handler that reads the user of the session gives nothing by itself,
 *  it fails without one. Credentials of the environment that it answers open what they belong to. */
export const extensionBeforeAuth: Rule = defineRule({
  id: 'approuter/extension-before-auth',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#extending-application-router',
  keywords: EXTENSION_KEYWORDS,
  extracts: [lateHandlers],

  checks: {
    *script({ path: file, content: { facts } }) {
      for (const { slot, path, readsUser, tellsSecrets, start, end } of earlyHandlers(facts))
        yield {
          at: { file, span: { start, end } },
          args: { path, slot, later: slot.replace('first', 'beforeRequestHandler'), routes: '' },
          ...(path === '/' && { variant: 'all' }),
          ...(readsUser && { impact: 'defence' }),
          ...(tellsSecrets && { impact: 'takeover' }),
        }
    },

    *approuter(approuter, { approuters, files, scripts, step }) {
      if (approuter.kind !== 'standalone' || !approuter.deployed || approuter.authenticationMethod === 'none') return
      let rest: boolean | undefined
      for (const { file, value } of scripts.get(lateHandlers)) {
        step(approuters.length)
        if (nearestTo(file, approuters) !== approuter) continue
        rest ??= authenticatesRest(approuter, files)
        const { slot, path, readsUser, tellsSecrets, start, end } = value
        if (authenticates(approuter, path, rest)) continue
        yield {
          at: { file, span: { start, end } },
          args: { path, slot, later: slot, routes: approuter.file },
          variant: path === '/' ? 'routeAll' : 'route',
          ...(readsUser && { impact: 'defence' }),
          ...(tellsSecrets && { impact: 'takeover' }),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Missing authentication in an approuter extension',
      message: 'The handler for {path} is inserted into "{slot}", before authentication, scope checks and the CSRF check.',
      why: 'Unauthenticated attackers can call {path}: whatever the handler returns or forwards is public.',
      fix: 'Insert the handler into "{later}", and add as the first route in xs-app.json: "source": { "path": "^{path}", "matchCase": false }, "authenticationType": "xsuaa" (or "ias") and an existing "destination" (a route needs a target).',
      variants: {
        all: {
          message:
            'A handler for all requests is inserted into "{slot}", before authentication, scope checks and the CSRF check.',
          why: ALL.en,
          fix: 'Insert the handler into "{later}" with the path that it serves, and add as the first route in xs-app.json: "source" for this path with "matchCase": false, "authenticationType": "xsuaa" (or "ias") and an existing "destination" (a route needs a target).',
        },
        routeAll: {
          message:
            'A handler for all requests is inserted into "{slot}", but not all URLs have a route in {routes} that requires authentication.',
          why: ALL.en,
          fix: 'Insert the handler with the path that it serves, and add as the first route in {routes}: "source" for this path with "matchCase": false, "authenticationType": "xsuaa" (or "ias") and an existing "destination" (a route needs a target).',
        },
        route: {
          message:
            'The handler for {path} is inserted into "{slot}", but no route in {routes} matches {path} and requires authentication.',
          fix: 'Add as the first route in {routes}: "source": { "path": "^{path}", "matchCase": false }, "authenticationType": "xsuaa" (or "ias") and an existing "destination" (a route needs a target).',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification dans une extension de l’approuter',
      message:
        'Le gestionnaire de {path} est inséré dans "{slot}", avant l’authentification, le contrôle des scopes et le contrôle CSRF.',
      why: 'Un attaquant non authentifié peut appeler {path} : tout ce que le gestionnaire renvoie ou transmet est public.',
      fix: 'Insérez le gestionnaire dans "{later}", et ajoutez en tête des routes de xs-app.json une route avec "source": { "path": "^{path}", "matchCase": false }, "authenticationType": "xsuaa" (ou "ias") et une "destination" existante (une route exige une cible).',
      variants: {
        all: {
          message:
            'Un gestionnaire pour toutes les requêtes est inséré dans "{slot}", avant l’authentification, le contrôle des scopes et le contrôle CSRF.',
          why: ALL.fr,
          fix: 'Insérez le gestionnaire dans "{later}" avec le chemin qu’il sert, et ajoutez en tête des routes de xs-app.json une route avec une "source" pour ce chemin ("matchCase": false), "authenticationType": "xsuaa" (ou "ias") et une "destination" existante (une route exige une cible).',
        },
        routeAll: {
          message:
            'Un gestionnaire pour toutes les requêtes est inséré dans "{slot}", mais {routes} ne contient, pour certaines URL, aucune route qui exige une authentification.',
          why: ALL.fr,
          fix: 'Insérez le gestionnaire avec le chemin qu’il sert, et ajoutez en tête des routes de {routes} une route avec une "source" pour ce chemin ("matchCase": false), "authenticationType": "xsuaa" (ou "ias") et une "destination" existante (une route exige une cible).',
        },
        route: {
          message:
            'Le gestionnaire de {path} est inséré dans "{slot}", mais aucune route de {routes} qui exige une authentification ne correspond à {path}.',
          fix: 'Ajoutez en tête des routes de {routes} une route avec "source": { "path": "^{path}", "matchCase": false }, "authenticationType": "xsuaa" (ou "ias") et une "destination" existante (une route exige une cible).',
        },
      },
    },
  }),
})

/** The approuter in whose folder a script lies, the innermost one. */
function nearestTo(script: string, approuters: readonly Approuter[]): Approuter | undefined {
  let nearest: Approuter | undefined
  for (const approuter of approuters) {
    const folder = folderOf(approuter.file)
    if (!isBelow(script, folder)) continue
    if (nearest === undefined || folder.length > folderOf(nearest.file).length) nearest = approuter
  }
  return nearest
}

/** Requests without a route of the descriptor need a login: by a setting, or by the route that is added for the folder of static files. */
function authenticatesRest({ environment, file, routes }: Approuter, files: ReadonlyMap<string, unknown>): boolean {
  if (environment.settings('REQUIRE_AUTH_FOR_UNKNOWN_ROUTES').some((setting) => isSet(setting, true))) return true
  if (routes.some(({ target }) => target.kind === 'local-dir')) return false
  const resources = joinPath(folderOf(file), 'resources/')
  for (const name of files.keys()) if (name.startsWith(resources)) return true
  return false
}

/** The path itself or a URL below it has a route that requires a login, or one of its own that says it is public. */
function authenticates(approuter: Approuter, path: string, rest: boolean): boolean {
  return [path, `${path.replace(/\/$/, '')}/x`].some((url) => {
    const route = routeOf(approuter, url)
    if (route === undefined) return rest
    return route === 'undecided' || route.authenticates || !isCatchAll(approuter, route)
  })
}

/** The first route that takes a URL. */
function routeOf({ languages, routes }: Approuter, url: string): Route | 'undecided' | undefined {
  const wanted = languages.read(`^${url.replaceAll(/[^\w/-]/g, '\\$&')}$`, true)
  for (const route of routes) {
    const language = languages.read(route.source, route.matchCase)
    const takes = wanted && language && languages.isWithin(wanted, language)
    if (takes !== false) return takes === true ? route : 'undecided'
  }
  return undefined
}
