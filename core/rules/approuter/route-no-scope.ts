import { isUnreachable, type Approuter } from '../../model/approuter/index.ts'
import { rootsBehind } from '../../model/authorization/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { usageOf } from './_settings.ts'
import { isReadAsStored, storedDestinations } from './_stored-destinations.ts'

const ADMINISTRATION = /[/^(|](?:admin|administration|manage|management|internal|maintenance)(?:[/\\(.$]|$)/i

/** A route to an administration path that every authenticated user may call. Where the backend is a CAP project of the same upload, it
 *  says itself who may call it, and its own rules judge that. And one by which every authenticated user sends all requests to a system with the account that is stored for it.
 *  Facts: @sap/approuter 23.0.0 README, "scope".
 *  Impact: users without a role for it reach functions for administrators; the name of the path alone says that it is one, and the backend decides. */
export const routeNoScope: Rule = defineRule({
  id: 'approuter/route-no-scope',
  impact: 'data',
  reach: 'user',
  evidence: 'guessed',
  grades: { stored: { evidence: 'shown' } },
  confidence: 'medium',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',
  extracts: [storedDestinations],

  *check(approuter, project) {
    yield* storedAccounts(approuter, project)
    if (project.capRoots.some(({ test }) => !test)) return
    for (const { source, target, authenticates, scopes, sourcePlace, purpose } of approuter.routes) {
      if (!authenticates || scopes !== undefined || purpose !== undefined || !ADMINISTRATION.test(source)) continue
      if (target.kind === 'destination' || target.kind === 'service')
        yield { at: sourcePlace, args: { source, target: target.name }, groupKey: `${source} ${target.name}` }
    }
  },

  text: () => ({
    en: {
      title: 'Missing scope on an administration route',
      message:
        'Route "{source}" forwards requests from any authenticated user to the backend {target}; its path suggests administrative functions, but the route sets no "scope".',
      why: 'Any authenticated user can call administrative functions of the backend {target}, unless it checks authorizations itself.',
      fix: 'Add "scope": "$XSAPPNAME.Admin" to the route in xs-app.json, declare this scope and a role template for it in xs-security.json, and assign the role to the administrators.',
      variants: {
        stored: {
          title: 'Missing scope on a route with a stored account',
          message:
            'Route "{source}" forwards all requests of any authenticated user to {target}; code of the project reads user and password of this destination, so the approuter adds them, too.',
          why: 'Any authenticated user reads and changes with this account what the backend {target} holds, past the checks of the service that was written for it.',
          fix: 'Remove the route to {target} from xs-app.json and let apps call the service of the project; or write the exact paths and "httpMethods": ["GET"], and set a "scope" that a role grants. With a destination that propagates the user, the backend can check who calls.',
        },
      },
    },
    fr: {
      title: 'Scope absent sur une route d’administration',
      message:
        'La route "{source}" transmet au backend {target} les requêtes de tout utilisateur authentifié ; son chemin évoque l’administration, mais cette route ne définit pas de "scope".',
      why: 'Tout utilisateur authentifié peut appeler des fonctions d’administration du backend {target}, sauf si celui-ci vérifie lui-même les autorisations.',
      fix: 'Ajoutez "scope": "$XSAPPNAME.Admin" à la route dans xs-app.json, déclarez ce scope et un modèle de rôle associé ("role-templates") dans xs-security.json, et attribuez le rôle aux administrateurs.',
      variants: {
        stored: {
          title: 'Scope absent sur une route avec un compte enregistré',
          message:
            'La route "{source}" transmet à {target} toutes les requêtes de tout utilisateur authentifié ; le code du projet lit l’utilisateur et le mot de passe de cette destination : l’approuter les ajoute donc aussi.',
          why: 'Tout utilisateur authentifié lit et modifie avec ce compte ce que contient le backend {target}, sans passer par les contrôles du service écrit pour lui.',
          fix: 'Supprimez de xs-app.json la route vers {target} et faites appeler le service du projet ; ou écrivez les chemins exacts et "httpMethods": ["GET"], et exigez un "scope" accordé par un rôle. Avec une destination qui propage l’utilisateur, le backend peut contrôler l’appelant.',
        },
      },
    },
  }),
})

/** Whatever path follows is handed on: `^/b1/(.*)$`. */
const ANY_PATH = /\.[*+]/

function* storedAccounts(approuter: Approuter, project: Project): Generator<Match> {
  const { deployment, capRoots } = project
  for (const route of approuter.routes) {
    const { source, rewrite, target, authenticates, scopes, sourcePlace, purpose, writeMethods } = route
    if (!authenticates || scopes !== undefined || purpose !== undefined || writeMethods.length === 0) continue
    if (target.kind !== 'destination' || !ANY_PATH.test(source) || rewrite?.includes('$') === false) continue
    // what a descriptor says of a destination, other rules judge
    if (deployment.destinations.some(({ name, isLocal }) => name === target.name && !isLocal)) continue
    if (!isReadAsStored(target.name, project) || rootsBehind(target.name, deployment, capRoots).length > 0) continue
    if (isUnreachable(approuter, route)) continue
    yield {
      at: sourcePlace,
      variant: 'stored',
      args: { source, target: target.name },
      ...usageOf(approuter),
      groupKey: `stored ${source} ${target.name}`,
    }
  }
}
