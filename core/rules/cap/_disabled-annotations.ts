import type { CapElement, CapRoot, CapService } from '../../model/cap/index.ts'
import type { CdsDisabled } from '../../parse/cds/types.ts'
import type { Project } from '../subjects.ts'

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

/** The element that stands next to the comment, before or behind it, is one of these. */
function isBeside({ start, end }: Pick<CdsDisabled, 'start' | 'end'>, names: readonly number[]): boolean {
  return names.some((at) => (at >= end && at - end < MAX_DISTANCE) || (at < start && start - at < MAX_DISTANCE))
}

/** Between a name and its annotation stand a few words and other annotations. */
const MAX_DISTANCE = 120
const MAX_BEHIND = 40
