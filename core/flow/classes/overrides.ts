import { append, reachedFrom } from '../../lists.ts'
import type { AddCall, Bases, JoinedCall } from '../app/joined-graph.ts'
import type { LinkedFile, LinkedFunction, Linker } from '../app/links.ts'
import type { CallGraph, Thing } from '../app/call-graph.ts'
import { levelsOf } from './class-makers.ts'
import { derivedClasses } from './file-copies.ts'
import { lastName } from '../../paths.ts'

/** Classes that override one method: a base class of more is that of a whole library. */
const MAX_OVERRIDES = 50

/** A call of `this.onRoute(x)` runs the method of the classes that extend the one around as well: the hook that a base class leaves to them. */
export function addOverrides(
  files: readonly LinkedFile[],
  linker: Linker,
  addCall: AddCall,
  step: (count?: number) => void,
): void {
  if (!files.some(({ flow }) => flow.exports.hooks !== undefined)) return
  const derived = derivedClasses(files, linker)
  if (derived.size === 0) return
  const methods = new Map<number, ReadonlyMap<string, readonly number[]>>()
  const methodsIn = (file: number): ReadonlyMap<string, readonly number[]> => {
    const known = methods.get(file)
    if (known !== undefined) return known
    const found = new Map<string, number[]>()
    for (const [name, index] of files[file]?.flow.exports.functions ?? []) append(found, name, index)
    methods.set(file, found)
    return found
  }
  for (const [file, { flow }] of files.entries()) {
    if (flow.exports.hooks === undefined) continue
    const classes = new Map(flow.exports.classes.map((own) => [own.name, own]))
    for (const { call, classes: names, method } of flow.exports.hooks) {
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

type ClassThing = Pick<Thing, 'file' | 'index'>

/** Which methods objects have where classes have other ones than those that they extend: `this.clean(x)` in a class is that of the object that the call around was for. */
export interface OverriddenMethods {
  /** The classes that the object of a call may be of, as a name of the set; `around` is that of the method that the call stands in. */
  classesOf(call: JoinedCall | undefined, callee: number, around: string | undefined): string | undefined
  /** Whether objects of these classes run that function where the method is called. */
  runs(classes: string, callee: number): boolean
}

export function findOverridden(
  files: readonly LinkedFile[],
  bases: Bases,
  calls: readonly JoinedCall[],
  found: Pick<CallGraph, 'parentsOf' | 'instancesAt'>,
): OverriddenMethods | undefined {
  const known = readClasses(files, bases, calls, found)
  return known && createReader(known)
}

interface KnownClasses {
  /** By class: the number of the method of a name. */
  readonly methodsOf: (one: ClassThing) => ReadonlyMap<string, number>
  /** By function: the name of the method, of classes that others extend or that extend others. */
  readonly names: ReadonlyMap<number, string>
  /** By class: itself, and those that it extends. */
  readonly lines: ReadonlyMap<string, readonly ClassThing[]>
  /** Nodes of `this` in such methods. */
  readonly selves: ReadonlySet<number>
  /** By the node of an object whose method is called: its classes, as a name of the set. */
  readonly classesAt: ReadonlyMap<number, string>
}

function keyOf({ file, index }: ClassThing): string {
  return `${file}:${index}`
}

/** What is kept while flows are followed; the graph of calls itself, which is several times as large, is not. */
function readClasses(
  files: readonly LinkedFile[],
  bases: Bases,
  calls: readonly JoinedCall[],
  { parentsOf, instancesAt }: Pick<CallGraph, 'parentsOf' | 'instancesAt'>,
): KnownClasses | undefined {
  const bodies = files.flatMap(({ flow }, file) =>
    (flow.server?.callables.classes ?? []).map((body, index) => ({ file, index, body })),
  )
  const heirs = bodies.filter(({ body }) => body.parent !== undefined)
  if (heirs.length === 0) return undefined
  const methodsOf = createMethodReader(files, bases)
  const names = new Map<number, string>()
  const lines = new Map<string, readonly ClassThing[]>()
  const selves = new Set<number>()
  let isAny = false
  for (const heir of heirs) {
    const line = [...levelsOf<ClassThing>(heir, parentsOf)].flat()
    lines.set(keyOf(heir), line)
    for (const [at, one] of line.entries())
      for (const [name, method] of methodsOf(one)) {
        if (name === 'constructor') continue
        names.set(method, name)
        isAny ||= at > 0 && methodsOf(heir).has(name)
        const self = files[one.file]?.flow.functions[method - (bases.functions[one.file] ?? 0)]?.self
        if (self !== undefined) selves.add((bases.nodes[one.file] ?? 0) + self)
      }
  }
  if (!isAny) return undefined
  const classesAt = new Map<number, string>()
  for (const { receiver } of calls) {
    const classes = receiver === undefined ? undefined : instancesAt.get(receiver)
    if (receiver !== undefined && classes !== undefined && !classesAt.has(receiver))
      classesAt.set(receiver, [...new Set(classes.map(keyOf))].sort().join(' '))
  }
  return { methodsOf, names, lines, selves, classesAt }
}

function createMethodReader(files: readonly LinkedFile[], bases: Bases): KnownClasses['methodsOf'] {
  const own = new Map<string, ReadonlyMap<string, number>>()
  return (one) => {
    const known = own.get(keyOf(one))
    if (known !== undefined) return known
    const { flow } = files[one.file] ?? {}
    const found = new Map(
      (flow?.server?.callables.classes[one.index]?.methods ?? []).map((method) => [
        lastName(flow?.functions[method]?.name ?? ''),
        (bases.functions[one.file] ?? 0) + method,
      ]),
    )
    own.set(keyOf(one), found)
    return found
  }
}

function createReader({ methodsOf, names, lines, selves, classesAt }: KnownClasses): OverriddenMethods {
  const known = new Map<string, boolean>()
  const runs = (classes: string, callee: number): boolean => {
    const name = names.get(callee)
    if (name === undefined) return true
    const key = `${classes} ${callee}`
    const before = known.get(key)
    if (before !== undefined) return before
    const answer = classes.split(' ').some((one) => {
      const [file = 0, index = 0] = one.split(':').map(Number)
      for (const at of lines.get(one) ?? [{ file, index }]) {
        const method = methodsOf(at).get(name)
        if (method !== undefined) return method === callee
      }
      return false
    })
    known.set(key, answer)
    return answer
  }
  return {
    runs,
    classesOf(call, callee, around) {
      const receiver = call?.receiver
      if (receiver === undefined || call?.isSuper === true || selves.has(receiver)) return around
      if (!names.has(callee)) return undefined
      return classesAt.get(receiver)
    },
  }
}
