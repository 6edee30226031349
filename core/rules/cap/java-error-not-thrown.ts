import { defineRule, type Rule } from '../rule.ts'
import { unthrownErrors } from './_java/unthrown-errors.ts'
import { ofUsers } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * An `@On` handler of CAP Java that only adds an error message where it means to refuse: the message reaches the client, and CAP writes the row nevertheless.
 * Facts: see `_java/unthrown-errors.ts`.
 * Impact: a check of the caller is missing by that; of others the client gets past a check of its own data.
 */
export const javaErrorNotThrown: Rule = defineRule({
  id: 'cap/java-error-not-thrown',
  impact: 'bounded',
  grades: { caller: { impact: 'data' } },
  confidence: 'high',
  cwe: [754, 863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/java/event-handlers/indicating-errors',
  on: 'cap-root',

  *check(root, { reach }) {
    if (root.test) return
    for (const { at, call, event, asksCaller, service, element } of unthrownErrors(root)) {
      if (reach.usageOf(at.file) === 'unused') continue
      // that callers need no login is a finding of the service
      const exposure = ofUsers(exposureOf(service, element, reach, [event]))
      const args = { call, event, entity: `${service.name}.${element.name}` }
      yield { at, args, exposure, groupKey: `${at.file} ${element.name} ${event}`, ...(asksCaller && { variant: 'caller' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Error message that does not reject the request',
      message:
        'The @On handler for {event} on {entity} only calls {call}: it neither throws nor completes the event, so the handler of CAP still writes the row.',
      why: 'CAP Java makes an exception of error messages at the end of the Before phase alone. In the On phase, a client gets past this check: the invalid data is stored.',
      fix: 'Move the check to a @Before handler, or throw new ServiceException(ErrorStatuses.BAD_REQUEST, "…"). After several messages, call context.getMessages().throwIfError().',
      variants: {
        caller: {
          title: 'Authorization check that does not reject the request',
          why: 'CAP Java makes an exception of error messages at the end of the Before phase alone. In the On phase, callers who fail this check still change the data.',
          fix: 'Throw new ServiceException(ErrorStatuses.FORBIDDEN, "…") instead, or move the check to a @Before handler. Better still, annotate the entity with @restrict and the role.',
        },
      },
    },
    fr: {
      title: 'Message d’erreur qui ne rejette pas la requête',
      message:
        'Le gestionnaire @On de {event} sur {entity} ne fait qu’appeler {call} : il ne lève pas d’exception et ne termine pas l’événement, le gestionnaire de CAP écrit donc la ligne.',
      why: 'CAP Java ne transforme les messages d’erreur en exception qu’à la fin de la phase Before. En phase On, un client passe outre ce contrôle : les données invalides sont enregistrées.',
      fix: 'Déplacez le contrôle dans un gestionnaire @Before, ou levez new ServiceException(ErrorStatuses.BAD_REQUEST, "…"). Après plusieurs messages, appelez context.getMessages().throwIfError().',
      variants: {
        caller: {
          title: 'Contrôle d’autorisation qui ne rejette pas la requête',
          why: 'CAP Java ne transforme les messages d’erreur en exception qu’à la fin de la phase Before. En phase On, un appelant refusé par ce contrôle modifie quand même les données.',
          fix: 'Levez plutôt new ServiceException(ErrorStatuses.FORBIDDEN, "…"), ou déplacez le contrôle dans un gestionnaire @Before. Mieux encore : annotez l’entité avec @restrict et le rôle.',
        },
      },
    },
  }),
})
