import type { ScriptFacts, FunctionFact, Value } from '../../facts/index.ts'
import { append, reachedFrom } from '../../lists.ts'
import { COPY } from '../types.ts'
import { extendedObject, type Owners } from './owners.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Classes of one file that extend each other. An object stands for each, as among `Owners`. */
export interface Lineage {
  /** The class of the file that one extends. */
  parentOf(owner: object): object | undefined
  /** A method of the class, or of the nearest one above that has it. */
  inherited(owner: object, name: string): readonly FunctionFact[]
  /** What classes below have instead. */
  overriding(owner: object, name: string): readonly FunctionFact[]
  /** The methods that a class has, those of the classes above included. */
  allOf(owner: object): ReadonlyMap<string, readonly FunctionFact[]>
  /** Those of its methods whose names the file writes as texts, in quotes. Sorted out once for each class: `this[name]()` asks at every call. */
  quotedMethods(owner: object): readonly FunctionFact[]
  readonly pairs: readonly (readonly [child: object, parent: object])[]
}

const MAX_PARENTS = 8
const MAX_CHILDREN = 50

export function createLineage({ classes, calls }: ScriptFacts, owners: Owners, text: string): Lineage {
  const parents = new Map<object, object>()
  const children = new Map<object, object[]>()
  const add = (child: object, base: Value | undefined): void => {
    const parent = base && owners.classBehind(base)
    if (parent === undefined || parent === child || owners.allOf(parent).size === 0) return
    parents.set(child, parent)
    append(children, parent, child)
  }
  for (const fact of classes) if (fact.parent !== undefined) add(fact, fact.parent)
  for (const call of calls) {
    const object = extendedObject(call)
    if (object !== undefined && call.callee.kind === 'member') add(object, call.callee.object)
  }
  const above = (owner: object): readonly object[] => {
    const found = [owner]
    for (let here = parents.get(owner); here !== undefined && found.length <= MAX_PARENTS && !found.includes(here);)
      here = parents.get(found[found.push(here) - 1] ?? owner)
    return found
  }
  let quoted: ReadonlySet<string> | undefined
  const quotedOf = new Map<object, readonly FunctionFact[]>()
  const allOf = (owner: object): ReadonlyMap<string, readonly FunctionFact[]> => {
    if (!parents.has(owner)) return owners.allOf(owner)
    const found = new Map<string, readonly FunctionFact[]>()
    for (const one of above(owner)) for (const [name, facts] of owners.allOf(one)) if (!found.has(name)) found.set(name, facts)
    return found
  }
  const below = (owner: object): ReadonlySet<object> => reachedFrom(owner, (one) => children.get(one) ?? [], MAX_CHILDREN)
  return {
    parentOf: (owner) => parents.get(owner),
    inherited(owner, name) {
      const own = owners.methodsOf(owner, name)
      if (own.length > 0 || !parents.has(owner)) return own
      for (const one of above(owner)) {
        const found = owners.methodsOf(one, name)
        if (found.length > 0) return found
      }
      return []
    },
    overriding: (owner, name) => (children.has(owner) ? [...below(owner)].flatMap((child) => owners.methodsOf(child, name)) : []),
    allOf,
    quotedMethods(owner) {
      const names = (quoted ??= quotedTexts(text))
      const found = quotedOf.get(owner) ?? [...allOf(owner)].flatMap(([name, facts]) => (names.has(name) ? facts : []))
      quotedOf.set(owner, found)
      return found
    },
    pairs: [...parents.keys()].flatMap((child) => above(child).flatMap((one) => (one === child ? [] : [[child, one] as const]))),
  }
}

export function withoutLineage({ methodsOf, allOf }: Owners): Lineage {
  return { parentOf: () => undefined, inherited: methodsOf, overriding: () => [], allOf, quotedMethods: () => [], pairs: [] }
}

/** What stands between a quote and the next one, if both are the same. */
function quotedTexts(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let before = -1
  for (const { index } of text.matchAll(/["']/g)) {
    if (before >= 0 && text[index] === text[before]) found.add(text.slice(before + 1, index))
    before = index
  }
  return found
}

/** A field of `this` is the same in a class and in those of the file that extend it. */
export function connectLineage({ graph, classes: { lineage } }: FlowDraft): void {
  for (const [child, parent] of lineage.pairs) {
    const fields = new Map(graph.fieldsOf(parent))
    for (const [name, node] of graph.fieldsOf(child)) {
      const other = fields.get(name)
      if (other === undefined) continue
      graph.connect(node, other, COPY)
      graph.connect(other, node, COPY)
    }
  }
}
