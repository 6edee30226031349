import { append, reachedFrom } from '../../lists.ts'
import type { AddCall } from '../app/joined-graph.ts'
import type { LinkedClass, LinkedFile, LinkedFunction, Linker } from '../app/links.ts'
import type { FlowClass } from '../types.ts'

/** Classes that override one method: a base class of more is that of a whole library. */
const MAX_OVERRIDES = 50

/** A call of `this.onRoute(x)` runs the method of the classes that extend the one around as well: the hook that a base class leaves to them. */
export function addOverrides(
  files: readonly LinkedFile[],
  linker: Linker,
  addCall: AddCall,
  step: (count?: number) => void,
): void {
  if (!files.some(({ flow }) => flow.hooks !== undefined)) return
  const derived = derivedClasses(files, linker)
  if (derived.size === 0) return
  const methods = new Map<number, ReadonlyMap<string, readonly number[]>>()
  const methodsIn = (file: number): ReadonlyMap<string, readonly number[]> => {
    const known = methods.get(file)
    if (known !== undefined) return known
    const found = new Map<string, number[]>()
    for (const [name, index] of files[file]?.flow.exports ?? []) append(found, name, index)
    methods.set(file, found)
    return found
  }
  for (const [file, { flow }] of files.entries()) {
    if (flow.hooks === undefined) continue
    const classes = new Map(flow.classes.map((own) => [own.name, own]))
    for (const { call, classes: names, method } of flow.hooks) {
      const below = names.flatMap((name) => {
        const own = classes.get(name)
        if (own === undefined) return []
        return [...reachedFrom({ file, class: own }, (one) => derived.get(one.class) ?? [], MAX_OVERRIDES)]
      })
      step(below.length)
      // a class has its full name beside that of its module
      const targets = new Map<string, LinkedFunction>()
      for (const one of below)
        for (const index of methodsIn(one.file).get(`${one.class.name}#${method}`) ?? [])
          targets.set(`${one.file} ${index}`, { file: one.file, index })
      const called = flow.calls[call]
      if (called !== undefined) addCall(file, called, [...targets.values()])
    }
  }
}

function derivedClasses(files: readonly LinkedFile[], linker: Linker): ReadonlyMap<FlowClass, readonly LinkedClass[]> {
  const derived = new Map<FlowClass, LinkedClass[]>()
  for (const [file, { flow }] of files.entries())
    for (const own of flow.classes) {
      const parent = linker.parentOf(file, own)
      if (parent !== undefined) append(derived, parent.class, { file, class: own })
    }
  return derived
}
