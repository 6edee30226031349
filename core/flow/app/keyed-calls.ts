import { segmentsOf } from '../views/bindings.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile, LinkedFunction } from './links.ts'
import { COPY, READ, WRITE, type FlowCall } from '../types.ts'

/** Calls of functions that read or write what a key names. */
export interface KeyedCalls {
  /** Connects a call with a constant key to that field alone; false: it is a call like others. */
  connect(file: number, call: FlowCall, target: LinkedFunction): boolean
  /** No more edges are added; gives where the nodes end. */
  close(): number
}

/** `first`: the number of the first node that is free. */
export function createKeyedCalls(
  files: readonly LinkedFile[],
  bases: readonly number[],
  first: number,
  add: Connect,
): KeyedCalls {
  let last = first
  let isOpen = true
  /** Through as many fields as the key has. */
  const lead = (from: number, to: number, operation: number, names: readonly string[]): void => {
    let here = from
    for (const [index, name] of names.entries()) {
      const next = index === names.length - 1 ? to : last++
      add(here, next, operation, name)
      here = next
    }
  }
  return {
    connect(file, { key, result, args }, target) {
      const keyed = files[target.file]?.flow.functions[target.index]?.keyed
      if (keyed === undefined || key === undefined || !isOpen) return false
      const names = keyed.isPath ? segmentsOf(key.slice(key.indexOf('>') + 1)) : [key]
      if (names.length === 0) return false
      const base = bases[file] ?? 0
      const object = (bases[target.file] ?? 0) + keyed.object
      const given = keyed.value === undefined ? undefined : args[keyed.value]
      if (given !== undefined) lead(base + given, object, WRITE, names.toReversed())
      if (keyed.value === undefined) lead(object, base + result, READ, names)
      for (const index of keyed.passed ?? []) {
        const other = args[index]
        if (other !== undefined) add(base + other, base + result, COPY, '')
      }
      return true
    },
    close() {
      isOpen = false
      return last
    },
  }
}
