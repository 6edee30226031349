import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A handler of messages that takes the tenant, the user or rows that it writes out of the payload without a check of it.
 * Facts: capire, "Messaging" (handlers get what the sender wrote; inbound messages run without a user of their own); CloudEvents 1.0.
 * Impact: whoever writes messages to the broker acts for another user or tenant, or changes rows.
 */
export const messagingHandlerTrustsPayload: Rule = defineRule({
  id: 'cap/messaging-handler-trusts-payload',
  impact: 'takeover',
  reach: 'privileged',
  grades: { stored: { impact: 'data' }, selected: { impact: 'data' } },
  confidence: 'medium',
  cwe: [345],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  on: 'flow',

  *check(hit) {
    if (hit.entry !== 'message') return
    const match = {
      ...gradeHit(hit),
      confidence: 'medium',
      args: { part: hit.quotedPart, sink: hit.quotedSink },
    } as const
    // a statement that writes ten fields of a message is one fault
    const group = hit.call === undefined ? {} : { groupKey: `${hit.at.file} ${hit.call}` }
    if (hit.detail === 'stored') yield { ...match, ...group, variant: hit.api.effects.has('select') ? 'selected' : 'stored' }
    else yield hit.api.effects.has('user') ? { ...match, variant: 'user' } : match
  },

  text: () => ({
    en: {
      title: 'Tenant or user taken from a message',
      message: '{part} from a message sets the context (tenant, user) of {sink}.',
      why: 'An attacker who can publish to the topic can make the handler run for any tenant or as any user.',
      fix: 'Use the "tenant" property of the message itself, which the messaging service sets, and a fixed technical user. If the payload has to name the tenant, check first that the sender may act for it.',
      variants: {
        user: { message: '{part} from a message determines {sink}.' },
        stored: {
          title: 'Message payload written without a check',
          message: '{sink} writes {part} from a message to the database, and nothing checks it.',
          why: 'Neither @restrict nor the input validation of a service applies to this direct write: an attacker who can publish to the topic can write arbitrary values.',
          fix: 'First validate the payload with a schema and copy only the fields you need, or pass it to an application service, which validates its input.',
        },
        selected: {
          title: 'Rows selected by a message payload without a check',
          message: '{part} from a message selects the rows for {sink}, and nothing checks it.',
          why: '@restrict does not limit the rows of this direct database access: an attacker who can publish to the topic can select any of them.',
          fix: 'Read the rows first and check that the operation is allowed on them, or pass the payload to an application service, which validates its input.',
        },
      },
      steps: { source: '{part} comes from a message.' },
    },
    fr: {
      title: 'Locataire ou utilisateur issu d’un message',
      message: '{part}, reçu dans un message, définit le contexte (locataire, utilisateur) de {sink}.',
      why: 'Un attaquant qui peut publier sur le topic peut faire exécuter le gestionnaire pour n’importe quel locataire ou au nom de n’importe quel utilisateur.',
      fix: 'Utilisez la propriété "tenant" du message lui-même, définie par le service de messagerie, et un utilisateur technique fixe. Si le contenu du message doit désigner le locataire, vérifiez d’abord que l’émetteur a le droit d’agir pour ce locataire.',
      variants: {
        user: { message: '{part}, reçu dans un message, détermine {sink}.' },
        stored: {
          title: 'Écriture sans contrôle du contenu d’un message',
          message: '{part}, reçu dans un message, est écrit dans la base par {sink} sans aucune vérification.',
          why: 'Ni @restrict ni la validation des entrées d’un service ne s’appliquent à cette écriture directe : un attaquant qui peut publier sur le topic peut écrire des valeurs arbitraires.',
          fix: 'Validez d’abord les données à l’aide d’un schéma et n’en copiez que les champs nécessaires, ou transmettez-les à un service applicatif, qui valide ses entrées.',
        },
        selected: {
          title: 'Lignes sélectionnées sans contrôle d’après un message',
          message: '{part}, reçu dans un message, détermine les lignes visées par {sink}, sans aucune vérification.',
          why: '@restrict ne limite pas les lignes de cet accès direct à la base : un attaquant qui peut publier sur le topic peut viser n’importe quelle ligne.',
          fix: 'Lisez d’abord les lignes et vérifiez que l’opération y est autorisée, ou transmettez les données à un service applicatif, qui valide ses entrées.',
        },
      },
      steps: { source: '{part} vient d’un message.' },
    },
  }),
})
