import { append } from '../../../lists.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { findAskingHandlers, isHandlerOf, type AskingHandler } from './caller-checks.ts'

/** What a handler is called for. */
interface OperationEvent {
  readonly names: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
}

/** Tells whether a handler in front of that of an operation, `before('ask', …)`, asks of who calls more than a role. Needs `callerCheckExtracts`. */
export function createFrontReader(root: CapRoot): (file: string, event: OperationEvent) => boolean {
  const fronts = new Map<string, AskingHandler[]>()
  for (const one of findAskingHandlers(root)) {
    root.step(one.events.length)
    if (one.phase !== 'before' || one.passes === true || one.byRole === true) continue
    for (const name of one.events) if (name !== undefined && name !== '*') append(fronts, name, one)
  }
  return (file, { names, service, isConnected }) => {
    if (names.length === 0 || !names.every((name) => fronts.has(name))) return false
    const { services } = root.eventOf({ file, service, isConnected, events: names, entities: undefined })
    const isInFront = (one: AskingHandler): boolean => {
      root.step()
      return one.file === file || services.some((of) => isHandlerOf(one, of, root))
    }
    return names.every((name) => fronts.get(name)?.some(isInFront) === true)
  }
}
