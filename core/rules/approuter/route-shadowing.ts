import { inEachLanguage } from '../../arguments.ts'
import { isCatchAll, scopesFor, type Route } from '../../model/approuter/index.ts'
import type { Locale, Localized, RuleText } from '../../types.ts'
import { doubtsOf } from './_settings.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { anchorSource } from './_anchored-source.ts'

/** Where letter case does not matter to the earlier route, it takes more than its source shows. */
const CASELESS: Localized<Pick<RuleText, 'message' | 'fix'>> = {
  en: {
    message:
      '{method} {url} matches route "{source}" ("matchCase": false), which requires no authentication, before route "{strict}", which requires it. Both point to the {target}.',
    fix: 'Move route "{strict}" before route "{source}" in xs-app.json, and set "matchCase": false in the "source" of both: otherwise, a URL in another letter case still matches only "{source}".',
  },
  fr: {
    message:
      'La requête {method} {url} est traitée par la route "{source}" ("matchCase": false), qui n’exige aucune authentification, et non par la route "{strict}", placée après, qui en exige une. Les deux mènent au {target}.',
    fix: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json, et définissez "matchCase": false dans la "source" des deux routes : sinon, une URL écrite dans une autre casse correspond toujours à la seule route "{source}".',
  },
}
/** A source that begins with a slash takes it anywhere in the URL. */
const ANCHOR: Localized<string> = {
  en: 'Move route "{strict}" before route "{source}" in xs-app.json, and anchor the "source" of the latter: "{anchored}".',
  fr: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json, et ancrez la "source" de cette dernière : "{anchored}".',
}
const CASELESS_ANCHOR: Localized<string> = {
  en: 'Move route "{strict}" before route "{source}" in xs-app.json, set "matchCase": false in the "source" of both, and anchor the "path" of route "{source}": "{anchored}".',
  fr: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json, définissez "matchCase": false dans la "source" des deux routes, et ancrez le "path" de la route "{source}" : "{anchored}".',
}
const SCOPE: Localized<Pick<RuleText, 'title' | 'message' | 'why'>> = {
  en: {
    title: 'Route shadowed by a less strict route',
    message:
      '{method} {url} matches route "{source}", which requires no scope, before route "{strict}", which requires {scopes:or}. Both point to the {target}.',
    why: 'Any authenticated user can reach the {target} through the earlier route, without the scope that the later route requires.',
  },
  fr: {
    title: 'Route masquée par une route moins stricte',
    message:
      'La requête {method} {url} est traitée par la route "{source}", qui n’exige aucun scope, et non par la route "{strict}", placée après, qui exige {scopes:ou}. Les deux mènent au {target}.',
    why: 'Tout utilisateur authentifié peut atteindre le {target} par la première route, sans le scope exigé par la seconde.',
  },
}

const CASELESS_SCOPE: Localized<string> = {
  en: '{method} {url} matches route "{source}" ("matchCase": false), which requires no scope, before route "{strict}", which requires {scopes:or}. Both point to the {target}.',
  fr: 'La requête {method} {url} est traitée par la route "{source}" ("matchCase": false), qui n’exige aucun scope, et non par la route "{strict}", placée après, qui exige {scopes:ou}. Les deux mènent au {target}.',
}

/** An earlier, less strict route that takes URLs of a later one to the same backend. Both sources are read as automata, so the
 *  URL in the message is a proof; a narrow exception before a general route is no finding, since it takes no URL but its own.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js: routes are tried in order, each on the URL with its query.
 *  Impact: callers without a login or scope reach the backend with a plain URL. One with an empty segment or an encoded slash is changed by clients and
 *  proxies on its way: that it arrives is a guess. Files of a folder disclose little. */
export const routeShadowing: Rule = defineRule({
  id: 'approuter/route-shadowing',
  impact: 'data',
  // what the backend holds at that URL is not in the project
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, { reach }) {
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
          target: nameOf(lax.target),
          scopes,
          anchored: anchorSource(lax.source),
        },
        exposure: reach.ofRoute(approuter, lax),
        ...(lax.target.kind !== 'destination' && lax.target.kind !== 'service' && { impact: 'bounded' }),
        ...doubtsOf(url),
        ...variantOfCases(
          missing === 'scope' && 'scope',
          lax.source.startsWith('/') && 'unanchored',
          !lax.matchCase && 'caseless',
        ),
        // an exception for a part of the URLs may be on purpose
        ...(extent === 'part' && { confidence: 'medium' }),
        groupKey: `${lax.source} ${strict.source} ${lax.target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Route shadowed by an unauthenticated route',
      message:
        '{method} {url} matches route "{source}", which requires no authentication, before route "{strict}", which requires it. Both point to the {target}.',
      why: 'Unauthenticated attackers can choose a URL that the earlier route matches, and reach the {target} without the authentication that the later route requires.',
      fix: 'Move route "{strict}" before route "{source}" in xs-app.json.',
      variants: variantsIn('en'),
    },
    fr: {
      title: 'Route masquée par une route sans authentification',
      message:
        'La requête {method} {url} est traitée par la route "{source}", qui n’exige aucune authentification, et non par la route "{strict}", placée après, qui en exige une. Les deux mènent au {target}.',
      why: 'Un attaquant non authentifié peut choisir une URL qui correspond à la première route, et atteindre le {target} sans l’authentification exigée par la seconde.',
      fix: 'Placez la route "{strict}" avant la route "{source}" dans xs-app.json.',
      variants: variantsIn('fr'),
    },
  }),
})

/** Routes lead to folders of files, too. */
function nameOf({ kind, name }: Route['target']): string {
  const isFolder = kind === 'local-dir'
  return inEachLanguage({ en: `${isFolder ? 'folder' : 'backend'} ${name}`, fr: `${isFolder ? 'dossier' : 'backend'} ${name}` })
}

function variantsIn(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const [scope, anchor] = [SCOPE[locale], { fix: ANCHOR[locale] }]
  const caseless = CASELESS[locale]
  const caselessScope = { ...scope, ...caseless, message: CASELESS_SCOPE[locale] }
  const caselessAnchor = { fix: CASELESS_ANCHOR[locale] }
  return {
    scope,
    unanchored: anchor,
    'scope-unanchored': { ...scope, ...anchor },
    caseless,
    'scope-caseless': caselessScope,
    'unanchored-caseless': { ...caseless, ...caselessAnchor },
    'scope-unanchored-caseless': { ...caselessScope, ...caselessAnchor },
  }
}
