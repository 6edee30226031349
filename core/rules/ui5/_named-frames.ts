import type { FlowHit } from '../../flow/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { Project } from '../subjects.ts'

/**
 * What the pages of a project say of an element that only its id calls a frame. `frame`: it is one, `other`: it is something else, `assumed`: no page has it.
 * Undefined: the hit is about something else, or code says what the element is.
 */
export function namedFrameOf(
  hit: FlowHit,
  { files, step }: Pick<Project, 'files' | 'step'>,
): 'frame' | 'other' | 'assumed' | undefined {
  const id = hit.isGuess ? hit.api.subject : undefined
  if (id === undefined) return undefined
  for (const { kind, content } of files.values()) {
    step()
    if (kind.language !== 'html' || content.as !== 'markup') continue
    for (const element of elementsOf(content.document)) {
      step()
      if (attributeOf(element, 'id')?.value === id) return /^i?frame$/i.test(element.name) ? 'frame' : 'other'
    }
  }
  return 'assumed'
}
