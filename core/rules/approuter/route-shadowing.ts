import { isCatchAll, scopesFor, type Route } from '../../model/approuter/index.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An earlier route that asks for less and takes URLs that a later one is meant for, on the way to the same backend. Both sources are read as automata, so the
 *  URL in the message is a proof; a narrow exception before a general route is no finding, since all that it takes it is meant for.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js: routes are tried in order, each on the URL with its query. */
export const routeShadowing: Rule = defineRule({
  id: 'approuter/route-shadowing',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    const told = new Set<Route>()
    for (const { lax, strict, method, url, missing, extent } of approuter.shadows) {
      // a route without a login that takes everything is a finding of its own
      if (told.has(lax) || (missing === 'login' && isCatchAll(approuter, lax))) continue
      told.add(lax)
      const scopes = scopesFor(strict, method)?.join(', ') ?? ''
      yield {
        at: lax.sourcePlace,
        args: { source: lax.source, strict: strict.source, method, url, target: lax.target.name, scopes },
        severity: gradeDescriptor(approuter, 'HIGH'),
        ...(missing === 'scope' && { variant: 'scope' }),
        // where a part alone is passed by, that may be meant
        ...(extent === 'part' && { confidence: 'medium' }),
        sameAs: `${lax.source} ${strict.source} ${lax.target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'A stricter route is never asked',
      message:
        '{method} {url} is taken by route {source}, which asks for no login, and not by {strict}, which does. Both lead to {target}.',
      why: 'Who writes the URL so that the first route takes it reaches {target} past the check of the second one.',
      fix: 'Give {source} a ^ at its start and a narrower path, or move {strict} before it.',
      variants: {
        scope: {
          message:
            '{method} {url} is taken by route {source}, which asks for no scope, and not by {strict}, which asks for {scopes}. Both lead to {target}.',
          why: 'Every user who is logged in reaches {target} past the scope that the second route asks for.',
        },
      },
    },
    fr: {
      title: 'Une route plus stricte n’est jamais consultée',
      message:
        '{method} {url} est pris par la route {source}, qui ne demande aucune connexion, et non par {strict}, qui en demande une. Les deux mènent à {target}.',
      why: 'Qui écrit l’URL de sorte que la première route la prenne atteint {target} en évitant le contrôle de la seconde.',
      fix: 'Donnez à {source} un ^ au début et un chemin plus étroit, ou placez {strict} avant elle.',
      variants: {
        scope: {
          message:
            '{method} {url} est pris par la route {source}, qui ne demande aucun scope, et non par {strict}, qui demande {scopes}. Les deux mènent à {target}.',
          why: 'Tout utilisateur connecté atteint {target} sans le scope que demande la seconde route.',
        },
      },
    },
  },
})
