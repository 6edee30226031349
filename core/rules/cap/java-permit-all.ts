import type { JavaToken } from '../../parse/java-tokens.ts'
import { bodyBehind, closingOf, isWritten, javaSources } from './_java-sources.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A security filter chain of Spring that lets every request through, for all paths or for paths that are not public by nature.
 * Facts: capire, "Custom Spring Security configuration" (a chain of one's own takes its requests away from that of CAP; without a matcher, all of them);
 * Spring Security, HttpSecurity.securityMatcher (any request, where none is set).
 * Impact: unauthenticated callers reach what no role protects, which is not examined; what is opened by its path is meant to be public.
 */
export const javaPermitAll: Rule = defineRule({
  id: 'cap/java-permit-all',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { paths: { evidence: 'shown', circumstance: 'visible' } },
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/java/security#custom-spring-security-config',
  on: 'cap-root',

  *check(root) {
    if (root.test) return
    for (const { file, tokens } of javaSources(root, /SecurityFilterChain/)) {
      for (const { start, end, paths } of openChains(tokens)) {
        const at = { file, span: { start, end } }
        if (paths.length === 0 || paths.some((path) => ALL.test(path))) yield { at, args: { paths: '/**' } }
        else if (!paths.every((path) => PUBLIC_BY_NATURE.test(path)))
          yield { at, args: { paths: listNames(paths) }, variant: 'paths' }
      }
    }
  },

  text: {
    en: {
      title: 'Spring Security filter chain without authentication',
      message: 'This SecurityFilterChain allows every request to {paths:and} without authentication: anyRequest().permitAll().',
      why: 'These requests bypass the authentication of CAP: an unauthenticated attacker can call all controllers, and all services without @requires or @restrict.',
      fix: 'Restrict the chain to the paths that must be public, with @Order(1) and http.securityMatcher("/public/**"), or remove it. CAP then authenticates all other requests, except those that cds.security.authentication.mode leaves public.',
      variants: {
        paths: {
          why: 'An unauthenticated attacker can call the controllers below {paths:and}, and the services there without @requires or @restrict.',
          fix: 'Remove the chain, so that CAP authenticates these requests, or limit it to the paths that must be public, such as those of webhooks that verify a signature.',
        },
      },
    },
    fr: {
      title: 'Chaîne de filtres Spring Security sans authentification',
      message:
        'Cette SecurityFilterChain laisse passer sans authentification toute requête vers {paths:et} : anyRequest().permitAll().',
      why: 'Ces requêtes contournent l’authentification de CAP : un attaquant non authentifié peut appeler tous les contrôleurs, et tous les services sans @requires ni @restrict.',
      fix: 'Limitez la chaîne aux chemins qui doivent être publics, avec @Order(1) et http.securityMatcher("/public/**"), ou supprimez-la. CAP authentifie alors toutes les autres requêtes, sauf celles que cds.security.authentication.mode laisse publiques.',
      variants: {
        paths: {
          why: 'Un attaquant non authentifié peut appeler les contrôleurs sous {paths:et}, et les services sans @requires ni @restrict qui y sont exposés.',
          fix: 'Supprimez la chaîne, pour que CAP authentifie ces requêtes, ou limitez-la aux chemins qui doivent être publics, par exemple ceux de webhooks qui vérifient une signature.',
        },
      },
    },
  },
})

const ALL = /^\/?\*\*$/
const PUBLIC_BY_NATURE =
  /^\/(?:actuator\/)?(?:public|health|healthz|status|ping|info|live|ready|liveness|readiness|static|assets|css|js|images|webjars|resources|favicon|error|login|logout|swagger|v3\/api-docs|h2-console|\.well-known)(?:[/.*-]|$)/i

interface OpenChain {
  readonly start: number
  readonly end: number
  /** Empty: it takes every request. */
  readonly paths: readonly string[]
}

/** Tokens of a chain that are looked at. */
const MAX_TOKENS = 2000

/** `SecurityFilterChain api(HttpSecurity http) { … anyRequest().permitAll() … }`, with the paths that it is for. */
function* openChains(tokens: readonly JavaToken[]): Generator<OpenChain> {
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind !== 'word' || text !== 'SecurityFilterChain' || !isWritten(tokens, index + 2, '(')) continue
    const open = bodyBehind(tokens, closingOf(tokens, index + 2))
    if (open === undefined) continue
    const body = tokens.slice(open, Math.min(closingOf(tokens, open), open + MAX_TOKENS))
    const at = body.findIndex((_, inside) => isWritten(body, inside, 'anyRequest', '(', ')', '.', 'permitAll'))
    const [first, last] = [body[at], body[at + 6]]
    const paths = pathsOf(body)
    if (first !== undefined && last !== undefined && paths !== undefined) yield { start: first.start, end: last.end, paths }
  }
}

/** Undefined: what it is for is no text. */
function pathsOf(body: readonly JavaToken[]): readonly string[] | undefined {
  const at = body.findIndex(({ text }) => /^(?:securityMatchers?|antMatcher|mvcMatcher)$/.test(text))
  if (at === -1) return []
  const given = body.slice(at + 1, closingOf(body, at + 1))
  const paths = given.flatMap(({ kind, text }) => (kind === 'string' ? [text] : []))
  return paths.length === 0 ? undefined : paths
}
