import type { Approuter, Route } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A public route whose source is looked for anywhere in the URL, its query included, so that it takes URLs which are none of its own.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js tests the source on the whole URL. Where a stricter route is passed by,
 *  approuter/route-shadowing says so. */
export const routeSourceUnanchored: Rule = defineRule({
  id: 'approuter/route-source-unanchored',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [777],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    const shadowing = new Set(approuter.shadows.map(({ lax }) => lax))
    if (approuter.authenticationMethod === 'none') return
    for (const route of approuter.routes) {
      const { target, purpose, source } = route
      if (route.authenticates || shadowing.has(route) || (purpose !== undefined && purpose !== 'page')) continue
      const url = foreignUrl(approuter, route)
      if (url === undefined) continue
      const isBackend = target.kind === 'destination' || target.kind === 'service'
      yield {
        at: route.sourcePlace,
        args: { source, url },
        ...(!isBackend && { severity: 'LOW' }),
        sameAs: `${source} ${target.kind} ${target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'A public route takes URLs of others',
      message: 'Route {source} has no ^ at its start: it takes {url} too, without a login.',
      why: 'Whoever writes the source somewhere into a URL gets past the routes behind this one.',
      fix: 'Begin the source with ^: "^{source}".',
    },
    fr: {
      title: 'Une route publique prend les URL d’autres routes',
      message: 'La route {source} n’a pas de ^ au début : elle prend aussi {url}, sans connexion.',
      why: 'Qui écrit la source n’importe où dans une URL passe devant les routes placées après celle-ci.',
      fix: 'Commencez la source par ^ : « ^{source} ».',
    },
  },
})

/** A URL that the source takes, and would not take with a ^ at its start. */
function foreignUrl({ languages }: Approuter, { source, matchCase }: Route): string | undefined {
  const [whole, anchored] = [languages.read(source, matchCase), languages.read(source, matchCase, 'start')]
  const all = languages.read('^/.', true)
  if (whole === undefined || anchored === undefined || all === undefined) return undefined
  return languages.findCommonUrl(whole, all, [anchored])
}
