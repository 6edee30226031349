import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Client data that is queued, or spawned, to be worked on later as the privileged user.
 * Facts: capire, "Transactional Event Queues" (queued events run later, without the request); "cds.spawn" (the user of the options counts).
 * Severity: what the handler of the queue does with it decides, which needs a second look, LOW.
 */
export const eventQueuePrivilegedReplay: Rule = defineRule({
  id: 'cap/event-queue-privileged-replay',
  severity: 'LOW',
  confidence: 'low',
  cwe: [250],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/event-queues#queueing-a-service',
  on: 'flow',

  *check(hit) {
    if (hit.entry === 'message') return
    const match = { ...gradeHit(hit, 'LOW'), confidence: 'low', args: { part: hit.part, sink: hit.sink } } as const
    yield hit.detail === 'spawned' ? { ...match, variant: 'spawned' } : match
  },

  text: {
    en: {
      title: 'Request data queued for the privileged user',
      message: '{part} from the request is queued by {sink} and processed later as the privileged user.',
      why: 'No restriction applies when the event is processed: a caller can read or change rows and run actions that their own roles do not allow.',
      fix: 'Queue the event with the user of the request: cds.queued(srv).send(…) without another user. Check what the caller may do before it is queued.',
      variants: {
        spawned: {
          title: 'Request data written in the background as the privileged user',
          message: '{part} from the request is written by {sink} in a spawned task that runs as the privileged user.',
        },
      },
    },
    fr: {
      title: 'Données de la requête mises en file pour l’utilisateur privilégié',
      message: '{part}, reçu dans la requête, est mis en file par {sink} et traité plus tard en tant qu’utilisateur privilégié.',
      why: 'Quand l’événement est rejoué, aucune restriction ne s’applique : un appelant accède à des lignes et à des actions que ses rôles n’autorisent pas.',
      fix: 'Mettez l’événement en file avec l’utilisateur de la requête : cds.queued(srv).send(…) sans autre utilisateur. Contrôlez les droits de l’appelant avant la mise en file.',
      variants: {
        spawned: {
          title: 'Données de la requête écrites en tâche de fond privilégiée',
          message: '{part}, reçu dans la requête, est écrit par {sink} dans une tâche lancée en tant qu’utilisateur privilégié.',
        },
      },
    },
  },
})
