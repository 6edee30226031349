import type { Approuter, Route } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { anchorSource } from './_anchored-source.ts'

/** A public route whose source matches anywhere in the URL, its query included, and so URLs of other routes.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js tests the source on the whole URL.
 *  Impact: nothing by itself, a route that asks for more must come later. */
export const routeSourceUnanchored: Rule = defineRule({
  id: 'approuter/route-source-unanchored',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [777],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  yieldsTo: ['approuter/route-shadowing'],
  on: 'approuter',

  *check(approuter) {
    if (approuter.authenticationMethod === 'none') return
    for (const route of approuter.routes) {
      const { target, purpose, source } = route
      if (route.authenticates || (purpose !== undefined && purpose !== 'page')) continue
      const url = foreignUrl(approuter, route)
      if (url === undefined) continue
      yield {
        at: route.sourcePlace,
        args: { source, url, anchored: anchorSource(source) },
        groupKey: `${source} ${target.kind} ${target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unanchored source of a public route',
      message: '"source" is "{source}", without ^ at its start, so this unauthenticated route also matches {url}.',
      why: 'An attacker can add a matching string to any URL, for example in the query string, and so reach any path of this route’s target even if a later route requires authentication for that path.',
      fix: 'Anchor the "source" of the route in xs-app.json: "{anchored}".',
    },
    fr: {
      title: 'Source non ancrée d’une route publique',
      message: '"source" vaut "{source}", sans ^ au début : cette route sans authentification correspond donc aussi à {url}.',
      why: 'Un attaquant peut ajouter à n’importe quelle URL, par exemple dans la chaîne de requête, un texte qui correspond à cette source, et atteindre ainsi tout chemin de la cible de cette route, même si une route suivante exige une authentification pour ce chemin.',
      fix: 'Ancrez la "source" de la route dans xs-app.json : "{anchored}".',
    },
  }),
})

/** A URL that the source takes, and would not take with a ^ at its start; a plain one if there is any. */
function foreignUrl({ languages }: Approuter, { source, matchCase }: Route): string | undefined {
  const [whole, anchored] = [languages.read(source, matchCase), languages.read(source, matchCase, 'start')]
  if (whole === undefined || anchored === undefined) return undefined
  for (const pattern of ['^/[a-z]', '^/.']) {
    const among = languages.read(pattern, true)
    const url = among && languages.findCommonUrl(whole, among, [anchored])
    if (url !== undefined) return url
  }
  return undefined
}
