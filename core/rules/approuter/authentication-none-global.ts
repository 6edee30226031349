import { checkedServers } from './_checked-servers.ts'
import { storedDestinations } from './_stored-destinations.ts'
import { placeOf, type Approuter, type Route } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import type { GradeFacts, Place } from '../../types.ts'
import { leadsToFiles, publicBackend, usageOf } from './_settings.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Authentication disabled for all routes of a descriptor, whatever the routes say, and the CSRF check with it.
 *  Facts: @sap/approuter 23.0.0 README, "authenticationMethod"; the approuter warns that scopes are ignored then.
 *  Impact: a caller without a login reads and changes what the backend holds; static files are only worth knowing. */
export const authenticationNoneGlobal: Rule = defineRule({
  id: 'approuter/authentication-none-global',
  impact: 'data',
  reach: 'anyone',
  grades: { static: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#authenticationmethod-property',
  extracts: [checkedServers, storedDestinations],
  on: 'approuter',

  *check(approuter, project) {
    if (approuter.authenticationMethod !== 'none') return
    const node = at(approuter.root, 'authenticationMethod')
    const backends = approuter.routes.filter((route) => leadsToBackend(route, project.deployment))
    // the one that gives most stands for all
    const weights = new Map(backends.map((route) => [route, weightOf(publicBackend(route, project))]))
    const [backend] = [...backends].sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0))
    const own = backends.flatMap((route) => ownPlaces(approuter, route))
    // generators write the same descriptor into every app of a project
    const groupKey = approuter.routes.map(({ source, target }) => `${source} ${target.name}`).join('\n')
    const args = { source: backend?.source ?? '', target: backend?.target.name ?? '' }
    const place = placeOf(approuter.file, node ?? approuter.root)
    if (backend === undefined) {
      yield { at: place, args, ...usageOf(approuter), variant: 'static', groupKey }
      return
    }
    const variant = own.length > 0 ? { variant: 'routes' } : {}
    yield { at: place, args, ...publicBackend(backend, project), ...usageOf(approuter), ...variant, groupKey }
    // occurrences: the descriptor, which weighs more, is the place of the finding
    const others = own.length > 0 ? own : backends.map((route) => placeOf(approuter.file, at(route.node, 'source') ?? route.node))
    for (const other of others) yield { at: other, args, impact: 'hygiene', ...variant, groupKey }
  },

  text: () => ({
    en: {
      title: 'Authentication disabled for all approuter routes',
      message:
        '"authenticationMethod": "none" makes every route public, whatever its "authenticationType", and disables the CSRF check. Route "{source}" points to the backend {target}.',
      why: 'Anyone who can reach the approuter can send requests to the backend {target} without authentication; the approuter adds the credentials stored for it, if any.',
      fix: 'Remove "authenticationMethod": "none" from xs-app.json (default: "route"). Set "authenticationType": "none" only on the routes that must be public.',
      variants: {
        routes: {
          message:
            '"authenticationMethod": "none" makes every route public and disables the CSRF check. At least one route to a backend also sets "authenticationType": "none" or "csrfProtection": false.',
          fix: 'Remove "authenticationMethod": "none" from xs-app.json. Then remove "authenticationType": "none" and "csrfProtection": false from the routes listed as further locations, except those that must be public.',
        },
        static: {
          message:
            '"authenticationMethod": "none" makes every route public. The routes of this xs-app.json lead only to static files or public demo data.',
          why: 'Every route to a backend that is added to this xs-app.json later is public, too.',
        },
      },
    },
    fr: {
      title: 'Authentification désactivée pour toutes les routes de l’approuter',
      message:
        '"authenticationMethod": "none" rend toutes les routes publiques, quel que soit leur "authenticationType", et désactive le contrôle CSRF. La route "{source}" mène au backend {target}.',
      why: 'Toute personne qui peut accéder à l’approuter peut envoyer des requêtes au backend {target} sans authentification ; l’approuter y joint les identifiants enregistrés pour ce backend, s’il y en a.',
      fix: 'Supprimez "authenticationMethod": "none" de xs-app.json (valeur par défaut : "route"). N’utilisez "authenticationType": "none" que sur les routes qui doivent être publiques.',
      variants: {
        routes: {
          message:
            '"authenticationMethod": "none" rend toutes les routes publiques et désactive le contrôle CSRF. Au moins une route vers un backend définit aussi "authenticationType": "none" ou "csrfProtection": false.',
          fix: 'Supprimez "authenticationMethod": "none" de xs-app.json. Supprimez ensuite "authenticationType": "none" et "csrfProtection": false des routes indiquées comme autres emplacements, sauf si elles doivent être publiques.',
        },
        static: {
          message:
            '"authenticationMethod": "none" rend toutes les routes publiques. Celles de ce xs-app.json ne mènent qu’à des fichiers statiques ou à des données de démonstration publiques.',
          why: 'Si une route vers un backend est ajoutée plus tard à ce xs-app.json, elle sera publique, elle aussi.',
        },
      },
    },
  }),
})

/** Settings of a route that keep it public, or without CSRF protection, once the descriptor requires authentication. */
function ownPlaces(
  { file }: Approuter,
  { authenticationType, authenticationPlace, csrfProtection, writeMethods, node }: Route,
): Place[] {
  if (authenticationType === 'none') return [authenticationPlace]
  const setting = at(node, 'csrfProtection')
  return csrfProtection || setting === undefined || writeMethods.length === 0 ? [] : [placeOf(file, setting)]
}

/** 0: the attack is shown · 1: a link of it is not in the project · 2: it gives little · 3: another defence must fail first. */
function weightOf({ impact, evidence }: GradeFacts): number {
  if (impact === 'defence') return 3
  if (impact === 'bounded') return 2
  return evidence === undefined ? 0 : 1
}

function leadsToBackend({ target, purpose }: Route, deployment: Project['deployment']): boolean {
  if (leadsToFiles(target, deployment)) return false
  return (target.kind === 'destination' || target.kind === 'service') && (purpose === undefined || purpose === 'management')
}
