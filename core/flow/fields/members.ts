import type { ScriptFacts, Value } from '../../facts/index.ts'
import { COPY, READ, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { extendedObject } from '../calls/owners.ts'
import { COMPONENT_STORE } from '../pages/stores.ts'
import { lastName } from '../dotted-names.ts'

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
      if (
        key !== undefined &&
        value.kind !== 'function' &&
        owners.allOf(owner).size > 0 &&
        !draft.fields.lastWrites.isGone(value)
      )
        graph.connect(use(value), graph.ofField(owner, key, value), COPY)
}

/** Adds the component of an app as the object that controllers ask for by `getOwnerComponent()`. Fact: API of sap.ui.core.mvc.Controller. */
export function addComponent(draft: FlowDraft): void {
  const { facts, graph, owners, ports, path, objects } = draft
  if (!COMPONENT_FILE.test(path)) return
  const classes = [...facts.classes, ...facts.calls.flatMap((call) => extendedObject(call) ?? [])]
  for (const owner of classes) {
    const methods = [...owners.allOf(owner)].flatMap(([name, found]) =>
      found.flatMap((fact) => {
        const index = draft.functions.get(fact)
        return index === undefined ? [] : [[name, index] as const]
      }),
    )
    const node = graph.add(owner)
    const parent = draft.classes.parentOf(owner)
    objects.all.push({ node, methods, ...(parent !== undefined && { parent }) })
    objects.made.push({ node, owner })
    for (const access of ['read', 'write'] as const) ports.push({ node, access, store: COMPONENT_STORE, path: [] })
  }
}

const COMPONENT_FILE = /(?:^|\/)Component\.[jt]s$/

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
