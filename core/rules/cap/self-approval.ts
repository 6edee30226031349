import { isDeveloperFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { handlerRegistrations } from './_callers/caller-checks.ts'
import { handlerLinks } from './_handlers/handler-links.ts'
import { usersWith, worstAtPlaces } from './_matches.ts'
import { CHOSEN_WORDS, chosenApprovers } from './_model/chosen-approvers.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { selfApprovals } from './_model/self-approvals.ts'
import { chosenDeciders } from './_rows/chosen-deciders.ts'
import { stateHandlers } from './_rows/decided-states.ts'
import { stateChanges } from './_rows/state-changes.ts'

/**
 * Segregation of duties: an action approves rows, the same users create them and call it, and nothing compares who made the row with who calls. Or the row
 * names who decides, and whoever asks for the decision puts that name there.
 * Facts: NIST SP 800-53 Rev. 5, AC-5 (Separation of Duties); capire, "Authorization" (an action is checked by roles and by conditions of its entity, not by who made a row).
 * Impact: users decide about their own requests; that a second person was meant to do so is assumed, unless the row names that person, or the model gives new rows and the approval to the very same role by its name.
 */
export const selfApproval: Rule = defineRule({
  id: 'cap/self-approval',
  impact: 'data',
  evidence: 'assumed',
  grades: { chosen: { evidence: 'shown' } },
  confidence: 'medium',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://csrc.nist.gov/projects/cprt/catalog#/cprt/framework/version/SP_800_53_5_1_1/home?element=AC-05',
  extracts: [stateHandlers, stateChanges, handlerLinks, chosenDeciders, handlerRegistrations],

  checks: {
    *flow({ at, sink, part, compared }) {
      const { route, check, owner } = compared ?? {}
      if (owner?.own !== 'approved' || isDeveloperFile(at.file)) return
      const args = {
        route: quoteWord(sink),
        creator: part,
        table: check ?? '',
        other: quoteWord(route ?? ''),
        role: quoteWord(owner.role ?? ''),
      }
      yield { at, args, variant: 'route', reach: 'user' }
    },

    *'cap-root'(root, { reach }) {
      if (root.test || root.runtime === 'java') return
      const matches: Match[] = [...chosenApprovers(root, reach)]
      for (const { at, service, action, entity, creator, state, users, isNamed, approver } of selfApprovals(root))
        matches.push({
          at,
          args: {
            action: action.name,
            state,
            creator,
            entity: `${service.name}.${entity.name}`,
            users: usersWith(users),
            ...(approver !== undefined && { approver: quoteWord(approver) }),
          },
          ...(approver !== undefined && { variant: 'own' }),
          ...(isNamed && { evidence: 'shown' as const }),
          // that callers need no login is a finding of the service
          exposure: exposureOfRoles(service, action, users, reach, { events: [] }),
        })
      yield* worstAtPlaces(matches)
    },
  },

  text: () => ({
    en: {
      title: 'Missing segregation of duties in an approval',
      message:
        'The action {action} sets {state} for any row, and no handler compares {creator} with the caller: {users:or} can create rows of {entity} and approve them.',
      why: 'A user can approve what they requested themselves: the review by a second person has no effect.',
      fix: "Read {creator} of the row in a handler before the action, and reject the call (403) if it is req.user.id. If one person may do both, grant the action to a role of its own: @restrict: [{ grant: '<action>', to: '<role>' }].",
      variants: {
        chosen: CHOSEN_WORDS.en,
        own: {
          message:
            'The action {action} sets {state} without a restriction of its own: @restrict of {entity} permits {users:or} all events of their own rows ({creator}), this action too, although the role {approver} exists.',
          fix: "Restrict the action itself: @requires: '<role of the approvers>' (or list the events in the privilege of the requesters instead of '*'). Compare {creator} with req.user.id in a handler if approvers can create rows, too.",
        },
        route: {
          message:
            'The route {route} approves rows of {table} for callers with the role {role} and does not compare {creator} with the caller, although any user with a login can create such rows ({other}).',
          why: 'A user with this role can approve what they requested themselves: the review by a second person has no effect.',
          fix: 'Load the row first, compare its {creator} with the user whom the login has put on the request (req.user), and answer 403 if they are the same.',
        },
      },
    },
    fr: {
      title: 'Séparation des tâches absente d’une approbation',
      message:
        'L’action {action} définit {state} pour toute ligne, et aucun gestionnaire ne compare {creator} à l’appelant : {users:ou} peuvent créer des lignes de {entity} et les approuver.',
      why: 'Un utilisateur peut approuver ce qu’il a lui-même demandé : la revue par une seconde personne n’a pas d’effet.',
      fix: "Lisez {creator} de la ligne dans un gestionnaire avant l’action, et rejetez l’appel (403) si c’est req.user.id. Si une même personne peut faire les deux, accordez l’action à un rôle propre : @restrict: [{ grant: '<action>', to: '<rôle>' }].",
      variants: {
        chosen: CHOSEN_WORDS.fr,
        own: {
          message:
            'L’action {action} définit {state} sans restriction propre : @restrict de {entity} permet à {users:ou} tous les événements de leurs lignes ({creator}), cette action comprise, alors que le rôle {approver} existe.',
          fix: "Restreignez l’action elle-même : @requires: '<rôle des approbateurs>' (ou énumérez les événements dans le privilège des demandeurs au lieu de '*'). Comparez {creator} à req.user.id dans un gestionnaire si les approbateurs peuvent aussi créer des lignes.",
        },
        route: {
          message:
            'La route {route} approuve des lignes de {table} pour les appelants du rôle {role} sans comparer {creator} à l’appelant, alors que tout utilisateur connecté peut créer de telles lignes ({other}).',
          why: 'Un utilisateur de ce rôle peut approuver ce qu’il a lui-même demandé : la revue par une seconde personne n’a pas d’effet.',
          fix: 'Lisez d’abord la ligne, comparez son {creator} à l’utilisateur que la connexion a placé sur la requête (req.user) et répondez 403 s’il s’agit du même.',
        },
      },
    },
  }),
})
