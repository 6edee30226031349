import { directParts, keyOf, type Value } from '../../facts/index.ts'
import { toMark } from '../field-marks.ts'
import { provedAt } from './proofs.ts'
import { cleansOf } from '../tables/harmless.ts'
import type { ScriptChecks } from './script-checks.ts'
import type { CheckingScript } from '../graph/input.ts'
import { marksOfAll } from '../values/filtered-items.ts'

const MAX_PARTS = 40
/** What looks at the items of a list one by one. */
const ITERATING = /^(?:forEach|map|flatMap|filter|find|reduce|entries|values|slice|sort|at)$/

/**
 * Tells which fields of an object conditions on the way have checked where the object as a whole is handed on: `if (!FORMAT.test(req.data.name)) return`, then
 * `save(req.data)`. As a move behind checks names them.
 */
export function createPartReader(
  script: Pick<CheckingScript, 'facts' | 'step' | 'parts' | 'realm'> & Pick<ScriptChecks, 'guardsAt'>,
): (value: Value) => readonly string[] {
  const { facts, step, guardsAt } = script
  const { calls, guards, bindings } = facts
  if (guards.length === 0) return () => []
  let handed: ReadonlySet<Value> | undefined
  return (value) => {
    handed ??= new Set([
      ...calls.flatMap(({ callee, args }) =>
        callee.kind === 'member' && ITERATING.test(callee.name ?? '') ? [callee.object, ...args] : args,
      ),
      ...bindings.flatMap(({ definitions }) => definitions.flatMap((one) => (one.kind === 'each' ? (one.value ?? []) : []))),
    ])
    if (!handed.has(value)) return []
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
        const proofs = found.has(path) ? [] : provedAt({ ...here, start: value.start, end: value.end }, own, script)
        const cleans = cleansOf(proofs)
        if (cleans !== undefined) found.set(path, toMark(path, cleans))
      } else open.push(...directParts(here))
    }
    const ofItems = own.flatMap(({ test, inside }) => marksOfAll(test, key, value.start < inside.end, script))
    return [...found.values(), ...ofItems]
  }
}
