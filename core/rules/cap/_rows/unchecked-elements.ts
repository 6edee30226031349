import { eventsCheckedInCode, uncheckedInCode, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { handlersFor } from '../_handlers/write-handlers.ts'
import { uncheckedEvents } from './unchecked-events.ts'

/** What no code asks a role for, and entities of which it leaves some changes out. */
export function uncheckedElements(root: CapRoot, service: CapService, open: readonly CapElement[]): readonly CapElement[] {
  const unchecked = new Set(uncheckedInCode(root, service, open))
  return open.filter((element) => {
    root.step()
    if (element.kind !== 'entity') return unchecked.has(element)
    // handlers that ask or refuse without a role may leave nothing of what other handlers check open
    const isAsked = eventsCheckedInCode(root, service, element) !== undefined
    return isAsked ? changesLeft(root, service, element).length > 0 : unchecked.has(element)
  })
}

function changesLeft(root: CapRoot, service: CapService, element: CapElement): readonly string[] {
  return uncheckedEvents(element, service, handlersFor(root, service, element), root)?.left ?? []
}

/** `Orders (UPDATE/DELETE)`, where handlers ask for a role at other events. */
export function nameWithEvents(root: CapRoot, service: CapService, element: CapElement): string {
  const left = element.kind === 'entity' ? changesLeft(root, service, element) : []
  return left.length === 0 ? element.name : `${element.name} (${left.join('/')})`
}
