import { placeOf, type Route } from '../../model/approuter/index.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A scope of the application itself, and its name there. */
const OWN_SCOPE = /^\$XSAPPNAME\.([\w.-]{1,200})$/

/** A scope object that protects some methods that change data and leaves the others to users who may only read.
 *  Facts: @sap/approuter 23.0.0 README, "scope": a method that is not listed needs the default; without one it is refused;
 *  lib/middleware/authorization-handler.js: of a list, one scope is enough.
 *  Impact: users who may only read change data; a scope that does not exist rejects everyone, or is a dead alternative. */
export const scopeObjectGap: Rule = defineRule({
  id: 'approuter/scope-object-gap',
  impact: 'data',
  reach: 'user',
  // whether the backend checks the scope by itself is not in the project
  evidence: 'assumed',
  grades: { unknown: { impact: 'hygiene' }, alternative: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, project) {
    const declared = declaredScopes(project.files.values())
    for (const route of approuter.routes) {
      const { scopes, source } = route
      const node = at(route.node, 'scope')
      if (scopes === undefined || node === undefined || !route.authenticates) continue
      const gap = findGap(route)
      const place = placeOf(approuter.file, at(node, 'default') ?? node)
      // static files are read, whatever the method
      if (gap !== undefined && route.target?.kind !== 'html5-repo') {
        yield { at: place, args: { source, ...gap }, groupKey: `${source} ${gap.scopes} ${gap.fallback}` }
        continue
      }
      const isUnknown = (scope: string): boolean => {
        const name = OWN_SCOPE.exec(scope)?.[1]
        return name !== undefined && declared?.has(name) === false
      }
      const lists = [...scopes.values()]
      const unknown = lists.find((list) => list.length > 0 && list.every(isUnknown))?.[0]
      const scope = unknown ?? lists.flat().find(isUnknown)
      if (scope === undefined) continue
      const variant = unknown === undefined ? 'alternative' : 'unknown'
      yield {
        at: placeOf(approuter.file, node),
        args: { source, scopes: scope },
        variant,
        groupKey: `${variant} ${scope}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Weaker scope for some methods of a route',
      message:
        'Route "{source}" requires {scopes:or} for {listed:and}, but only {fallback:or}, the scope of "default", for {open:and}.',
      why: 'A user with {fallback:or} can change or delete data with {open:or}, without the scope for {listed:and}.',
      fix: 'Require {scopes} for {open:and}, too: add an entry for each method to "scope" of the route. Alternatively, set "default" to the same value, and add entries for the methods that need another scope.',
      variants: {
        unknown: {
          title: 'Undeclared scope on a route',
          message: 'Route "{source}" names the scope {scopes}, which no xs-security.json of the project declares.',
          why: 'No user can have this scope, so requests that depend on it get status 403. If the scope is removed to make them work, the route may be open to every authenticated user.',
          fix: 'Declare {scopes} in "scopes" of xs-security.json, or correct its name in the route.',
        },
        alternative: {
          title: 'Undeclared scope among the scopes of a route',
          message:
            'Route "{source}" accepts, among others, the scope {scopes}, but no xs-security.json of the project declares it.',
          why: 'No user can have this scope: those who should have it get status 403, unless another, possibly broader scope is assigned to them.',
          fix: 'Remove {scopes} from the route, correct its name there, or declare it in "scopes" of xs-security.json.',
        },
      },
    },
    fr: {
      title: 'Scope plus faible pour certaines méthodes d’une route',
      message:
        'La route "{source}" exige {scopes:ou} pour {listed:et}, mais seulement {fallback:ou}, le scope de "default", pour {open:et}.',
      why: 'Un utilisateur doté du scope {fallback:ou} peut modifier ou supprimer des données avec {open:ou}, sans le scope exigé pour {listed:et}.',
      fix: 'Exigez aussi {scopes} pour {open:et} : ajoutez à "scope" de la route une entrée par méthode. Vous pouvez aussi donner à "default" la même valeur et ajouter des entrées pour les méthodes qui demandent un autre scope.',
      variants: {
        unknown: {
          title: 'Scope non déclaré sur une route',
          message: 'La route "{source}" mentionne le scope {scopes}, qu’aucun xs-security.json du projet ne déclare.',
          why: 'Aucun utilisateur ne peut avoir ce scope : les requêtes qui en dépendent reçoivent le statut 403. Si le scope est supprimé pour les faire aboutir, la route peut devenir accessible à tout utilisateur authentifié.',
          fix: 'Déclarez {scopes} dans "scopes" de xs-security.json, ou corrigez son nom dans la route.',
        },
        alternative: {
          title: 'Scope non déclaré parmi les scopes d’une route',
          message:
            'La route "{source}" accepte, parmi d’autres, le scope {scopes}, qu’aucun xs-security.json du projet ne déclare.',
          why: 'Aucun utilisateur ne peut avoir ce scope : ceux qui devraient l’avoir reçoivent le statut 403, sauf si un autre scope, peut-être plus large, leur est attribué.',
          fix: 'Supprimez {scopes} de la route, corrigez-y son nom, ou déclarez-le dans "scopes" de xs-security.json.',
        },
      },
    },
  }),
})

/** Scopes that every user has, or whose names say so. */
const EVERYBODY = /^(?:uaa\.user|openid)$|(?:^|[._])(?:any|guest|public|everyone|everybody)(?:[._]|$)/i

/** A method that changes data needs scopes that the default doesn't ask for, while others have nothing but the default. */
function findGap({ scopes, writeMethods }: Route): Record<'scopes' | 'listed' | 'open' | 'fallback', string> | undefined {
  const fallback = scopes?.get('default')
  if (scopes === undefined || fallback === undefined || fallback.length === 0) return undefined
  const everybody = fallback.some((scope) => EVERYBODY.test(scope))
  // where everybody has the default, a method for reading that needs more tells that the others are open
  const guarded = everybody ? [...scopes.keys()].filter((method) => method !== 'default') : writeMethods
  const listed = guarded.filter((method) => scopes.get(method)?.every((scope) => !fallback.includes(scope)) === true)
  const open = writeMethods.filter((method) => !scopes.has(method))
  const [first] = listed
  if (first === undefined || open.length === 0 || !isForReading(scopes, fallback)) return undefined
  const asked = scopes.get(first)?.join(', ') ?? ''
  return { scopes: asked, listed: listed.join(', '), open: open.join(', '), fallback: fallback.join(', ') }
}

/** The default is what reading needs, or its name says that every user has it. */
function isForReading(scopes: ReadonlyMap<string, readonly string[]>, fallback: readonly string[]): boolean {
  const reading = scopes.get('GET')
  return reading?.join() === fallback.join() || fallback.some((scope) => /view|read|display|guest|any|public|user$/i.test(scope))
}

/** Names of all scopes that a security descriptor declares; undefined where the project has none. */
function declaredScopes(files: Iterable<ProjectFile>): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let known = false
  for (const { kind, content } of files) {
    if (content.as !== 'data' || (kind.role !== 'xs-security' && kind.role !== 'mta')) continue
    const descriptors =
      kind.role === 'mta'
        ? itemsOf(at(content.roots[0], 'resources')).map((node) => at(node, 'parameters', 'config'))
        : content.roots
    for (const scope of descriptors.flatMap((descriptor) => itemsOf(at(descriptor, 'scopes')))) {
      known = true
      names.add((stringOf(at(scope, 'name')) ?? '').replace(/^\$XSAPPNAME\./, ''))
    }
  }
  return known ? names : undefined
}
