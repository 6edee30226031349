import { type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match, RuleText } from '../../../types.ts'
import { handlerRegistrations } from '../_callers/caller-checks.ts'
import type { EventNames } from '../_handlers/handled-functions.ts'
import { ofUsers, usersWith } from '../_matches.ts'
import { chosenDeciders } from '../_rows/chosen-deciders.ts'
import { exposureOf } from './restricted-exposures.ts'
import { callersOf, sharedBy } from './self-approvals.ts'

/** An operation of a service, with those who may call it. */
interface Operation {
  readonly service: CapService
  readonly element: CapElement
  readonly callers: readonly string[]
}

/**
 * Operations that write whom the client names into the column by which another one tells who may decide, for users who may call both: they name themselves.
 * Needs the extracts `chosenDeciders` and `handlerRegistrations`.
 */
export function* chosenApprovers(root: CapRoot, reach: ReachModel): Generator<Match> {
  const found = root.scripts.get(chosenDeciders)
  const asked = found.filter(({ value }) => value.kind === 'asked')
  if (asked.length === 0) return
  for (const { file, value } of found) {
    if (value.kind !== 'chosen') continue
    root.step(asked.length)
    const { entity, column, client, handled, start, end } = value
    const choosing = operationsOf(root, file, handled)
    const deciding = asked.flatMap((one) =>
      one.value.entity === entity && one.value.column === column ? operationsOf(root, one.file, one.value.handled) : [],
    )
    for (const { service, element, callers } of choosing) {
      const own = deciding.filter((one) => sharedBy(callers, one.callers).length > 0)
      const [first] = own
      if (first === undefined || [element, ...own.map((one) => one.element)].some((one) => mayBeChecked(root, one))) continue
      yield {
        at: { file, span: { start, end } },
        args: {
          choosing: element.name,
          value: client,
          column,
          entity,
          action: first.element.name,
          users: usersWith(sharedBy(callers, first.callers)),
        },
        variant: 'chosen',
        // that callers need no login is a finding of the service
        exposure: ofUsers(exposureOf(service, element, reach)),
        groupKey: `${file} ${entity} ${column}`,
      }
      break
    }
  }
}

function operationsOf(root: CapRoot, file: string, handled: readonly EventNames[]): readonly Operation[] {
  return handled.flatMap((one) => {
    const { services } = root.eventOf({ file, ...one })
    return services.flatMap((service) =>
      service.elements.flatMap((element): readonly Operation[] => {
        if (element.kind === 'entity' || !one.events.includes(lastName(element.name))) return []
        const bound = service.elements.find(({ kind, name }) => kind === 'entity' && name === element.entity)
        return [{ service, element, callers: callersOf(service, element, bound) }]
      }),
    )
  })
}

/** A handler in front of the operation may look at what is sent, or at who calls. */
function mayBeChecked(root: CapRoot, { name }: CapElement): boolean {
  return root.scripts
    .get(handlerRegistrations)
    .some(
      ({ value: { phase, events, asks } }) =>
        phase === 'before' && (events.includes(lastName(name)) || (asks && (events.includes('*') || events.includes(undefined)))),
    )
}

/** The words of `cap/self-approval` for it. */
export const CHOSEN_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Approver chosen by the user whose row is approved',
    message:
      '{choosing} writes {value}, which the client sends, into {column} of {entity} without a check, and {action} only asks whether the caller is named there: {users:or} can name themselves.',
    why: 'A user can name themselves as the one who decides, and then approve what they requested: the review by a second person has no effect.',
    fix: 'Take the approver in {choosing} from data that users cannot write, such as the manager in the row of the user. Or load the row of {value}, and reject the request (403) if it is the caller or may not approve.',
  },
  fr: {
    title: 'Approbateur choisi par l’utilisateur dont la ligne est approuvée',
    message:
      '{choosing} inscrit {value}, envoyé par le client, dans {column} de {entity} sans contrôle, et {action} demande seulement si l’appelant y figure : {users:ou} peuvent se désigner eux-mêmes.',
    why: 'Un utilisateur peut se désigner comme celui qui décide, puis approuver ce qu’il a demandé : la revue par une seconde personne n’a pas d’effet.',
    fix: 'Prenez dans {choosing} l’approbateur parmi des données que les utilisateurs ne peuvent pas modifier, comme le responsable inscrit dans la ligne de l’utilisateur. Ou chargez la ligne de {value}, et rejetez la requête (403) si c’est l’appelant ou s’il ne peut pas approuver.',
  },
}
