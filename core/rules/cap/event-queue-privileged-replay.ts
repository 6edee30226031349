import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Client data that is queued, or spawned, to be worked on later as the privileged user.
 * Facts: capire, "Transactional Event Queues"; @sap/cds 9.9.3, libx/queue/processing.js (every queued event runs as
 * `new cds.User.Privileged(id)` with the id of the user who queued it); "cds.spawn" (the user of the options counts).
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
    const match = { ...gradeHit(hit, 'LOW'), confidence: 'low', args: { part: hit.quotedPart, sink: hit.sink } } as const
    yield hit.detail === 'spawned' ? { ...match, variant: 'spawned' } : match
  },

  text: {
    en: {
      title: 'Request data queued for the privileged user',
      message:
        '{part} from the request is queued by {sink} and processed later as the privileged user, without the ID of the caller.',
      why: 'No restriction applies when the event is processed: a caller can read or change rows and run actions that their own roles do not allow.',
      fix: 'Queue the event as the caller, cds.queued(srv).send(…) without user: cds.User.privileged, so that CAP stores their ID with it. First check what the caller may do: CAP processes every queued event with all rights.',
      variants: {
        spawned: {
          title: 'Request data written in the background as the privileged user',
          message: '{part} from the request is written by {sink} in a spawned task that runs as the privileged user.',
          why: 'No restriction applies in the task: a caller can read or change rows and run actions that their own roles do not allow.',
          fix: 'Run the task as the caller: cds.spawn({ user: req.user }, …). As cds.User.privileged, run only statements that use nothing from the request.',
        },
      },
    },
    fr: {
      title: 'Données de la requête mises en file pour l’utilisateur privilégié',
      message:
        '{part}, reçu dans la requête, est mis en file par {sink} et traité plus tard en tant qu’utilisateur privilégié, sans l’identifiant de l’appelant.',
      why: 'Quand l’événement est traité, aucune restriction ne s’applique : un appelant accède à des lignes et à des actions que ses rôles n’autorisent pas.',
      fix: 'Mettez l’événement en file au nom de l’appelant, cds.queued(srv).send(…) sans user: cds.User.privileged : CAP y joint alors son identifiant. Vérifiez d’abord ses droits : CAP traite tout événement en file avec tous les droits.',
      variants: {
        spawned: {
          title: 'Données de la requête écrites en tâche de fond privilégiée',
          message: '{part}, reçu dans la requête, est écrit par {sink} dans une tâche lancée en tant qu’utilisateur privilégié.',
          why: 'Aucune restriction ne s’applique dans la tâche : un appelant accède à des lignes et à des actions que ses rôles n’autorisent pas.',
          fix: 'Exécutez la tâche au nom de l’appelant : cds.spawn({ user: req.user }, …). N’exécutez avec cds.User.privileged que les instructions qui n’utilisent rien de la requête.',
        },
      },
    },
  },
})
