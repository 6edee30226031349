import { placeOf, type Route } from '../../model/approuter/index.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A scope of the application itself, and its name there. */
const OWN_SCOPE = /^\$XSAPPNAME\.([\w.-]{1,200})$/

/** A scope object that protects one way of changing data and leaves the others to whoever may read.
 *  Facts: @sap/approuter 23.0.0 README, "scope": a method that is not listed needs the default; without one it is refused. */
export const scopeObjectGap: Rule = defineRule({
  id: 'approuter/scope-object-gap',
  severity: 'MEDIUM',
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
      if (gap !== undefined) {
        yield { at: place, args: { source, ...gap }, sameAs: `${source} ${gap.scopes} ${gap.fallback}` }
        continue
      }
      const unknown = [...scopes.values()].flat().find((scope) => {
        const name = OWN_SCOPE.exec(scope)?.[1]
        return name !== undefined && declared?.has(name) === false
      })
      if (unknown !== undefined)
        yield {
          at: placeOf(approuter.file, node),
          args: { source, scopes: unknown },
          severity: 'INFO',
          variant: 'unknown',
          sameAs: unknown,
        }
    }
  },

  text: {
    en: {
      title: 'Some ways of changing data need less than others',
      message: 'Route {source} asks for {scopes} for {listed}, but {open} fall to "default": {fallback}.',
      why: 'A user who may only read changes or deletes data with {open}.',
      fix: 'Name {open} too, or make the strictest scope the "default".',
      variants: {
        unknown: {
          title: 'A scope that nobody can have',
          message: 'Route {source} asks for {scopes}, and no xs-security.json of the project declares it.',
          why: 'Every user is refused here, and the quick way out is to remove the scope.',
          fix: 'Declare the scope in xs-security.json, or correct its name: "$XSAPPNAME.<scope>".',
        },
      },
    },
    fr: {
      title: 'Certaines façons de modifier des données exigent moins que d’autres',
      message: 'La route {source} exige {scopes} pour {listed}, mais {open} tombent sous « default » : {fallback}.',
      why: 'Un utilisateur qui ne peut que lire modifie ou supprime des données avec {open}.',
      fix: 'Indiquez aussi {open}, ou faites du scope le plus strict la valeur « default ».',
      variants: {
        unknown: {
          title: 'Un scope que personne ne peut avoir',
          message: 'La route {source} exige {scopes}, et aucun xs-security.json du projet ne le déclare.',
          why: 'Chaque utilisateur est refusé ici, et la solution de facilité est de supprimer le scope.',
          fix: 'Déclarez le scope dans xs-security.json, ou corrigez son nom : « "$XSAPPNAME.<scope>" ».',
        },
      },
    },
  },
})

/** Scopes that every user has, or that are called so. */
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

/** The default is what reading needs, or is called like something that everybody has. */
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
