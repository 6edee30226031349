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
    const match = { ...gradeHit(hit, 'LOW'), confidence: 'low', args: { part: hit.quotedPart, sink: hit.quotedSink } } as const
    yield hit.detail === 'spawned' ? { ...match, variant: 'spawned' } : match
  },

  text: {
    en: {
      title: 'Request data in an event processed as the privileged user',
      message:
        '{sink} queues {part} from the request, and CAP processes it later as the privileged user, without the caller’s ID.',
      why: 'No restriction applies when the event is processed: a caller can read or change rows and run actions that their own roles do not allow.',
      fix: 'Remove user: cds.User.privileged and queue the event as the caller with cds.queued(srv).send(…), so that CAP stores the caller’s ID. Check the caller’s authorization first: CAP processes every queued event as the privileged user.',
      variants: {
        spawned: {
          title: 'Request data written in the background as the privileged user',
          message: '{sink} writes {part} from the request in a spawned task that runs as the privileged user.',
          why: 'No restriction applies in the task: a caller can read or change rows and run actions that their own roles do not allow.',
          fix: 'Run the task as the caller: cds.spawn({ user: req.user }, …). Use cds.User.privileged only for statements that contain no request data.',
        },
      },
    },
    fr: {
      title: 'Données de la requête dans un événement traité avec l’utilisateur privilégié',
      message:
        '{sink} met en file {part}, reçu dans la requête, et CAP le traite plus tard avec l’utilisateur privilégié, sans l’identifiant de l’appelant.',
      why: 'Lorsque l’événement est traité, aucune restriction ne s’applique : un appelant peut lire ou modifier des lignes et lancer des actions que ses rôles n’autorisent pas.',
      fix: 'Supprimez user: cds.User.privileged et mettez l’événement en file au nom de l’appelant avec cds.queued(srv).send(…), pour que CAP enregistre son identifiant. Vérifiez d’abord ses autorisations : CAP traite tout événement en file avec l’utilisateur privilégié.',
      variants: {
        spawned: {
          title: 'Données de la requête écrites en tâche de fond privilégiée',
          message: '{sink} écrit {part}, reçu dans la requête, dans une tâche lancée avec l’utilisateur privilégié.',
          why: 'Aucune restriction ne s’applique dans la tâche : un appelant peut lire ou modifier des lignes et lancer des actions que ses rôles n’autorisent pas.',
          fix: 'Exécutez la tâche au nom de l’appelant : cds.spawn({ user: req.user }, …). N’utilisez cds.User.privileged que pour des instructions qui ne contiennent aucune donnée de la requête.',
        },
      },
    },
  },
})
