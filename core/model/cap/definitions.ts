import type { StepCounter } from '../../budget.ts'
import type { CdsAction, CdsAnnotatedMember, CdsDefinition, CdsMember, CdsReference } from '../../parse/cds/types.ts'
import { toAnnotation, type CapDocument } from './documents.ts'
import { createParameters, type DeclaredOperation } from './parameters.ts'
import type { CapAnnotation } from './types.ts'
import { append } from '../../lists.ts'

/** A definition of the model with the file that it stands in. */
export interface CapDefinition {
  readonly name: string
  readonly definition: CdsDefinition
  readonly document: CapDocument
}

type Annotations = ReadonlyMap<string, CapAnnotation>

/** An action bound to an entity, with what counts for it. */
export interface BoundAction {
  readonly action: CdsAction
  readonly file: string
  readonly annotations: Annotations
}

/** The definitions of a root by qualified name, and what counts for each of them. */
export interface CapDefinitions {
  readonly all: ReadonlyMap<string, CapDefinition>
  get(name: string): CapDefinition | undefined
  /** What `path` means in a definition. */
  resolve(from: CapDefinition, reference: CdsReference): CapDefinition | undefined
  /** Its own, those of every `annotate`, and what it inherits from what it includes or projects on. */
  annotationsOf(name: string): Annotations
  /** Its own actions and those of what it includes; projections don't inherit them. */
  actionsOf(name: string): readonly BoundAction[]
  /** Parameters of an operation, `Shop.submit` or `Shop.Books/review`, with what every `annotate` says of them; undefined where there is none of that name. */
  paramsOf(name: string): readonly CdsMember[] | undefined
  /** The definition, what it projects on, what that projects on and so on. */
  projected(name: string): readonly CapDefinition[]
}

/** Nobody writes longer chains of projections; a hostile one is cut there. */
const MAX_CHAIN = 30

/** Facts: capire, "CDL" (annotation propagation); @sap/cds-compiler 6.9.5 as oracle: includes and the first source of a query hand on, `null` ends it. */
export function createDefinitions(
  documents: readonly CapDocument[],
  byTarget: ReadonlyMap<string, readonly (CapAnnotation & { name: string })[]>,
  budget: StepCounter,
): CapDefinitions {
  const all = new Map<string, CapDefinition>()
  const members = new Map<string, { member: CdsAnnotatedMember; file: string }[]>()
  const added = new Map<string, { action: CdsAction; file: string }[]>()
  const add = (name: string, definition: CdsDefinition, document: CapDocument): void => {
    if (!all.has(name)) all.set(name, { name, definition, document })
  }
  for (const document of documents) {
    const { document: tree, names, file } = document
    for (const definition of tree.definitions) add(definition.name, definition, document)
    for (const { target, scope, definitions, actions } of tree.extends) {
      budget.step(1 + definitions.length)
      const name = names.resolve(target.path, scope)
      for (const definition of definitions) add(`${name}.${definition.name}`, definition, document)
      for (const action of actions) append(added, name, { action, file })
    }
    for (const { target, scope, actions } of tree.annotates) {
      budget.step(1 + actions.length)
      if (actions.length === 0) continue
      const name = names.resolve(target.path, scope)
      for (const member of actions) append(members, `${name}/${member.name}`, { member, file })
    }
  }

  const resolve: CapDefinitions['resolve'] = ({ definition, document, name }, { path }) => {
    const own = all.get(document.names.resolve(path, definition.scope))
    if (own !== undefined) return own
    // what an `extend service` adds stands in that service
    const dot = name.lastIndexOf('.')
    return dot === -1 ? undefined : all.get(`${name.slice(0, dot)}.${path}`)
  }
  /** Weakest first: what the definition includes, then what its query reads. */
  const bases = (from: CapDefinition): CapDefinition[] => {
    const { includes, query } = from.definition
    const source = query?.kind === 'set' ? undefined : query?.sources[0]
    return [source, ...includes.toReversed()].flatMap((reference) => {
      if (reference === undefined || ('element' in reference && reference.element !== undefined)) return []
      const found = resolve(from, reference)
      return found === undefined || found.name === from.name ? [] : [found]
    })
  }

  const known = new Map<string, Annotations>()
  const annotationsOf = (name: string, depth = 0): Annotations => {
    const cached = known.get(name)
    if (cached !== undefined) return cached
    budget.step(1)
    const merged = new Map<string, CapAnnotation>()
    // circles end here: a name that is being asked for has nothing yet
    known.set(name, merged)
    const found = all.get(name)
    if (found !== undefined && depth < MAX_CHAIN) {
      for (const base of bases(found)) for (const [key, value] of annotationsOf(base.name, depth + 1)) merged.set(key, value)
      for (const annotation of found.definition.annotations)
        merged.set(annotation.name, toAnnotation(found.document.file, annotation))
    }
    for (const annotation of byTarget.get(name) ?? []) merged.set(annotation.name, annotation)
    return merged
  }

  const knownActions = new Map<string, readonly BoundAction[]>()
  const actionsOf = (name: string, depth = 0): readonly BoundAction[] => {
    const cached = knownActions.get(name)
    if (cached !== undefined) return cached
    knownActions.set(name, [])
    const found = all.get(name)
    if (found === undefined || depth > MAX_CHAIN) return []
    budget.step(1 + found.definition.includes.length)
    const byName = new Map<string, BoundAction>()
    for (const reference of found.definition.includes) {
      const base = resolve(found, reference)
      if (base !== undefined && base.name !== name)
        for (const action of actionsOf(base.name, depth + 1)) byName.set(action.action.name, action)
    }
    const own = found.definition.actions.map((action) => ({ action, file: found.document.file }))
    for (const { action, file } of [...own, ...(added.get(name) ?? [])]) {
      const annotations = new Map<string, CapAnnotation>()
      for (const annotation of action.annotations) annotations.set(annotation.name, toAnnotation(file, annotation))
      byName.set(action.name, { action, file, annotations })
    }
    const actions = [...byName.values()].map(({ action, file, annotations }) => {
      const merged = new Map(annotations)
      for (const said of members.get(`${name}/${action.name}`) ?? [])
        for (const annotation of said.member.annotations) merged.set(annotation.name, toAnnotation(said.file, annotation))
      return { action, file, annotations: merged }
    })
    budget.step(actions.length)
    knownActions.set(name, actions)
    return actions
  }

  const declaredOf = (name: string): DeclaredOperation => {
    const [owner = '', bound] = name.split('/')
    const found = all.get(owner)
    if (found === undefined || bound === undefined) return { params: found?.definition.params, inherited: [] }
    const action = actionsOf(owner).find((one) => one.action.name === bound)?.action
    const own = [...found.definition.actions, ...(added.get(owner) ?? []).map((one) => one.action)]
    budget.step(1 + own.length)
    const { includes } = found.definition
    const bases = action === undefined || own.includes(action) ? [] : includes.flatMap((base) => resolve(found, base)?.name ?? [])
    return { params: action?.params, inherited: bases.flatMap((base) => (base === owner ? [] : `${base}/${bound}`)) }
  }

  return {
    all,
    get: (name) => all.get(name),
    resolve,
    annotationsOf: (name) => annotationsOf(name),
    actionsOf: (name) => actionsOf(name),
    paramsOf: createParameters(documents, declaredOf, (count) => budget.step(count)),
    projected(name) {
      const chain: CapDefinition[] = []
      for (let here = all.get(name); here !== undefined && chain.length < MAX_CHAIN && !chain.includes(here);) {
        chain.push(here)
        const query: CdsDefinition['query'] = here.definition.query
        const source = query?.kind === 'set' ? undefined : query?.sources[0]
        here = source === undefined || source.element !== undefined ? undefined : resolve(here, source)
      }
      return chain
    },
  }
}
