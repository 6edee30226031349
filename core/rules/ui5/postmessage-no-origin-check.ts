import { inEachLanguage } from '../../arguments.ts'
import { effectsOf, type SinkEffect } from '../../flow/index.ts'
import { findMessageListeners } from '../../flow/messages/message-listeners.ts'
import { createEventReader } from '../../flow/messages/message-reads.ts'
import { mayCheck } from '../../flow/messages/sender-checks.ts'
import { excerptOf } from '../../facts/index.ts'
import type { Localized, Match } from '../../types.ts'
import { namedFrameOf } from './_named-frames.ts'
import { defineRule, type Rule } from '../rule.ts'
import { onlySteers } from './_message-fields.ts'
import { LISTENER_KEYWORDS, LISTENS, senderPredicateExtracts, weaklyAsked } from './_sender-predicates.ts'

const CHECK: Localized<string> = {
  en: "{taken}Add at the start of the listener, with the origin that you expect: if ({origin} !== 'https://shell.example.com') return",
  fr: "{taken}Ajoutez au début du gestionnaire, avec l’origine attendue : if ({origin} !== 'https://shell.example.com') return",
}
/** A pattern for the parameter has to take the origin out of the event first. */
const TAKE_ORIGIN = inEachLanguage({
  en: 'Add origin to the destructured parameter. ',
  fr: 'Ajoutez origin au paramètre déstructuré. ',
})
const RISK: Localized<string> = {
  en: 'A malicious page that opens or frames the app can run code in the user’s session.',
  fr: 'Une page malveillante qui ouvre l’application ou l’intègre dans une iframe peut exécuter du code dans la session de l’utilisateur.',
}

/**
 * A listener for messages of other windows that does not check the origin of the sender. One that passes the origin to another function is taken to be
 * checked there.
 * Facts: HTML standard, "Web messaging", security considerations for authors; SAPUI5 documentation, "Browser Security".
 * Impact: a malicious page that the victim visits acts in the session; proven where the data runs as code, becomes markup or an address. Which page the app shows, and how, is bounded.
 */
export const postmessageNoOriginCheck: Rule = defineRule({
  id: 'ui5/postmessage-no-origin-check',
  impact: 'session',
  reach: 'anyone',
  // what becomes of the data is not always seen
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [346],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/browser-security-91f3b66.md',
  keywords: LISTENER_KEYWORDS,
  prefilter: (text) => LISTENS.test(text),
  extracts: senderPredicateExtracts,

  checks: {
    *script({ path, text, content: { facts }, budget }): Generator<Match> {
      // VS Code, "Webview API": its extension alone sends messages to such a page
      if (text.includes('acquireVsCodeApi')) return
      const listeners = findMessageListeners(facts)
      if (listeners.length === 0) return
      const reader = createEventReader(facts, text, (count) => budget.step(count))
      for (const { handler, parameter, start, end, isWrapped } of listeners) {
        const { usesData, check, sink } = reader.readsOf(handler, parameter)
        if (!usesData || mayCheck(check)) continue
        const at = { file: path, span: { start, end } }
        const name = handler.parameters[parameter]?.name
        const origin = [name, isWrapped && 'originalEvent', 'origin'].filter(Boolean).join('.')
        const args = {
          origin,
          taken: name === undefined && !isWrapped ? TAKE_ORIGIN : '',
          sink: sink === undefined ? '' : excerptOf(text, sink),
        }
        if (check === 'weak') yield { at, args, variant: 'weak', ...(sink !== undefined && { evidence: 'shown' }) }
        else if (sink !== undefined)
          yield {
            at,
            args,
            variant: variantOf(new Set(effectsOf('ui5/postmessage-no-origin-check', args.sink))),
            evidence: 'shown',
          }
        else
          yield {
            at,
            args,
            ...(onlySteers(handler, parameter, facts, (count) => budget.step(count)) && { impact: 'bounded' as const }),
          }
      }
    },

    // the check stands in another file
    *'ui5-app'(app): Generator<Match> {
      for (const { at, event, check, showsData } of weaklyAsked(app))
        yield {
          at,
          args: { origin: `${event}.origin`, taken: '', sink: '' },
          ...(check === 'weak' && { variant: 'weak' }),
          ...(showsData && { evidence: 'shown' }),
        }
    },

    // what other functions and files make of the data
    *flow(hit, project): Generator<Match> {
      const { at, steps, sink, api } = hit
      const frame = namedFrameOf(hit, project)
      if (frame === 'other') return
      yield {
        at,
        args: { origin: 'event.origin', taken: '', sink },
        variant: variantOf(api.effects),
        evidence: frame === 'assumed' ? 'assumed' : 'shown',
        flow: steps,
      }
    },
  },

  text: () => ({
    en: {
      title: 'Missing origin check for postMessage',
      message: 'This message listener uses the data of the message without checking which origin sent it.',
      why: 'A malicious page that opens or frames the app can also send such messages, which the app then processes in the user’s session.',
      fix: `${CHECK.en}.`,
      variants: {
        weak: {
          title: 'Incomplete origin check for postMessage',
          message:
            'This message listener does not compare the whole {origin}: origins of other domains can pass this check, too.',
          fix: "Compare the whole origin: if (!ALLOWED.includes({origin})) return; with const ALLOWED = ['https://shell.example.com'].",
        },
        markup: {
          title: 'XSS through postMessage without origin check',
          message:
            'This message listener does not check the origin of the message, and {sink} shows data from the message as markup.',
          why: RISK.en,
          fix: `${CHECK.en}. Show the data as text, with textContent or sap.m.Text.`,
        },
        address: {
          title: 'XSS through postMessage without origin check',
          message: 'This message listener does not check the origin of the message, and {sink} opens a URL from the message.',
          why: 'A malicious page that opens or frames the app can send a javascript: URL, whose code runs in the user’s session.',
          fix: `${CHECK.en}. Accept only URLs that begin with https:// or with a single slash.`,
        },
        code: {
          title: 'Code injection through postMessage without origin check',
          message:
            'This message listener does not check the origin of the message, and {sink} runs data from the message as code.',
          why: RISK.en,
          fix: `${CHECK.en}. Read the data with JSON.parse instead of running it.`,
        },
      },
    },
    fr: {
      title: 'Absence de vérification de l’origine pour postMessage',
      message: 'Ce gestionnaire de messages utilise les données du message sans en vérifier l’origine.',
      why: 'Une page malveillante qui ouvre l’application ou l’intègre dans une iframe peut lui envoyer des messages, que l’application traite alors dans la session de l’utilisateur.',
      fix: `${CHECK.fr}.`,
      variants: {
        weak: {
          title: 'Vérification incomplète de l’origine pour postMessage',
          message:
            'Ce gestionnaire de messages ne compare pas {origin} en entier : des origines d’autres domaines peuvent aussi passer cette vérification.',
          fix: "Comparez l’origine entière : if (!ALLOWED.includes({origin})) return; avec const ALLOWED = ['https://shell.example.com'].",
        },
        markup: {
          title: 'XSS par postMessage sans vérification de l’origine',
          message:
            'Ce gestionnaire de messages ne vérifie pas l’origine du message, et {sink} affiche des données du message comme du balisage.',
          why: RISK.fr,
          fix: `${CHECK.fr}. Affichez les données comme du texte, avec textContent ou sap.m.Text.`,
        },
        address: {
          title: 'XSS par postMessage sans vérification de l’origine',
          message: 'Ce gestionnaire de messages ne vérifie pas l’origine du message, et {sink} ouvre une URL issue du message.',
          why: 'Une page malveillante qui ouvre l’application ou l’intègre dans une iframe peut envoyer une URL javascript:, dont le code s’exécute dans la session de l’utilisateur.',
          fix: `${CHECK.fr}. N’acceptez que des URL qui commencent par https:// ou par une seule barre oblique.`,
        },
        code: {
          title: 'Injection de code par postMessage sans vérification de l’origine',
          message:
            'Ce gestionnaire de messages ne vérifie pas l’origine du message, et {sink} exécute des données du message comme du code.',
          why: RISK.fr,
          fix: `${CHECK.fr}. Lisez les données avec JSON.parse au lieu de les exécuter.`,
        },
      },
    },
  }),
})

/** What becomes of the data, by what receives it. */
function variantOf(effects: ReadonlySet<SinkEffect>): 'markup' | 'address' | 'code' {
  if (effects.has('script')) return 'code'
  return effects.has('address') ? 'address' : 'markup'
}
