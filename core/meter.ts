import { createBudget, type Budget, type StepCounter } from './budget.ts'
import type { ScanControl } from './types.ts'

/** Counts work in whichever budget is in use: models keep its `step` and count with it also what they compute later, in another phase. */
export interface Meter extends StepCounter {
  use(budget: Budget): void
}

/** Throws where something is counted before a budget is in use. */
export function createMeter(): Meter {
  let current: Budget | undefined
  return {
    step(count) {
      if (current === undefined) throw new Error('counted without a budget')
      current.step(count)
    },
    use(budget) {
      current = budget
    },
  }
}

/**
 * For what passes over a scan once, and for what a phase leaves behind that ended at its own budget: nothing may be asked of models with that. It ends with a scan
 * that is cancelled alone.
 */
export function untilCancelled({ interruption }: ScanControl): Budget {
  return createBudget(Infinity, () => (interruption?.() === 'cancelled' ? 'cancelled' : undefined))
}

/** A map of which each look-up and each visit counts a step: whoever joins files with files counts by doing so. */
export function countVisits<Key, Value>(map: ReadonlyMap<Key, Value>, step: () => void): ReadonlyMap<Key, Value> {
  function* visit<Item>(items: Iterable<Item>): MapIterator<Item> {
    for (const item of items) {
      step()
      yield item
    }
  }
  const counted: ReadonlyMap<Key, Value> = {
    get size() {
      return map.size
    },
    get(key) {
      step()
      return map.get(key)
    },
    has(key) {
      step()
      return map.has(key)
    },
    keys: () => visit(map.keys()),
    values: () => visit(map.values()),
    entries: () => visit(map.entries()),
    forEach(tell) {
      for (const [key, value] of visit(map)) tell(value, key, counted)
    },
    [Symbol.iterator]: () => visit(map),
  }
  return counted
}
