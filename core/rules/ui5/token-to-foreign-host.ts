import { classifyHost } from '../../secrets/index.ts'
import { domainOf, isHosted, isSapHost } from '../../model/deployment/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createMethodLookup } from './_app-methods.ts'
import { givenToMethods, tokenSenders } from './_token-senders.ts'

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
  extracts: [tokenSenders, givenToMethods],
  on: 'ui5-app',

  *check({ scripts }) {
    const senders = scripts.get(tokenSenders)
    if (senders.length === 0) return
    const senderOf = createMethodLookup(senders)
    const given = scripts.get(givenToMethods).flatMap(({ file, value }) => {
      const sender = senderOf(file, value)
      return sender === undefined ? [] : [{ file, value, sender }]
    })
    const isForPage = given.some(({ value }) => value.host === undefined)
    for (const { file, value, sender } of given) {
      const { at: span, host, method } = value
      if (host === undefined || classifyHost(host) !== 'public' || isSapHost(host) || isHosted(host)) continue
      // nothing tells whose token it is, or it may be that host's
      const own = sender.hosts.filter((one) => classifyHost(one) === 'public')
      const isOwn = own.some((one) => domainOf(one) === domainOf(host))
      if (isOwn || (own.length === 0 && !isForPage)) continue
      yield { at: { file, span }, args: { host, method: quoteWord(method) } }
    }
  },

  text: {
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
  },
})
