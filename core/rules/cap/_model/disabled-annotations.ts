import { listNames } from '../../../arguments.ts'
import {
  grantsEvent,
  privilegesOf,
  restrictionsOf,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { CdsDisabled } from '../../../parse/cds/types.ts'
import type { Match } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { nameOf, usersWith } from '../_matches.ts'
import { exposureOfRoles } from './restricted-exposures.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'

/** An annotation that is commented out in front of a service, or at one of its elements that nothing restricts: roles were meant, and have been switched off. */
export function disabledOn(
  { step }: Pick<CapRoot, 'step'>,
  files: Project['files'],
  { place, definition }: CapService,
  open: readonly CapElement[],
): CdsDisabled | undefined {
  const content = files.get(place.file)?.content
  if (content?.as !== 'cds') return undefined
  const names = open.flatMap((element) => (element.place.file === place.file ? (element.place.span?.start ?? []) : []))
  return content.document.disabled?.find(({ start, end, before }) => {
    step(names.length)
    if (before >= definition.start && before <= definition.nameSpan.start) return true
    if (start < definition.start || end > definition.end) return false
    // `service Orders /* @(requires: 'Clerk') */ {`
    return start - definition.nameSpan.end < MAX_BEHIND || isBeside({ start, end }, names)
  })
}

/** An annotation that is commented out in front of an element, or in front of its service. */
export function disabledBefore(
  { step }: Pick<CapRoot, 'step'>,
  files: Project['files'],
  { place }: CapElement,
  service: CapService,
): CdsDisabled | undefined {
  const name = place.span?.start
  const content = files.get(place.file)?.content
  if (content?.as !== 'cds' || name === undefined) return undefined
  const { definition, elements } = service
  return content.document.disabled?.find(({ before }) => {
    step(elements.length)
    if (place.file === service.place.file && before >= definition.start && before <= definition.nameSpan.start) return true
    if (before > name || name - before > MAX_DISTANCE) return false
    // none but its own name stands between
    return !elements.some((one) => one.place.file === place.file && isWithin(one.place.span?.start, before, name))
  })
}

function isWithin(offset: number | undefined, start: number, end: number): boolean {
  return offset !== undefined && offset >= start && offset < end
}

/** The element that stands next to the comment, before or behind it, is one of these. */
function isBeside({ start, end }: Pick<CdsDisabled, 'start' | 'end'>, names: readonly number[]): boolean {
  return names.some((at) => (at >= end && at - end < MAX_DISTANCE) || (at < start && start - at < MAX_DISTANCE))
}

/** Between a name and its annotation stand a few words and other annotations. */
const MAX_DISTANCE = 120
const MAX_BEHIND = 40

/** Privileges of entities whose condition on the user is commented out, and that no handler narrows. Needs the extract `entityHandlers`. */
export function* disabledConditionsOf(root: CapRoot, { files, reach }: Pick<Project, 'files' | 'reach'>): Generator<Match> {
  for (const { name, annotation, service, element } of restrictionsOf(root)) {
    const { file } = annotation.place
    const content = files.get(file)?.content
    const comments = content?.as === 'cds' ? (content.document.disabledConditions ?? []) : []
    if (name !== 'restrict' || element?.kind !== 'entity' || comments.length === 0) continue
    if (element.query?.where?.text.includes('$user') === true) continue
    for (const privilege of privilegesOf(annotation.value)) {
      root.step(comments.length)
      const { record, where, to } = privilege
      const comment = comments.find(({ start }) => start > record.start && start - record.end < MAX_BEHIND_RECORD)
      if (comment === undefined || where !== undefined) continue
      const granted = EVENTS.filter((event) => grantsEvent(privilege, event))
      const events = unaskedOf(granted, handlersFor(root, service, element))
      if (events.length === 0) continue
      const roles = to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      yield {
        at: { file, span: { start: comment.start, end: comment.end } },
        args: {
          entity: nameOf({ service, element }),
          users: usersWith(roles),
          events: listNames(events),
          condition: comment.condition,
        },
        variant: 'disabled',
        exposure: exposureOfRoles(service, element, roles, reach, { events }),
      }
    }
  }
}

const EVENTS = ['READ', 'UPDATE', 'DELETE'] as const
/** `{ grant: '*', to: 'Clerk' } // where: …` */
const MAX_BEHIND_RECORD = 5
