import { groupBy } from '../../lists.ts'
import { addInstance, leaveToCopies, nodesWithin, toDraft, withDraft, type Draft } from './instances.ts'
import type { LinkedFile } from '../app/links.ts'
import type { FileFlow, FlowFunction, FlowObject } from '../types.ts'

/** Objects of one class; of more the values are not told apart. */
const MAX_OBJECTS = 8
const MAX_COPIES = 24
/** Nodes of one class. */
const MAX_NODES = 600

/**
 * Gives each object that a file makes of a class of its own a copy of the class in that file, so that what one holds is not taken for what the others hold:
 * `new Lines('Cause')`, `new Lines('Hours')`. Of classes of other files `withObjects` does it.
 */
export function withOwnObjects(files: readonly LinkedFile[]): readonly LinkedFile[] {
  let copies = 0
  return files.map((file) => {
    const classes = objectsByClass(file.flow)
    if (classes.length === 0) return file
    const draft = toDraft(file.flow)
    for (const objects of classes) {
      const own = classOf(objects, file.flow)
      if (own === undefined || objects.length > MAX_OBJECTS || copies + objects.length > MAX_COPIES) continue
      copies += objects.length
      separate(own, objects, draft)
    }
    return withDraft(file, draft)
  })
}

/** The objects of each class of which the file makes several. */
function objectsByClass({ objects = [] }: FileFlow): readonly (readonly FlowObject[])[] {
  const ofClasses = objects.filter(({ of }) => of !== undefined)
  return [...groupBy(ofClasses, ({ of }) => `${of?.start} ${of?.end}`).values()].filter((own) => own.length > 1)
}

/** A class with the nodes and functions that are written in it. */
interface OwnClass {
  readonly flow: FileFlow
  readonly place: FlowFunction
  readonly nodes: ReadonlySet<number>
  readonly functions: ReadonlySet<number>
}

/** Undefined: the class is too large, or some call of its methods does not say of which object it is. */
function classOf([first, ...others]: readonly FlowObject[], flow: FileFlow): OwnClass | undefined {
  if (first?.of === undefined) return undefined
  const { start, end } = first.of
  const place: FlowFunction = { name: '', parameters: [], result: first.node, start, end }
  const nodes = new Set(nodesWithin(flow, place))
  const made = new Set([first, ...others].map(({ node }) => node))
  for (const node of made) nodes.delete(node)
  const functions = new Set(flow.functions.flatMap((one, index) => (start < one.start && one.end <= end ? [index] : [])))
  const isKnown = flow.calls.every(
    ({ result, receiver, targets }) =>
      nodes.has(result) || made.has(receiver ?? result) || !targets.some((target) => functions.has(target)),
  )
  return isKnown && nodes.size <= MAX_NODES ? { flow, place, nodes, functions } : undefined
}

function separate({ flow, place, nodes, functions }: OwnClass, objects: readonly FlowObject[], draft: Draft): void {
  leaveToCopies(draft, place, nodes)
  const made = new Set(objects.map(({ node }) => node))
  /** By the node of a copy: its object. */
  const objectOf = new Map<number, number>()
  for (const { node } of objects) {
    const [firstNode, firstFunction] = [draft.nodes.length / 2, draft.functions.length]
    addInstance(draft, flow, place, [...nodes])
    for (let copy = firstNode; copy < draft.nodes.length / 2; copy++) objectOf.set(copy, node)
    const copies = new Map([...functions].map((index, at) => [index, firstFunction + at]))
    const to = (index: number): number => copies.get(index) ?? index
    for (const [index, call] of draft.calls.entries())
      if ((call.receiver ?? call.result) === node) draft.calls[index] = { ...call, targets: call.targets.map(to) }
    for (const [index, object] of draft.objects.entries())
      if (object.node === node)
        draft.objects[index] = { ...object, methods: object.methods.map(([name, method]) => [name, to(method)] as const) }
  }
  cutEdges(draft, (from, to) => {
    const [object, inside] = made.has(from) ? [from, to] : [to, from]
    return made.has(object) && (nodes.has(inside) || (objectOf.get(inside) ?? object) !== object)
  })
}

/** Takes out the edges between an object and what is that of another one. */
function cutEdges({ edges }: Draft, isCut: (from: number, to: number) => boolean): void {
  let end = 0
  for (let at = 0; at < edges.length; at += 4) {
    if (isCut(edges[at] ?? 0, edges[at + 1] ?? 0)) continue
    for (let part = 0; part < 4; part++) edges[end++] = edges[at + part] ?? 0
  }
  edges.length = end
}
