import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Client data that is queued, or spawned, to be worked on later as the privileged user.
 * Facts: capire, "Transactional Event Queues"; @sap/cds 9.9.3, libx/queue/processing.js (every queued event runs as
 * `new cds.User.Privileged(id)` with the id of the user who queued it); "cds.spawn" (the user of the options counts).
 * Impact: data that the caller's own roles do not allow; what is done with the data as the privileged user, and what the caller may do, is guessed.
 */
export const eventQueuePrivilegedReplay: Rule = defineRule({
  id: 'cap/event-queue-privileged-replay',
  impact: 'data',
  evidence: 'guessed',
  confidence: 'low',
  cwe: [250],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/event-queues#queueing-a-service',
  docsByVariant: { spawned: 'https://cap.cloud.sap/docs/node.js/cds-tx#cds-spawn' },
  on: 'flow',

  *check(hit) {
    if (hit.entry === 'message') return
    const match = { ...gradeHit(hit), confidence: 'low', args: { part: hit.quotedPart, sink: hit.quotedSink } } as const
    yield hit.detail === 'spawned' ? { ...match, variant: 'spawned' } : match
  },

  text: () => ({
    en: {
      title: 'Request data in an event processed as the privileged user',
      message:
        '{sink} queues an event with data sent by the client ({part}), and CAP processes the event later as the privileged user, without the caller’s ID.',
      why: 'No restriction applies when the event is processed: if its handler uses this data in queries or calls, a caller can read or change rows that their own roles do not allow.',
      fix: 'Queue the event outside the privileged tx(…), so that CAP stores the caller’s ID, and check the caller’s authorization first: CAP processes every queued event as the privileged user.',
      variants: {
        spawned: {
          title: 'Request data written in the background as the privileged user',
          message: '{sink} writes data sent by the client ({part}) in a spawned task that runs as the privileged user.',
          why: 'No restriction applies in the task: a caller can change rows that their own roles do not allow them to change.',
          fix: 'Run the task as the caller, cds.spawn({ user: cds.context.user }, …), and run the statement there through the service that restricts the entity: const srv = await cds.connect.to("<service>"), then await srv.run(…).',
        },
      },
    },
    fr: {
      title: 'Données de la requête dans un événement traité avec l’utilisateur privilégié',
      message:
        '{sink} met en file d’attente un événement contenant une donnée envoyée par le client ({part}), et CAP traite cet événement plus tard avec l’utilisateur privilégié, sans l’identifiant de l’appelant.',
      why: 'Aucune restriction ne s’applique au traitement de l’événement : si son gestionnaire utilise ces données dans des requêtes ou des appels, un appelant peut lire ou modifier des lignes que ses rôles n’autorisent pas.',
      fix: 'Mettez l’événement en file d’attente hors du tx(…) privilégié, pour que CAP enregistre l’identifiant de l’appelant, et vérifiez d’abord les autorisations de celui-ci : CAP traite tout événement en file d’attente avec l’utilisateur privilégié.',
      variants: {
        spawned: {
          title: 'Données de la requête écrites dans une tâche de fond privilégiée',
          message: '{sink} écrit une donnée envoyée par le client ({part}) dans une tâche lancée avec l’utilisateur privilégié.',
          why: 'Aucune restriction ne s’applique dans la tâche : un appelant peut modifier des lignes que ses rôles ne l’autorisent pas à modifier.',
          fix: 'Exécutez la tâche au nom de l’appelant, cds.spawn({ user: cds.context.user }, …), et faites-y exécuter l’instruction par le service qui restreint l’entité : const srv = await cds.connect.to("<service>"), puis await srv.run(…).',
        },
      },
    },
  }),
})
