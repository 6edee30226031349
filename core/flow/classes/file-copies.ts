import { append, reachedFrom } from '../../lists.ts'
import { createLinker, type LinkedClass, type LinkedFile, type Linker } from '../app/links.ts'
import type { FlowCall, FlowClass } from '../types.ts'

/** Classes that override one method: a base class of more is that of a whole app, whose methods are read once for all. */
const MAX_VARIANTS = 8
const MAX_COPIES = 40
const MAX_NODES = 100_000
const MAX_PARENTS = 8

/**
 * Adds a file of its own for each class that runs inherited methods with other parts: `class SafeCard extends Card` with a `body()` of its own, which `Card#html` calls.
 * So what one of them makes of its values is not taken for what the others make.
 */
export function withVariants(files: readonly LinkedFile[]): readonly LinkedFile[] {
  if (!files.some(({ flow }) => flow.exports.hooks !== undefined || flow.exports.variants !== undefined)) return files
  const all = [...files]
  let nodes = 0
  const add = (
    of: number,
    made: Omit<LinkedFile, 'path' | 'module'> & Required<Pick<LinkedFile, 'copy'>>,
  ): number | undefined => {
    const file = files[of]
    nodes += (file?.flow.nodes.length ?? 0) / 2
    if (file === undefined || all.length - files.length >= MAX_COPIES || nodes > MAX_NODES) return undefined
    return all.push({ ...file, ...made }) - 1
  }
  for (const [of, { flow }] of files.entries())
    for (const { classes, calls } of flow.exports.variants ?? []) add(of, { flow: withCalls(flow, calls), copy: { of, classes } })
  addDerived(files, add)
  return all.length === files.length ? files : all
}

type AddCopy = (
  of: number,
  made: { readonly flow: LinkedFile['flow']; readonly copy: NonNullable<LinkedFile['copy']> },
) => number | undefined

function withCalls(
  flow: LinkedFile['flow'],
  changed: readonly (readonly [call: number, targets: readonly number[]])[],
): LinkedFile['flow'] {
  const calls: FlowCall[] = [...flow.calls]
  for (const [index, targets] of changed) {
    const call = calls[index]
    if (call !== undefined) calls[index] = { ...call, targets }
  }
  return withOwnClasses({ ...flow, calls })
}

/** Classes are told apart by identity: those of a copy of a file are others. */
function withOwnClasses(flow: LinkedFile['flow']): LinkedFile['flow'] {
  return { ...flow, exports: { ...flow.exports, classes: flow.exports.classes.map((own) => ({ ...own })) } }
}

/** For each class that overrides what another file's class calls: copies of the files that it inherits from. */
function addDerived(files: readonly LinkedFile[], add: AddCopy): void {
  const linker = createLinker(files)
  const derived = derivedClasses(files, linker)
  if (derived.size === 0) return
  const exported = new Map<number, ReadonlySet<string>>()
  const hasMethod = ({ file, class: own }: LinkedClass, method: string): boolean => {
    const names = exported.get(file) ?? new Set(files[file]?.flow.exports.functions.map(([name]) => name))
    exported.set(file, names)
    return names.has(`${own.name}#${method}`)
  }
  for (const [file, { flow }] of files.entries()) {
    const methods = new Map<string, Set<string>>()
    for (const { classes, method } of flow.exports.hooks ?? [])
      for (const name of classes) methods.set(name, (methods.get(name) ?? new Set()).add(method))
    const overriding = new Map<number, LinkedClass>()
    for (const own of flow.exports.classes) {
      const called = methods.get(own.name)
      if (called === undefined || !derived.has(own)) continue
      for (const one of reachedFrom(
        { file, class: own },
        (here: LinkedClass) => derived.get(here.class) ?? [],
        10 * MAX_VARIANTS,
      ))
        if (one.file !== file && [...called].some((method) => hasMethod(one, method))) overriding.set(one.file, one)
    }
    if (overriding.size <= MAX_VARIANTS)
      for (const one of overriding.values()) addChain(one, file, (method) => hasMethod(one, method), { files, linker, add })
  }
}

/** By a class: those that extend it. */
export function derivedClasses(files: readonly LinkedFile[], linker: Linker): ReadonlyMap<FlowClass, readonly LinkedClass[]> {
  const derived = new Map<FlowClass, LinkedClass[]>()
  for (const [file, { flow }] of files.entries())
    for (const own of flow.exports.classes) {
      const parent = linker.parentOf(file, own)
      if (parent !== undefined) append(derived, parent.class, { file, class: own })
    }
  return derived
}

/** Copies the files from that of the parent of a class up to that of the class which calls what it overrides. */
function addChain(
  from: LinkedClass,
  to: number,
  overrides: (method: string) => boolean,
  { files, linker, add }: { readonly files: readonly LinkedFile[]; readonly linker: Linker; readonly add: AddCopy },
): void {
  let child = from.file
  let here = from
  for (let parents = 0; parents < MAX_PARENTS && here.file !== to; parents++) {
    const above = linker.parentOf(here.file, here.class)
    const flow = above && files[above.file]?.flow
    if (above === undefined || flow === undefined || above.file === here.file) return
    // a class has its full name beside that of its module
    const links = (files[here.file]?.flow.exports.classes ?? []).flatMap((own) =>
      own.parent !== undefined && linker.parentOf(here.file, own)?.file === above.file ? own.parent : [],
    )
    // what the class has itself runs instead
    const instead = (flow.exports.hooks ?? []).flatMap(({ call, method }) => (overrides(method) ? [[call, []] as const] : []))
    const copy = add(above.file, {
      flow: withCalls(flow, instead),
      copy: { of: above.file, classes: [], for: { file: child, links } },
    })
    if (copy === undefined) return
    child = copy
    here = above
  }
}

/** Objects of one class; of more the values are not told apart. */
const MAX_OBJECTS = 16
const MAX_OBJECT_FILES = 60
/** Nodes of all copies of one class. */
const MAX_OBJECT_NODES = 20_000

/** Gives each object of a class a file of its own, so that what one holds is not taken for what the others hold: two cards that are built with the same class. */
export function withObjects(files: readonly LinkedFile[]): readonly LinkedFile[] {
  if (!files.some(({ flow }) => flow.objects?.some(({ isMade }) => isMade === true) === true)) return files
  const linker = createLinker(files)
  // what extends each other shares its fields
  const derived = derivedClasses(files, linker)
  const related = new Set([...derived].flatMap(([parent, own]) => [parent, ...own.map((one) => one.class)]))
  const made = new Map<FlowClass, { readonly file: number; readonly node: number }[]>()
  const fileOf = new Map<FlowClass, number>()
  for (const [file, { flow }] of files.entries())
    for (const object of flow.objects ?? []) {
      const found = object.isMade === true ? linker.classOf(file, object) : undefined
      if (found === undefined || related.has(found.class) || found.class.isShared === true || found.class.fields.length === 0)
        continue
      append(made, found.class, { file, node: object.node })
      fileOf.set(found.class, found.file)
    }
  const all = [...files]
  for (const [own, objects] of made) {
    const of = fileOf.get(own) ?? 0
    const file = files[of]
    if (
      file === undefined ||
      objects.length < 2 ||
      objects.length > MAX_OBJECTS ||
      (objects.length * file.flow.nodes.length) / 2 > MAX_OBJECT_NODES
    )
      continue
    for (const one of objects)
      if (all.length - files.length < MAX_OBJECT_FILES)
        all.push({ ...file, flow: withOwnClasses(file.flow), copy: { of, classes: [], made: one } })
  }
  return all.length === files.length ? files : all
}
