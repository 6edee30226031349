import { functionThing, type CallGraph, type Thing, type OpenGraph } from '../app/call-graph.ts'
import type { OpenCall } from '../app/open-calls.ts'
import type { ClassReader } from './class-reader.ts'
import type { LinkedCalls } from '../app/linked-calls.ts'

/** Which calls make objects of classes: of one that is made in several places each object has fields of its own. */
interface ClassMakers extends Pick<CallGraph, 'isShared' | 'isMadeOnce'> {
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

/** Calls that make objects of classes, or run the constructor of the class above. */
interface ConstructedObjects {
  construct(call: OpenCall, of: Thing): void
  /** Parents may have become known since, and with them the constructors that run. */
  constructAgain(): void
}

export function createConstructedObjects(
  { files }: Pick<OpenGraph, 'files'>,
  { link }: LinkedCalls,
  { parentsOf }: Pick<ClassReader, 'parentsOf'>,
  makers: Pick<ClassMakers, 'add'>,
  step: () => void,
): ConstructedObjects {
  const constructed = new Map<string, { call: OpenCall; thing: Thing }>()
  const run = (call: OpenCall, thing: Thing): void => {
    step()
    let isLinked = false
    for (const level of levelsOf(thing, parentsOf)) {
      let found = false
      for (const { file, index } of level) {
        if (call.how === 'new') makers.add(functionThing(file, index), call.id, call.isOnce)
        const own = files[file]?.flow.server?.callables.classes[index]
        if (own?.initializer === undefined || isLinked) continue
        found = true
        link(call, functionThing(file, own.initializer), true)
      }
      isLinked ||= found
    }
  }
  return {
    construct(call, thing) {
      const key = `${call.id} ${thing.file} ${thing.index}`
      if (!constructed.has(key)) constructed.set(key, { call, thing })
      run(call, thing)
    },
    constructAgain() {
      for (const { call, thing } of constructed.values()) run(call, thing)
    },
  }
}

const MAX_PARENTS = 8

/** A class, then what it extends, then what that extends; a parent that is chosen at run time makes several. Classes that extend each other in a ring end by the bound. */
export function* levelsOf<One>(from: One, parentsOf: (one: One) => readonly One[]): Generator<readonly One[], void> {
  let here: readonly One[] = [from]
  for (let parents = 0; parents < MAX_PARENTS && here.length > 0; parents++) {
    yield here
    here = here.flatMap((one) => parentsOf(one))
  }
}
