import { type ScriptFacts, type Value, constantOf, type CallValue, resolveValue, accessesOf } from '../../facts/index.ts'
import { COPY, READ, WRITE } from '../types.ts'
import type { FlowDraft, ClassRelations } from '../graph/draft.ts'
import { type Owners, classesIn } from '../calls/owners.ts'
import { COMPONENT_STORE } from '../pages/stores.ts'
import { FILLING_IN_PAGES } from '../models/collections.ts'
import { writeInto } from '../values/writes.ts'
import { parentOf } from '../calls/modules.ts'
import type { Lineage } from '../calls/lineage.ts'
import { lastName } from '../../paths.ts'

/** Adds what fields of `this` are beside what is assigned to them: getters and setters, and the fields that an object is written with. */
export function addMembers(draft: FlowDraft): void {
  const { facts, graph, owners, use, parameters } = draft
  for (const fact of facts.functions) {
    const { owner, kind } = fact
    if (owner === undefined || (kind !== 'getter' && kind !== 'setter')) continue
    const name = lastName(fact.name)
    const place = { start: fact.start, end: fact.start }
    if (kind === 'getter') {
      graph.connect(graph.of(fact).node, graph.ofField(owner, name, place), COPY)
      if ('kind' in owner) graph.connect(graph.of(fact).node, use(owner), WRITE, name)
    } else {
      const parameter = parameters.nodeOf(fact, 0)
      if (parameter !== undefined) graph.connect(graph.ofField(owner, name, place), parameter, COPY)
    }
  }
  for (const owner of objectsWithMethods(facts))
    for (const { key, value } of owner.fields)
      if (key !== undefined && value.kind !== 'function' && owners.allOf(owner).size > 0 && !draft.page.lastWrites.isGone(value))
        graph.connect(use(value), graph.ofField(owner, key, value), COPY)
}

/** Adds the component of an app as the object that controllers ask for by `getOwnerComponent()`. Fact: API of sap.ui.core.mvc.Controller. */
export function addComponent(draft: FlowDraft): void {
  const { facts, graph, owners, ends, path, objects } = draft
  if (!COMPONENT_FILE.test(path)) return
  for (const { owner } of classesIn(facts)) {
    const methods = [...owners.allOf(owner)].flatMap(([name, found]) =>
      found.flatMap((fact) => {
        const index = draft.calling.functions.get(fact)
        return index === undefined ? [] : [[name, index] as const]
      }),
    )
    const node = graph.add(owner)
    const parent = draft.classes.parentOf(owner)
    objects.all.push({ node, methods, ...(parent !== undefined && { parent }) })
    objects.made.push({ node, owner })
    for (const access of ['read', 'write'] as const) ends.ports.push({ node, access, store: COMPONENT_STORE, path: [] })
  }
}

const COMPONENT_FILE = /(?:^|\/)Component(?:-dbg)?\.[jt]s$/

/** Object literals whose methods have them as `this`. */
function objectsWithMethods({ functions }: ScriptFacts): ReadonlySet<Value & { readonly kind: 'object' }> {
  return new Set(functions.flatMap(({ owner }) => (owner !== undefined && 'kind' in owner ? owner : [])))
}

/** Joins objects with the fields of `this` in their methods: what one reads the other has written. Everything else of the graph comes before. */
export function connectObjects(draft: FlowDraft): void {
  const {
    graph,
    facts,
    objects: { made },
  } = draft
  const join = (node: number, owner: object): void => {
    for (const [name, field] of graph.fieldsOf(owner)) {
      graph.connect(field, node, WRITE, name)
      graph.connect(node, field, READ, name)
    }
  }
  for (const { node, owner } of made) join(node, owner)
  for (const owner of objectsWithMethods(facts)) {
    const node = graph.nodeOf(owner)
    if (node !== undefined) join(node, owner)
  }
}

/** `Object.assign(this, settings)`, `jQuery.extend(true, target, settings)`: also where nobody looks at what the call gives. */
export function addMergedFields({ args }: CallValue, paths: readonly string[], draft: FlowDraft): void {
  if (args.length < 2 || !paths.some((path) => FILLING_IN_PAGES.test(path))) return
  const [first, ...others] = args
  const isDeep = first !== undefined && constantOf(first) === true
  const [target, ...given] = isDeep ? others : args
  const owner = target && draft.owners.ownerBehind(target)
  if (owner !== undefined) for (const one of given) draft.fields.mergedInto.push({ owner, from: draft.use(one) })
  else if (target?.kind === 'reference' || target?.kind === 'member')
    for (const one of given) writeInto(target, draft.use(one), draft)
}

/** The classes that those of the file extend. */
export function createParents(facts: ScriptFacts, lineage: Lineage): ClassRelations['parentOf'] {
  const parents = new Map<object, ReturnType<typeof parentOf>>()
  for (const { owner, value } of classesIn(facts)) parents.set(owner, parentOf(value))
  for (const [child, parent] of lineage.pairs) if (parents.get(child) === undefined) parents.set(child, parents.get(parent))
  return (owner) => parents.get(owner)
}

/** What is assigned to fields of `this`, and what classes and extended objects are written with. */
export function createFieldValues(facts: ScriptFacts, owners: Owners): ClassRelations['fieldValues'] {
  const values = new Map<object, Map<string, Value[]>>()
  const add = (owner: object, name: string, value: Value): void => {
    const own = values.get(owner) ?? new Map<string, Value[]>()
    values.set(owner, own)
    const given = own.get(name)
    if (given === undefined) own.set(name, [value])
    else given.push(value)
  }
  for (const { target, value } of facts.assignments) {
    const owner = target.name === undefined ? undefined : owners.ownerBehind(target.object)
    if (owner !== undefined && target.name !== undefined) add(owner, target.name, value)
  }
  for (const { owner, members } of classesIn(facts))
    for (const { name, value } of members)
      if (name !== undefined && value !== undefined && value.kind !== 'function') add(owner, name, value)
  return (owner, name) => values.get(owner)?.get(name) ?? []
}

/** Whether a value, or what a field of `this` was given, is reached by a path: `WebSocket new`. */
export function isReachedBy(path: RegExp, value: Value, draft: FlowDraft): boolean {
  return behindFields(value, draft).some((one) =>
    accessesOf(one).some(({ root, steps }) => path.test([root, ...steps].join(' '))),
  )
}

/** The value itself, or what the field of `this` that it is was given. */
export function behindFields(value: Value, draft: FlowDraft): readonly Value[] {
  const here = resolveValue(value)
  if (here.kind !== 'member' || here.name === undefined) return [here]
  const owner = draft.owners.ownerBehind(here.object)
  const given = owner === undefined ? [] : draft.classes.fieldValues(owner, here.name)
  return given.length === 0 ? [here] : given
}
