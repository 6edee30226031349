import { functionOf } from '../../facts/callbacks.ts'
import type { Binding, ScriptFacts, Value } from '../../facts/index.ts'
import { isAbove, pathOf, type FieldPath } from './field-histories.ts'

/** Tells whether a function gets an object between two places of a script. */
export type HandedObjects = (path: FieldPath, from: number, to: number) => boolean

export function createHandedObjects(
  { assignments, deletions, calls }: ScriptFacts,
  step: (count?: number) => void,
): HandedObjects {
  let written: ReadonlySet<Binding | undefined> | undefined
  /** A function of the file that writes nothing into what it gets, and gives it to no other one. */
  const onlyReads = (callee: Value, args: readonly Value[], isHolder: (value: Value) => boolean): boolean => {
    const fact = callee.kind === 'reference' ? functionOf(callee) : undefined
    if (fact === undefined) return false
    written ??= new Set([
      ...assignments.map(({ target }) => pathOf(target)?.binding),
      ...deletions.map((deletion) => pathOf(deletion)?.binding),
      ...calls.flatMap((call) => call.args.flatMap((one) => (one.kind === 'reference' ? one.binding : []))),
    ])
    return args.every((argument, index) => {
      const binding = fact.parameters[index]
      return !isHolder(argument) || (binding === undefined ? fact.rest === undefined : !written?.has(binding))
    })
  }
  /** A function that gets the object may change it, unless it is one of the language that only reads. */
  return ({ binding, name = '' }: FieldPath, from: number, to: number): boolean => {
    step(1 + (calls.length >> 3))
    const isHolder = (value: Value): boolean => {
      if (value.kind !== 'reference' && value.kind !== 'member') return false
      const path = value.kind === 'reference' ? { binding: value.binding, name: '' } : pathOf(value)
      return path?.binding === binding && path.name !== undefined && isAbove(path.name, name)
    }
    return calls.some(
      ({ args, callee, start, end }) =>
        start > from &&
        end <= to &&
        !isReader(callee) &&
        !onlyReads(callee, args, isHolder) &&
        (args.some(isHolder) || (callee.kind === 'member' && !KEEPING.has(callee.name ?? '') && isHolder(callee.object))),
    )
  }
}

/** Methods that leave an object what it is, or of a map say themselves what they change. */
const KEEPING: ReadonlySet<string> = new Set('get has set delete keys values entries reject error info warn notify'.split(' '))

const READERS: ReadonlySet<string> = new Set(['keys', 'values', 'entries', 'stringify', 'log', 'info', 'warn', 'error', 'debug'])

/** `Object.values(x)`, `JSON.stringify(x)`, `console.log(x)`. */
function isReader(callee: Value): boolean {
  return (
    callee.kind === 'member' &&
    READERS.has(callee.name ?? '') &&
    callee.object.kind === 'reference' &&
    callee.object.binding === undefined &&
    /^(?:Object|JSON|console)$/.test(callee.object.name)
  )
}
