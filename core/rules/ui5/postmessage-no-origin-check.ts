import { findMessageListeners } from '../../flow/message-listeners.ts'
import { createEventReader } from '../../flow/message-reads.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What the rule is about, before anything is parsed. */
const LISTENS = /\bonmessage\b|\(\s{0,40}["'`](?:\w{1,40} )?message["'`. ]/

/**
 * A listener for messages of other windows that does not check the origin of the sender. One that passes the origin to another function is taken to be
 * checked there.
 * Facts: HTML standard, "Web messaging", security considerations for authors; SAPUI5 documentation, "Browser Security".
 * Severity: what the data does is not known (MEDIUM); where it runs as code or becomes markup, a visit of the victim to a malicious page is enough (HIGH).
 */
export const postmessageNoOriginCheck: Rule = defineRule({
  id: 'ui5/postmessage-no-origin-check',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [346],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/browser-security-91f3b66.md',
  keywords: ['onmessage', '"message', "'message", '`message'],
  prefilter: (text) => LISTENS.test(text),

  checks: {
    *script({ path, text, content: { facts }, budget }): Generator<Match> {
      const listeners = findMessageListeners(facts)
      if (listeners.length === 0) return
      const reader = createEventReader(facts, text, (count) => budget.step(count))
      for (const { handler, parameter, start, end } of listeners) {
        const { usesData, check, sink } = reader.readsOf(handler, parameter)
        if (!usesData || check === 'strong') continue
        const at = { file: path, span: { start, end } }
        if (sink !== undefined) yield { at, variant: check === 'weak' ? 'weak' : 'sink', severity: 'HIGH' }
        else yield check === 'weak' ? { at, variant: 'weak' } : { at }
      }
    },

    // what other functions and files make of the data
    *flow({ at, steps }): Generator<Match> {
      yield { at, variant: 'sink', severity: 'HIGH', flow: steps }
    },
  },

  text: {
    en: {
      title: 'Missing origin check for postMessage',
      message: 'This message listener uses event.data without checking event.origin.',
      why: 'A malicious page that opens or frames the app can also send such messages and control the app in the session of the user.',
      fix: "Add at the start of the listener: if (event.origin !== 'https://shell.example.com') return; with the origin that you expect.",
      variants: {
        weak: {
          title: 'Incomplete origin check for postMessage',
          message:
            'This message listener compares only a part of event.origin: origins that contain, begin or end with that string are accepted as well.',
          fix: "Compare the whole origin: if (!ALLOWED.includes(event.origin)) return; with const ALLOWED = ['https://shell.example.com'].",
        },
        sink: {
          title: 'XSS through postMessage without origin check',
          message:
            'This message listener does not check event.origin, and event.data runs as code or becomes markup of the page.',
          why: 'A malicious page that opens or frames the app can run code in the session of the user.',
          fix: "Add at the start of the listener: if (event.origin !== 'https://shell.example.com') return; with the origin that you expect. Show the data with textContent or sap.m.Text.",
        },
      },
    },
    fr: {
      title: 'Absence de vérification de l’origine pour postMessage',
      message: 'Ce gestionnaire de messages utilise event.data sans vérifier event.origin.',
      why: 'Une page malveillante qui ouvre ou encadre l’application peut aussi envoyer de tels messages et la piloter dans la session de l’utilisateur.',
      fix: "Ajoutez au début du gestionnaire : if (event.origin !== 'https://shell.example.com') return; avec l’origine attendue.",
      variants: {
        weak: {
          title: 'Vérification incomplète de l’origine pour postMessage',
          message:
            'Ce gestionnaire de messages ne compare qu’une partie d’event.origin : les origines qui contiennent cette chaîne, commencent ou finissent par elle sont aussi acceptées.',
          fix: "Comparez l’origine entière : if (!ALLOWED.includes(event.origin)) return; avec const ALLOWED = ['https://shell.example.com'].",
        },
        sink: {
          title: 'XSS par postMessage sans vérification de l’origine',
          message:
            'Ce gestionnaire de messages ne vérifie pas event.origin, et event.data s’exécute comme du code ou devient du balisage de la page.',
          why: 'Une page malveillante qui ouvre ou encadre l’application peut exécuter du code dans la session de l’utilisateur.',
          fix: "Ajoutez au début du gestionnaire : if (event.origin !== 'https://shell.example.com') return; avec l’origine attendue. Affichez les données avec textContent ou sap.m.Text.",
        },
      },
    },
  },
})
