import {
  accepts,
  doUsersWrite,
  exposedEntities,
  isFlowStatus,
  isGuarded,
  isTrue,
  toWords,
  writersOf,
  type CapElement,
  type CapMember,
  type CapRoot,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, RuleText } from '../../../types.ts'
import { mayBeLimitedInCode } from '../_handlers/user-handlers.ts'
import { ofUsers, usersWith } from '../_matches.ts'
import type { BypassReader } from './bypass-reader.ts'
import { exposureOf } from './restricted-exposures.ts'

/** Who decided, in words: `approved by`, also as one word. */
const DECIDED_BY =
  /^(?:approved|published|released|rejected|authori[sz]ed|signed|countersigned) ?(?:by|name)(?: (?:id|name|user|user id|email))?$|^approver ?name$/
/** What was decided. */
const STATE = /(?:^| )(?:status|state|decision|approval)(?: (?:code|id))?$|^(?:is )?(?:approved|released|rejected|published)$/

/**
 * Entities that say what was decided and by whom, where all users write both and no handler looks at them: one finding for each file. Needs `userHandlers` and the extracts of
 * `reader`.
 */
export function* clientDeciders(root: CapRoot, reach: ReachModel, reader: BypassReader): Generator<Match> {
  for (const exposed of exposedEntities(root)) {
    const { service, name, entity, isDirect, isWritten } = exposed
    if (!isDirect || !isWritten || isTrue(entity.annotations.get('cds.persistence.skip')?.value)) continue
    const members = entity.members()
    root.step(members.length)
    const actors = members.filter((one) => isOpen(one) && isPerson(one) && DECIDED_BY.test(toWords(one.name)))
    const [first] = actors
    const state = first && members.find((one) => isOpen(one) && !one.toMany && STATE.test(toWords(one.name)))
    if (first === undefined || state === undefined || isFlowStatus(entity, state) || !doUsersWrite(entity, service)) continue
    const isOpenToClients = eventsOf(entity).some((event) =>
      [first, state].every((member) => reader.isUntouched({ ...exposed, member }, event, false)),
    )
    if (!isOpenToClients || mayBeLimitedInCode(root, service, entity)) continue
    // that callers need no login is a finding of the service
    const exposure = ofUsers(exposureOf(service, entity, reach, eventsOf(entity)))
    yield {
      at: first.place,
      args: {
        element: actors.map((one) => one.name).join(', '),
        entity: name,
        state: state.name,
        file: first.place.file,
        writers: usersWith(writersOf(entity, service), exposure),
      },
      variant: 'decider',
      // one model treats all its approvals alike
      groupKey: `${first.place.file} decider`,
      exposure,
    }
  }
}

function isOpen(member: CapMember): boolean {
  return !member.key && !member.virtual && !member.calculated && !isGuarded(member)
}

/** A name or a key of a person, and no date. Fact: @sap/cds 9, common.cds: `User` is a text. */
function isPerson({ type, toMany }: CapMember): boolean {
  return (type === 'String' || type === 'User' || type === 'UUID' || type === 'Association') && !toMany
}

function eventsOf(entity: CapElement): readonly ('CREATE' | 'UPDATE')[] {
  return (['UPDATE', 'CREATE'] as const).filter((event) => accepts(entity, event))
}

export const DECIDER_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Approver of a row chosen by the client',
    message:
      '{element:and} of {entity} can be written together with {state}, and no handler sets or checks them: {writers:or} can send any user as the one who decided.',
    why: 'A user can approve a row alone and enter another user as the approver, and the record does not show who it was.',
    fix: 'Add @readonly to {element:and} and to {state} in {file}, and set both in an action: the state after a check of the role, the user from req.user.id.',
  },
  fr: {
    title: 'Approbateur d’une ligne choisi par le client',
    message:
      '{element:et} de {entity} se modifient avec {state}, et aucun gestionnaire ne les définit ni ne les vérifie : {writers:ou} peuvent envoyer n’importe quel utilisateur comme celui qui a décidé.',
    why: 'Un utilisateur peut approuver seul une ligne et inscrire un autre utilisateur comme approbateur, sans que l’enregistrement montre qui a décidé.',
    fix: 'Ajoutez @readonly à {element:et} et à {state} dans {file}, et définissez-les dans une action : l’état après un contrôle du rôle, l’utilisateur d’après req.user.id.',
  },
}
