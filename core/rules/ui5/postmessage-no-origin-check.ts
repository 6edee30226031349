import { findMessageListeners } from '../../flow/message-listeners.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createEventReader } from './_message-reads.ts'

/** What the rule is about, before anything is parsed. */
const LISTENS = /\bonmessage\b|\(\s{0,40}["'`](?:\w{1,40} )?message["'`. ]/

/** A listener for messages of other windows that does not look at who sent them. One that hands the origin on to something else is taken to be checked
 *  there. Facts: HTML standard, "Web messaging", security considerations for authors; SAPUI5 documentation, "Browser Security". */
export const postmessageNoOriginCheck: Rule = defineRule({
  id: 'ui5/postmessage-no-origin-check',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [346],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/browser-security-91f3b66.md',
  keywords: ['onmessage', '"message', "'message", '`message'],
  prefilter: (text) => LISTENS.test(text),
  on: 'script',

  *check({ path, content: { facts }, budget }): Generator<Match> {
    const listeners = findMessageListeners(facts)
    if (listeners.length === 0) return
    const reader = createEventReader(facts, (count) => budget.step(count))
    for (const { handler, parameter, start, end } of listeners) {
      const { usesData, check, sink } = reader.readsOf(handler, parameter)
      if (!usesData || check === 'strong') continue
      const at = { file: path, span: { start, end } }
      if (sink !== undefined) yield { at, variant: check === 'weak' ? 'weak' : 'sink', severity: 'HIGH' }
      else yield check === 'weak' ? { at, variant: 'weak' } : { at }
    }
  },

  text: {
    en: {
      title: 'Messages of any window are taken',
      message: 'This listener uses the data of a message and does not look at its origin.',
      why: 'A foreign page that opens the app, or frames it, sends such messages as well, and steers the app in the session of your user.',
      fix: "Begin with: if (event.origin !== 'https://shell.example.com') return.",
      variants: {
        weak: {
          title: 'The origin of messages is checked by a part of it',
          message:
            'This listener compares only a part of the origin, so other hosts pass: one of which the text is a part, or that begins or ends with it.',
          fix: 'Compare the whole origin: if (!ALLOWED.includes(event.origin)) return, with ALLOWED a list of full origins.',
        },
        sink: {
          title: 'Messages of any window become code',
          message:
            'This listener does not look at the origin of a message, and its data runs as code or becomes markup of the page.',
          why: 'A foreign page that opens the app, or frames it, runs its own code in the session of your user.',
          fix: "Begin with: if (event.origin !== 'https://shell.example.com') return; and treat the data as data.",
        },
      },
    },
    fr: {
      title: 'Les messages de n’importe quelle fenêtre sont acceptés',
      message: 'Ce gestionnaire utilise les données d’un message sans regarder son origine.',
      why: 'Une page étrangère qui ouvre l’application, ou l’affiche dans un cadre, envoie de tels messages elle aussi, et pilote l’application dans la session de votre utilisateur.',
      fix: "Commencez par : if (event.origin !== 'https://shell.example.com') return.",
      variants: {
        weak: {
          title: 'L’origine des messages n’est vérifiée qu’en partie',
          message:
            'Ce gestionnaire ne compare qu’une partie de l’origine ; d’autres hôtes passent donc : ceux dont ce texte fait partie, ou qui commencent ou finissent par lui.',
          fix: 'Comparez l’origine entière : if (!ALLOWED.includes(event.origin)) return, où ALLOWED liste des origines complètes.',
        },
        sink: {
          title: 'Les messages de n’importe quelle fenêtre deviennent du code',
          message:
            'Ce gestionnaire ne regarde pas l’origine d’un message, et ses données sont exécutées comme du code ou deviennent du balisage de la page.',
          why: 'Une page étrangère qui ouvre l’application, ou l’affiche dans un cadre, exécute son propre code dans la session de votre utilisateur.',
          fix: "Commencez par : if (event.origin !== 'https://shell.example.com') return ; et traitez les données comme des données.",
        },
      },
    },
  },
})
