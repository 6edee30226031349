import { cdsWithin, keyIn, productionSettings } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { errorLeaks } from './_error-leaks.ts'

/** What CAP hides in production, shown on purpose: the inside of errors to the client, data to the log.
 *  Facts: @sap/cds 9.9.3, lib/srv/middlewares/errors.js (5xx are replaced unless `$sanitize` is false; 4xx go out as they are);
 *  @sap/cds 8.9.10, common/error/frontend.js (of 5xx only the framework's own); @cap-js/db-service 3.1.1, lib/cqn2sql.js (`sanitize_values`). */
export const errorSanitizationOff: Rule = defineRule({
  id: 'cap/error-sanitization-off',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [209],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#error-responses',
  on: 'cap-root',
  extracts: [errorLeaks],

  *check(root, { npm }) {
    for (const setting of productionSettings(root, 'log', 'sanitize_values')) {
      if (booleanOf(setting.node) !== false) continue
      const args = { key: keyIn(setting, 'log', 'sanitize_values'), file: setting.place.file }
      yield { at: setting.place, args, variant: 'log', severity: 'LOW' }
    }
    // since CAP 9 all that has a status of 5xx is replaced
    const shows5xx = cdsWithin(root, npm, '<9.0.0-0')
    for (const { file, value: leak } of root.test ? [] : root.scripts.get(errorLeaks)) {
      const match: Match = { at: { file, span: leak.at } }
      if (leak.kind === 'unsanitized') yield match
      else if (shows5xx || (leak.status ?? 500) < 500) yield { ...match, args: { status: String(leak.status) }, variant: 'stack' }
    }
  },

  text: {
    en: {
      title: 'Clients see the inside of server errors',
      message: '"$sanitize" is false for this error: its message goes to the client as it is, also in production.',
      why: 'Messages of the database and of other systems tell an attacker tables, hosts and versions, and whether an attempt came nearer.',
      fix: 'Remove "$sanitize": false, and send a message of your own where users need one.',
      variants: {
        stack: {
          title: 'Clients see stack traces',
          message: 'The stack trace of an error is the message of status {status}, which CAP sends as it is.',
          fix: 'Log the error, and send a message of your own without its stack.',
        },
        log: {
          title: 'Data is written to the log',
          message:
            '{key} is false in {file}: with debug logs on, values of statements and bodies of requests are logged in production.',
          why: 'Whoever reads the log, and whatever it is forwarded to, then has personal data and secrets that the database protects.',
          fix: 'Remove {key}, or move it into "[development]".',
        },
      },
    },
    fr: {
      title: 'Les clients voient l’intérieur des erreurs du serveur',
      message: '« $sanitize » vaut false pour cette erreur : son message est envoyé tel quel au client, même en production.',
      why: 'Les messages de la base de données et d’autres systèmes révèlent à un attaquant tables, hôtes et versions, et si une tentative s’approche du but.',
      fix: 'Supprimez « "$sanitize": false », et envoyez un message à vous là où les utilisateurs en ont besoin.',
      variants: {
        stack: {
          title: 'Les clients voient des traces d’exécution',
          message: 'La trace d’exécution d’une erreur est le message du statut {status}, que CAP envoie tel quel.',
          fix: 'Journalisez l’erreur, et envoyez un message à vous, sans sa trace.',
        },
        log: {
          title: 'Des données sont écrites dans le journal',
          message:
            '{key} vaut false dans {file} : avec les journaux de débogage, valeurs des instructions et corps des requêtes sont journalisés en production.',
          why: 'Quiconque lit le journal, et tout ce vers quoi il est transmis, a alors des données personnelles et des secrets que la base de données protège.',
          fix: 'Supprimez {key}, ou déplacez-le dans « [development] ».',
        },
      },
    },
  },
})
