import { functionThing, type CallGraph, type Thing } from './call-graph.ts'

const MAX_PARENTS = 8

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
      let here: readonly Thing[] = [{ ...functionThing(file, index), kind: 'class' }]
      for (let parents = 0; parents < MAX_PARENTS && here.length > 0; parents++) {
        if (here.some((one) => countOf(one) > 1 || madeOften.has(keyOf(one)))) return false
        here = here.flatMap((one) => parentsOf(one))
      }
      return true
    },
    isMadeOnce: (file, index) => countOf({ file, index }) > 0 && !madeOften.has(keyOf({ file, index })),
  }
}
