import { isCatchAll, scopesFor, type Route } from '../../model/approuter/index.ts'
import type { Localized, RuleText } from '../../types.ts'
import { gradeDescriptor, gradeWitness } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'
import { anchorSource } from './_anchored-source.ts'

/** A source that begins with a slash takes it anywhere in the URL. */
const ANCHOR: Localized<string> = {
  en: 'Move route "{strict}" before route "{source}" in xs-app.json, and anchor the "source" of the latter: "{anchored}".',
  fr: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json, et ancrez la "source" de cette dernière : "{anchored}".',
}
const SCOPE: Localized<Pick<RuleText, 'title' | 'message' | 'why'>> = {
  en: {
    title: 'Route shadowed by a less strict route',
    message:
      '{method} {url} matches route "{source}", which requires no scope, before route "{strict}", which requires {scopes:or}. Both point to {target}.',
    why: 'Any authenticated user can reach {target} through the earlier route, without the scope that the later route requires.',
  },
  fr: {
    title: 'Route masquée par une route moins stricte',
    message:
      '{method} {url} correspond à la route "{source}", qui n’exige aucun scope, avant la route "{strict}", qui exige {scopes:ou}. Les deux mènent au backend {target}.',
    why: 'Tout utilisateur authentifié peut atteindre {target} par la première route, sans le scope exigé par la seconde.',
  },
}

/** An earlier, less strict route that takes URLs of a later one to the same backend. Both sources are read as automata, so the
 *  URL in the message is a proof; a narrow exception before a general route is no finding, since it takes no URL but its own.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js: routes are tried in order, each on the URL with its query.
 *  Severity: an authorization check is bypassed with a plain URL, HIGH; LOW where only a URL with an empty segment or an encoded slash does it, which
 *  clients normalize. */
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
        args: {
          source: lax.source,
          strict: strict.source,
          method,
          url,
          target: lax.target.name,
          scopes,
          anchored: anchorSource(lax.source),
        },
        severity: gradeWitness(url, gradeDescriptor(approuter, 'HIGH')),
        ...withVariant(missing === 'scope', lax.source.startsWith('/')),
        // an exception for a part of the URLs may be on purpose
        ...(extent === 'part' && { confidence: 'medium' }),
        groupKey: `${lax.source} ${strict.source} ${lax.target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'Route shadowed by an unauthenticated route',
      message:
        '{method} {url} matches route "{source}", which requires no authentication, before route "{strict}", which does. Both point to {target}.',
      why: 'Unauthenticated attackers can choose a URL that the earlier route matches, and reach {target} without the authentication that the later route requires.',
      fix: 'Move route "{strict}" before route "{source}" in xs-app.json.',
      variants: {
        scope: SCOPE.en,
        unanchored: { fix: ANCHOR.en },
        scopeUnanchored: { ...SCOPE.en, fix: ANCHOR.en },
      },
    },
    fr: {
      title: 'Route masquée par une route sans authentification',
      message:
        '{method} {url} correspond à la route "{source}", qui n’exige aucune authentification, avant la route "{strict}", qui en exige une. Les deux mènent au backend {target}.',
      why: 'Un attaquant non authentifié peut choisir une URL à laquelle correspond la première route, et atteindre {target} sans l’authentification exigée par la seconde.',
      fix: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json.',
      variants: {
        scope: SCOPE.fr,
        unanchored: { fix: ANCHOR.fr },
        scopeUnanchored: { ...SCOPE.fr, fix: ANCHOR.fr },
      },
    },
  },
})

function withVariant(isScope: boolean, isUnanchored: boolean): { readonly variant?: string } {
  if (isUnanchored) return { variant: isScope ? 'scopeUnanchored' : 'unanchored' }
  return isScope ? { variant: 'scope' } : {}
}
