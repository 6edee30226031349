import { functionThing, type OpenGraph, type Thing } from '../app/call-graph.ts'
import type { OpenCall } from '../app/called-values.ts'
import { levelsOf } from './class-lines.ts'
import type { ClassMakers } from './class-makers.ts'
import type { ClassReader } from './class-reader.ts'
import type { LinkedCalls } from '../app/linked-calls.ts'

/** Calls that make objects of classes, or run the constructor of the class above. */
export interface ConstructedObjects {
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
        const own = files[file]?.flow.callables?.classes[index]
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
