import { type ScriptFacts, type FunctionFact, type Value, resolveValue } from '../../facts/index.ts'
import { append, reachedFrom } from '../../lists.ts'
import { COPY, type FlowVariant } from '../types.ts'
import { extendedObject, type Owners, isMerge, classesIn } from './owners.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { moduleBehind } from './modules.ts'

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

export function createLineage(facts: ScriptFacts, owners: Owners, text: string): Lineage {
  const parents = new Map<object, object>()
  const children = new Map<object, object[]>()
  const add = (child: object, base: Value | undefined): void => {
    const parent = base && owners.classBehind(base)
    if (parent === undefined || parent === child || owners.allOf(parent).size === 0) return
    parents.set(child, parent)
    append(children, parent, child)
  }
  for (const { owner, parent } of classesIn(facts)) add(owner, parent)
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

/** Functions around the base of one class. */
const MAX_MIXINS = 8

/**
 * Objects whose methods a class has beside its own: `Base.extend(name, Object.assign({}, Mixin, { … }))`, `{ ...Mixin, onInit() {} }`,
 * `Object.assign(Page.prototype, Mixin)`, `class Page extends WithMessages(Base)`.
 */
export function createMixins({ calls, classes }: ScriptFacts): (owner: object) => readonly Value[] {
  const mixins = new Map<object, Value[]>()
  const add = (owner: object, mixed: readonly Value[]): void =>
    void (mixed.length > 0 && mixins.set(owner, [...(mixins.get(owner) ?? []), ...mixed]))
  for (const call of calls) {
    const own = extendedObject(call)
    if (own !== undefined) {
      const given = call.args[1] && resolveValue(call.args[1])
      if (given !== undefined && isMerge(given))
        add(
          own,
          given.args.filter((argument) => resolveValue(argument) !== own),
        )
      add(
        own,
        own.fields.flatMap(({ value }) => (value.kind === 'spread' ? value.value : [])),
      )
    } else if (isMerge(call)) {
      const [target, ...mixed] = call.args[0]?.kind === 'literal' ? call.args.slice(1) : call.args
      const extended = target?.kind === 'member' && target.name === 'prototype' ? resolveValue(target.object) : undefined
      const owner = extended && (extended.kind === 'class' ? extended.class : extendedObject(extended))
      if (owner !== undefined) add(owner, mixed)
    }
  }
  for (const fact of classes) {
    if (fact.parent?.kind !== 'call') continue
    const [made] = [resolveValue(fact.parent.callee)].flatMap((maker) =>
      maker.kind === 'function' ? maker.function.returns : [],
    )
    if (made !== undefined) add(fact, [made])
    // class Page extends WithLinks(WithMessages(Base)), where other files have these
    for (let here: Value | undefined = fact.parent, hops = 0; here?.kind === 'call' && hops < MAX_MIXINS; hops++) {
      if (moduleBehind(here) !== undefined) add(fact, [here])
      here = here.args[0] && resolveValue(here.args[0])
      if (here !== undefined && here.kind !== 'call' && moduleBehind(here) !== undefined) add(fact, [here])
    }
  }
  return (owner) => mixins.get(owner) ?? []
}

export function isClass(value: Value): boolean {
  return value.kind === 'class' || extendedObject(value) !== undefined
}

/** Exported classes of one file that extend each other, with what the calls of methods of `this` run in each of them alone. */
export function variantsOf(
  names: ReadonlyMap<object, readonly string[]>,
  { calling: { ownCalls, calls, functions }, step, classes: { lineage } }: FlowDraft,
): FlowVariant[] {
  if (lineage.pairs.length === 0) return []
  const above = new Map<object, object[]>()
  for (const [child, parent] of lineage.pairs) {
    append(above, child, parent)
    if (!above.has(parent)) above.set(parent, [])
  }
  return [...names].flatMap(([owner, classes]): FlowVariant[] => {
    const parents = above.get(owner)
    if (parents === undefined) return []
    step(ownCalls.length)
    const changed = ownCalls.flatMap(({ call, owner: within, method }) => {
      if (within !== owner && !parents.includes(within)) return []
      const targets = lineage.inherited(owner, method).flatMap((fact) => functions.get(fact) ?? [])
      const known = calls[call]?.targets ?? []
      return targets.length === known.length || targets.length === 0 ? [] : [[call, targets] as const]
    })
    return changed.length === 0 ? [] : [{ classes, calls: changed }]
  })
}

/** Tells which classes keep something that all their objects see: static members, or names of the file that are given something again or grow. */
export function createSharedReader({ bindings, classes }: ScriptFacts): (owner: object) => boolean {
  const isBeside = (from: FunctionFact): boolean => {
    for (let fact: FunctionFact | undefined = from; fact !== undefined; fact = fact.parent)
      if (fact.owner !== undefined) return false
    return true
  }
  const keeps = bindings.some(
    ({ kind, function: within, additions, definitions }) =>
      kind !== 'parameter' && kind !== 'import' && (additions.length > 0 || definitions.length > 1) && isBeside(within),
  )
  const withStatic = new Set<object>(
    classes.filter(({ members }) =>
      members.some(
        ({ isStatic, value, name }) => isStatic && value !== undefined && value.kind !== 'function' && name !== 'metadata',
      ),
    ),
  )
  return (owner) => keeps || withStatic.has(owner)
}
