import { cdsWithin, keyIn, productionSettings } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { errorLeaks } from './_routes/error-leaks.ts'

/**
 * What CAP hides in production, exposed on purpose: internals of errors to the client, data to the log.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/errors.js (5xx are replaced unless `$sanitize` is false; 4xx go out as they are);
 * @sap/cds 8.9.10, common/error/frontend.js (of 5xx only the framework's own); @cap-js/db-service 3.1.1, lib/cqn2sql.js (`sanitize_values`).
 * Impact: what is exposed helps a second attack; to read the log takes access to it first.
 */
export const errorSanitizationOff: Rule = defineRule({
  id: 'cap/error-sanitization-off',
  impact: 'bounded',
  grades: { log: { impact: 'defence' } },
  confidence: 'high',
  cwe: [209],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#error-responses',
  docsByVariant: { log: 'https://cap.cloud.sap/docs/node.js/cds-log#configuration' },
  on: 'cap-root',
  extracts: [errorLeaks],

  *check(root, { npm }) {
    for (const setting of productionSettings(root, 'log', 'sanitize_values')) {
      if (booleanOf(setting.node) !== false) continue
      const args = { key: keyIn(setting, 'log', 'sanitize_values'), file: setting.place.file }
      yield { at: setting.place, args, variant: 'log' }
    }
    // since CAP 9 all that has a status of 5xx is replaced
    const shows5xx = cdsWithin(root, npm, '<9.0.0-0')
    for (const { file, value: leak } of root.test ? [] : root.scripts.get(errorLeaks)) {
      const match: Match = { at: { file, span: leak.at } }
      if (leak.kind === 'unsanitized') yield match
      else if (shows5xx && (leak.status ?? 500) >= 500)
        yield { ...match, args: { status: String(leak.status ?? 500) }, variant: 'stack' }
    }
  },

  text: () => ({
    en: {
      title: 'Internal error details exposed to clients',
      message: '$sanitize is false for this error, so CAP sends its original message to the client, even in production.',
      why: 'Error messages from the database and other systems can reveal table names, hosts and versions to an attacker, and help to refine an injection.',
      fix: "Remove $sanitize from this error. Log the details with cds.log(), and if users need a message, send one without internals, with a 4xx status: req.reject(422, 'The action failed').",
      variants: {
        stack: {
          title: 'Stack trace exposed to clients',
          message:
            'The stack trace of an error is used as the message of a response with status {status}; before version 9, CAP sends such a message to the client unchanged.',
          why: 'A stack trace shows an attacker the structure of the code, file paths, and packages with their versions.',
          fix: "Send a message without the stack, for instance req.reject({status}, 'The action failed'), and log the error on the server: cds.log().error(…).",
        },
        log: {
          title: 'Sensitive data in debug logs',
          message:
            '{key} is false in {file} and applies to production: while debug logging is enabled, SQL parameters and the bodies of requests to other services are logged in plain text.',
          why: 'Anyone with access to the log, or to a system that it is forwarded to, can read personal data and secrets without access to the database.',
          fix: 'Remove {key} from {file}, or move it into "[development]".',
        },
      },
    },
    fr: {
      title: 'Détails internes d’erreurs exposés aux clients',
      message:
        '$sanitize vaut false pour cette erreur : CAP envoie au client le message d’erreur d’origine, y compris en production.',
      why: 'Les messages d’erreur de la base de données et d’autres systèmes peuvent révéler à un attaquant des tables, des hôtes et des versions, et l’aider à affiner une injection.',
      fix: "Supprimez $sanitize de cette erreur. Journalisez les détails avec cds.log(), et si les utilisateurs ont besoin d’un message, envoyez-en un sans détails internes, avec un statut 4xx : req.reject(422, 'Échec').",
      variants: {
        stack: {
          title: 'Trace de pile exposée aux clients',
          message:
            'La trace de pile d’une erreur sert de message à une réponse de statut {status} ; avant la version 9, CAP envoie ce message tel quel au client.',
          why: 'Une trace de pile révèle à un attaquant la structure du code, des chemins de fichiers, et des paquets avec leurs versions.',
          fix: "Envoyez un message sans la trace, par exemple req.reject({status}, 'Échec'), et journalisez l’erreur sur le serveur : cds.log().error(…).",
        },
        log: {
          title: 'Données sensibles dans les journaux de débogage',
          message:
            '{key} vaut false dans {file} et s’applique à la production : quand la journalisation de débogage est active, les paramètres SQL et les corps des requêtes vers d’autres services figurent en clair dans le journal.',
          why: 'Toute personne ayant accès au journal, ou à un système auquel il est transmis, peut lire des données personnelles et des secrets sans accès à la base de données.',
          fix: 'Supprimez {key} de {file}, ou déplacez-le dans "[development]".',
        },
      },
    },
  }),
})
