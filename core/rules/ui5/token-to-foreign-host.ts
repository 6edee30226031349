import { classifyHost } from '../../secrets/index.ts'
import { domainOf, isHosted, isSapHost } from '../../model/deployment/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { append } from '../../lists.ts'
import { createMethodLookup, moduleNameOf } from './_app-methods.ts'
import { givenToMethods, tokenSenders, writtenHosts, type TokenSender } from './_token-senders.ts'

/**
 * A method of the app that adds the user's token to each request is given an address of another host than the one that the token is for: that of its own script, or of the page where others give it paths.
 * Facts: RFC 6750, 5.3 (a client must not send bearer tokens to anybody but the servers that they are for).
 * Impact: who operates that host, or reads its logs, is the user while the token is valid.
 */
export const tokenToForeignHost: Rule = defineRule({
  id: 'ui5/token-to-foreign-host',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [201, 522],
  since: '0.3.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc6750#section-5.3',
  extracts: [tokenSenders, givenToMethods, writtenHosts],
  on: 'ui5-app',

  *check({ scripts }) {
    const senders = scripts.get(tokenSenders)
    if (senders.length === 0) return
    const hostsOf = createOwnHosts(scripts.get(writtenHosts))
    const senderOf = createMethodLookup(senders)
    const files = new Map(senders.map(({ file, value }) => [value, file]))
    const given = scripts.get(givenToMethods).flatMap(({ file, value }) => {
      const sender = senderOf(file, value)
      if (sender === undefined) return []
      const isOwn = value.host === undefined || hostsOf(sender).has(domainOf(value.host))
      return [{ file, value, isOwn, client: files.get(sender) }]
    })
    // where all addresses are of other hosts, nothing tells whose token it is: it may be theirs
    const known = new Set(given.flatMap(({ isOwn, client }) => (isOwn ? [client] : [])))
    for (const { file, value, isOwn, client } of given) {
      const { at: span, host, method } = value
      if (isOwn || host === undefined || !known.has(client) || !isForeign(host)) continue
      yield { at: { file, span }, args: { host, method: quoteWord(method) } }
    }
  },

  text: () => ({
    en: {
      title: 'User token sent to a third-party host',
      message:
        '{method} adds the user’s token to each request, and this call gives it an address of {host}, another host than that of the API.',
      why: 'The operator of {host}, or an attacker who compromises it or reads its logs, can call the API as the users whose tokens arrive there, until the tokens expire.',
      fix: 'Send this request without the token, such as with fetch alone. In {method}, add the header only if new URL(url, location.href).origin is the origin of the API.',
    },
    fr: {
      title: 'Jeton de l’utilisateur envoyé à un hôte tiers',
      message:
        '{method} ajoute le jeton de l’utilisateur à chaque requête, et cet appel lui donne une adresse de {host}, un autre hôte que celui de l’API.',
      why: 'L’exploitant de {host}, ou un attaquant qui le compromet ou lit ses journaux, peut appeler l’API au nom des utilisateurs dont les jetons y arrivent, jusqu’à leur expiration.',
      fix: 'Envoyez cette requête sans le jeton, par exemple avec fetch seul. Dans {method}, n’ajoutez l’en-tête que si new URL(url, location.href).origin est l’origine de l’API.',
    },
  }),
})

function isForeign(host: string): boolean {
  return classifyHost(host) === 'public' && !isSapHost(host) && !isHosted(host) && !ISSUER.test(host)
}

/** Who gives tokens also answers to them: whose they are, `/userinfo`. */
const ISSUER =
  /(?:^|\.)(?:auth0|googleapis|okta|oktapreview|onelogin|microsoftonline|b2clogin|amazoncognito)\.com$|^graph\.microsoft\.com$|^(?:accounts?|auth|id|identity|idp|login|sso)\./

/** The domains of a client's own script and of the modules that it imports. */
function createOwnHosts(
  written: readonly { readonly file: string; readonly value: readonly string[] }[],
): (sender: TokenSender) => ReadonlySet<string | undefined> {
  const byModule = new Map<string, string[]>()
  for (const { file, value } of written) for (const host of value) append(byModule, moduleNameOf(file), host)
  const found = new Map<readonly string[], ReadonlySet<string | undefined>>()
  return ({ hosts, imports }) => {
    const known =
      found.get(imports) ??
      new Set(
        [...hosts, ...imports.flatMap((name) => byModule.get(name) ?? [])]
          .filter((host) => classifyHost(host) === 'public')
          .map(domainOf),
      )
    found.set(imports, known)
    return known
  }
}
