import { functionThing, type CallGraph, type Thing } from '../app/call-graph.ts'
import { levelsOf } from './class-lines.ts'

/** Which calls make objects of classes: of one that is made in several places each object has fields of its own. */
export interface ClassMakers extends Pick<CallGraph, 'isShared' | 'isMadeOnce'> {
  /** `isOnce`: it runs when the server starts, and never again. */
  add(thing: Thing, call: number, isOnce: boolean): void
}

export function createClassMakers(parentsOf: (thing: Thing) => readonly Thing[]): ClassMakers {
  const makers = new Map<string, Set<number>>()
  const madeOften = new Set<string>()
  const keyOf = ({ file, index }: Pick<Thing, 'file' | 'index'>): string => `${file} ${index}`
  const countOf = (thing: Pick<Thing, 'file' | 'index'>): number => makers.get(keyOf(thing))?.size ?? 0
  return {
    add(thing, call, isOnce) {
      const key = keyOf(thing)
      const own = makers.get(key) ?? new Set()
      makers.set(key, own.add(call))
      if (!isOnce) madeOften.add(key)
    },
    isShared(file, index) {
      // what the methods of a class put into `this`, those of the classes that extend it read
      const own: Thing = { ...functionThing(file, index), kind: 'class' }
      for (const level of levelsOf(own, parentsOf))
        if (level.some((one) => countOf(one) > 1 || madeOften.has(keyOf(one)))) return false
      return true
    },
    isMadeOnce: (file, index) => countOf({ file, index }) > 0 && !madeOften.has(keyOf({ file, index })),
  }
}
