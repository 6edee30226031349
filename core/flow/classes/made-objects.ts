import { append } from '../../lists.ts'
import { createLinker, type LinkedFile } from '../app/links.ts'
import type { FlowClass } from '../types.ts'
import { withOwnClasses } from './variants.ts'

/** Objects of one class; of more the values are not told apart. */
const MAX_OBJECTS = 16
const MAX_COPIES = 60
/** Nodes of all copies of one class. */
const MAX_NODES = 20_000

/** Gives each object of a class a file of its own, so that what one holds is not taken for what the others hold: two cards that are built with the same class. */
export function withObjects(files: readonly LinkedFile[]): readonly LinkedFile[] {
  if (!files.some(({ flow }) => flow.objects?.some(({ isMade }) => isMade === true) === true)) return files
  const linker = createLinker(files)
  // what extends each other shares its fields
  const related = new Set<FlowClass>()
  for (const [file, { flow }] of files.entries())
    for (const own of flow.classes) {
      const parent = linker.parentOf(file, own)
      if (parent !== undefined) related.add(own).add(parent.class)
    }
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
      (objects.length * file.flow.nodes.length) / 2 > MAX_NODES
    )
      continue
    for (const one of objects)
      if (all.length - files.length < MAX_COPIES)
        all.push({ ...file, flow: withOwnClasses(file.flow), copy: { of, classes: [], made: one } })
  }
  return all.length === files.length ? files : all
}
