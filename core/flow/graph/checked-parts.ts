import { createGuardReader, directParts, keyOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import { effectAt } from './asserted.ts'
import { cleansOf } from './guard-effects.ts'

const MAX_PARTS = 40

/**
 * Tells which fields of an object conditions on the way have checked where the object as a whole is handed on: `if (!FORMAT.test(req.data.name)) return`, then
 * `save(req.data)`. As a move behind checks names them.
 */
export function createPartReader(
  { calls, guards }: ScriptFacts,
  step: (count?: number) => void,
): (value: Value) => readonly string[] {
  if (guards.length === 0) return () => []
  let handed: ReadonlySet<Value> | undefined
  let guardsAt: ReturnType<typeof createGuardReader> | undefined
  return (value) => {
    handed ??= new Set(calls.flatMap(({ args }) => args))
    if (!handed.has(value)) return []
    guardsAt ??= createGuardReader(guards, step)
    const own = guardsAt(value.start)
    const key = own.length === 0 ? undefined : keyOf(value)
    if (key === undefined) return []
    const found = new Map<string, string>()
    const open: Value[] = own.map(({ test }) => test)
    for (let visits = 0; visits < MAX_PARTS; visits++) {
      const here = open.pop()
      if (here === undefined) break
      step()
      const inner = here.kind === 'member' || here.kind === 'reference' ? keyOf(here) : undefined
      if (inner?.startsWith(`${key} `) === true) {
        const path = inner.slice(key.length + 1).replaceAll(' ', '.')
        const effect = found.has(path) ? undefined : effectAt({ ...here, start: value.start, end: value.end }, own, 'server')
        if (effect === 'clean') found.set(path, `-${path}`)
        else if (effect !== undefined && cleansOf(effect).includes(PLAIN_VALUE)) found.set(path, `~${path}`)
      } else open.push(...directParts(here))
    }
    return [...found.values()]
  }
}
