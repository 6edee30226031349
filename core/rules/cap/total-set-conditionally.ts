import {
  accepts,
  exposedMembers,
  isAdministrative,
  isGuarded,
  isNumeric,
  wordOf,
  writersOf,
  type CapMember,
  type CapRoot,
  type ExposedMember,
  type WriteEvent,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { projectedNames } from './_handlers/user-handlers.ts'
import { memberName, ofUsers, worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { isForEntity } from './_model/state-handlers.ts'
import { conditionalTotals, type ConditionalTotal } from './_rows/conditional-totals.ts'
import { stateHandlers } from './_rows/decided-states.ts'
import { areOfClients } from './_rows/sent-parts.ts'

/**
 * A total or amount that a handler works out only where the request holds what it is made of: a request without that stores what the client sends for the total.
 * Facts: capire, "Input Validation" (`@readonly`: what clients send is dropped; everything else is written); OData V4, "Update an Entity": PATCH changes the properties that it names.
 * Impact: amounts of the client's choice; what is paid by them is not in the project. Little where clients also choose all that the total is made of.
 */
export const totalSetConditionally: Rule = defineRule({
  id: 'cap/total-set-conditionally',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [841, 915],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints#readonly',
  on: 'cap-root',
  extracts: [conditionalTotals, stateHandlers],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const known = root.scripts.get(conditionalTotals)
    if (known.length === 0) return
    const matches: Match[] = []
    const members = [...exposedMembers(root)].filter(
      ({ member, isWritten }) => isWritten && isNumeric(member) && !isGuarded(member) && !member.key,
    )
    for (const { file, value } of known) {
      const { services } = root.eventOf({ file, ...value })
      root.step(members.length)
      for (const exposed of members) {
        if (exposed.member.name !== value.element || !services.includes(exposed.service)) continue
        const events = openEvents(exposed, value)
        const writers = writersOf(exposed.entity, exposed.service, events)
        const names = projectedNames(root, exposed.entity.qualified)
        if (events.length === 0 || !isForEntity(value, names) || writers.every(isAdministrative)) continue
        if (isHandledElsewhere(root, exposed.member, names, { file, start: value.handlerStart })) continue
        matches.push({
          at: { file, span: { start: value.start, end: value.end } },
          args: { element: memberName(exposed), needs: value.needs.join(', ') },
          ...(value.parts !== undefined && areOfClients(value.parts, exposed.entity, root) && LITTLE),
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(exposed.service, exposed.entity, reach, events)),
        })
      }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Total calculated only if the request holds its parts',
      message:
        'The handler calculates {element} only where the request holds {needs:and}; otherwise it stores what the client sends.',
      why: 'A user can send the total alone, or create a row without its parts, and so store any amount.',
      fix: 'Annotate {element} with @readonly: the handler can still set it. Or read the missing parts from the row and calculate it in any case, or delete it from req.data where they are missing.',
    },
    fr: {
      title: 'Total calculé seulement si la requête en contient les parties',
      message:
        'Le gestionnaire ne calcule {element} que si la requête contient {needs:et} ; sinon, il enregistre ce qu’envoie le client.',
      why: 'Un utilisateur peut envoyer le total seul, ou créer une ligne sans ses parties, et ainsi enregistrer n’importe quel montant.',
      fix: 'Annotez {element} avec @readonly : le gestionnaire peut toujours le définir. Ou lisez les parties manquantes dans la ligne et calculez-le dans tous les cas, ou supprimez-le de req.data si elles manquent.',
    },
  }),
})

/** Who may choose the price of an item may choose the total. */
const LITTLE = { impact: 'bounded', evidence: 'shown' } as const
const CHANGES = /^(?:UPDATE|PATCH|SAVE|WRITE|\*)$/
const CREATES = /^(?:CREATE|NEW|SAVE|WRITE|\*)$/

/** The events in which the parts may be missing: a change names what it changes, and a new row may lack what isn't mandatory. */
function openEvents({ entity }: ExposedMember, { events, needs }: ConditionalTotal): readonly WriteEvent[] {
  const isDraft = entity.annotations.has('odata.draft.enabled')
  const isChange = accepts(entity, 'UPDATE') && events.some((name) => CHANGES.test(name)) && !isDraft
  const isNew = accepts(entity, 'CREATE') && events.some((name) => CREATES.test(name))
  const members = entity.members()
  const isFree = needs.some((name) => members.some((one) => one.name === name && !isNeeded(one)))
  return [...(isChange ? (['UPDATE'] as const) : []), ...(isNew && isFree ? (['CREATE'] as const) : [])]
}

/**
 * A new row is refused without it.
 * Facts: @sap/cds 9.9.3, lib/req/validate.js (`_is_mandatory`; `@assert.range` lets what is missing pass); the database refuses what is `not null` and has no default.
 */
function isNeeded({ annotations, isNotNull = false }: CapMember): boolean {
  const control = annotations.get('Common.FieldControl')?.value
  return isNotNull || annotations.has('mandatory') || (control?.kind === 'symbol' && wordOf(control) === 'Mandatory')
}

/** Another handler for rows of the entity sets or drops the element, or nobody can tell. */
function isHandledElsewhere(
  root: CapRoot,
  { name }: CapMember,
  names: ReadonlySet<string>,
  own: { readonly file: string; readonly start: number },
): boolean {
  const handlers = root.scripts.get(stateHandlers)
  root.step(handlers.length)
  return handlers.some(({ file, value }) => {
    if (value.phase === 'after' || (file === own.file && value.start === own.start)) return false
    return isForEntity(value, names) && (value.isOpen || value.overwrites.includes(name) || value.touches.includes(name))
  })
}
