import {
  excerptOf,
  MAY_HOLD_PROTOTYPES,
  prototypesOf,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { createOwnChanges } from '../sources/own-changes.ts'
import { findCallbacks, functionOfThis } from '../../facts/callbacks.ts'
import { createFunctionParts } from '../../conditions/parts.ts'
import { findHandlers } from '../../model/cap/index.ts'
import { promisesOf } from '../calls/callback-results.ts'
import { createCallables } from '../calls/callables.ts'
import { pluginFunctions } from '../calls/jquery-plugins.ts'
import { createLineage, withoutLineage, createMixins } from '../calls/lineage.ts'
import { createOwners } from '../calls/owners.ts'
import { isEncoded } from '../sinks/encoders.ts'
import { createFunctionChecks } from '../checks/function-checks.ts'
import { createScriptChecks } from '../checks/script-checks.ts'
import { createFieldValues, createParents } from '../fields/members.ts'
import { createLastWrites, NO_LAST_WRITES } from '../fields/last-writes.ts'
import { createFilledRows } from '../fields/filled-rows.ts'
import { createSettledFields } from '../fields/settled-fields.ts'
import { PAGE } from '../pages/environment.ts'
import { SERVER } from '../servers/environment.ts'
import { createElementNames } from '../pages/react.ts'
import { createShadowReader } from '../frameworks/shadowed-routes.ts'
import { holdsFieldSinks } from '../sinks/sink-index.ts'
import { mayHoldSecrets } from '../sources/held-secrets.ts'
import { MAY_ASK_MODEL } from '../tables/language-models.ts'
import { collectionsIn, keyedIn } from '../values/collections.ts'
import { addParameters, readersOfArguments } from '../values/arguments.ts'
import { createGraphBuilder, type GraphBuilder } from './builder.ts'
import type { FlowDraft, ParameterNodes } from './draft.ts'
import type { GraphSteps, FlowInput } from './input.ts'
import { isAround } from '../../facts/span-index.ts'

/** A draft, with what only the one who completes it needs. */
export interface OpenDraft {
  readonly draft: FlowDraft
  readonly handlers: ReturnType<typeof findHandlers>
  readonly checksOf: ReturnType<typeof createFunctionChecks>
  parametersOf(fact: FunctionFact): readonly number[]
  /** Values that have a node, but nothing that leads to it. */
  readonly open: Value[]
  /** What nodes look like in the code. */
  readonly shown: ReadonlyMap<number, string>
}

export function createDraft(input: FlowInput, { part }: GraphSteps): OpenDraft {
  const { path, text, realm, settings, step } = input
  const inBrowser = realm === 'browser'
  const prototypes = inBrowser || !MAY_HOLD_PROTOTYPES.test(text) ? new Map<FunctionFact, never>() : prototypesOf(input.facts)
  const facts =
    prototypes.size === 0 ? input.facts : { ...input.facts, classes: [...input.facts.classes, ...prototypes.values()] }
  const graph = createGraphBuilder()
  const { parameters, ...ofParameters } = addParameterNodes({ ...input, facts }, graph)
  const { open, shown, ...ofValues } = createNodes(text, graph)
  const owners = createOwners(facts, inBrowser, prototypes)
  const lineage = inBrowser ? createLineage(facts, owners, text) : withoutLineage(owners)
  const parentOf = createParents(facts, lineage)
  const parts = createFunctionParts(input.facts, text, step)
  const script = { ...input, parts }
  const checksOf = createFunctionChecks(script)
  const handlers = inBrowser ? [] : findHandlers(facts)
  let lastWrites = NO_LAST_WRITES
  if (inBrowser) part(() => (lastWrites = createLastWrites({ facts, text, owners, step })))
  const draft: FlowDraft = {
    path,
    realm,
    text,
    step,
    ...ofValues,
    ...nothingCollected(facts, inBrowser, step),
    parameters: { ...ofParameters, selfOf: createSelves(owners, graph, inBrowser) },
    environment: inBrowser ? PAGE : SERVER,
    facts,
    graph,
    classes: {
      lineage,
      prototypes,
      parentOf,
      mixedInto: inBrowser ? createMixins(facts) : () => [],
      plugins: inBrowser && text.includes('.fn') ? pluginFunctions(facts) : new Set(),
      fieldValues: createFieldValues(facts, owners),
    },
    fields: {
      ...(inBrowser ? { keyed: keyedIn(facts), shuffled: new Set() } : collectionsIn(facts)),
      assigned: new Set(facts.assignments.map(({ value }) => value)),
      settled: createSettledFields(facts, step),
      filledRows: createFilledRows(facts, step),
      mergedInto: [],
      filled: new Map(),
    },
    follows: {
      settings,
      secrets: !inBrowser && mayHoldSecrets(text),
      models: !inBrowser && MAY_ASK_MODEL.test(text),
      all: !inBrowser || holdsFieldSinks(text),
    },
    checks: { ...createScriptChecks({ ...script, owners, parentOf }, handlers, checksOf), parts, asked: [], handed: [] },
    owners,
    page: { ...ofPage({ facts, text, step }), elements: createElementNames({ facts, owners }), lastWrites },
  }
  const parametersOf: OpenDraft['parametersOf'] = (fact) => parameters.get(fact)?.nodes ?? []
  return { draft, handlers, checksOf, parametersOf, open, shown }
}

function ofPage(
  script: Pick<FlowDraft, 'facts' | 'text' | 'step'>,
): Pick<FlowDraft['page'], 'added' | 'changeBehind' | 'encodes'> {
  return { added: new Map(), encodes: script.facts.calls.some(isEncoded), changeBehind: createOwnChanges(script) }
}

/** What parts of the graph are added to. */
function nothingCollected(
  facts: ScriptFacts,
  inBrowser: boolean,
  step: (count?: number) => void,
): Pick<FlowDraft, 'calling' | 'ends' | 'objects' | 'server'> {
  return {
    calling: {
      functions: new Map(facts.functions.map((fact, index) => [fact, index])),
      madeFunctions: [],
      calls: [],
      ownCalls: [],
      promiseOf: promisesOf(facts.calls),
    },
    ends: { sources: [], sinks: [], ports: [], unresolved: [] },
    objects: { all: [], byOwner: new Map(), made: [], receivers: new Map() },
    server: {
      callables: createCallables(),
      callbacks: inBrowser ? new Map() : findCallbacks(facts),
      refusals: [],
      routes: [],
      wrapped: [],
      mounts: [],
      protectedFrom: new Map(),
      isShadowed: inBrowser ? () => false : createShadowReader(facts, step),
    },
  }
}

/** `context` of `context: Context`: the type of a parameter is no part of what it is called. */
function withoutType(shown: string): string {
  const [name = '', ...type] = shown.split(/\??: /)
  return type.length > 0 && /^[\w$]{1,60}$/.test(name) ? name : shown
}

/** Nodes of values, and what they look like. */
function createNodes(
  text: string,
  graph: GraphBuilder,
): Pick<FlowDraft, 'use' | 'show'> & Pick<OpenDraft, 'open'> & { readonly shown: Map<number, string> } {
  const open: Value[] = []
  const shown = new Map<number, string>()
  return {
    open,
    shown,
    use(value) {
      const known = graph.nodeOf(value)
      if (known === undefined) open.push(value)
      return known ?? graph.of(value).node
    },
    show: (node, value, fields = []) =>
      void shown.set(
        node,
        typeof value === 'string'
          ? value
          : [...(value === undefined ? [] : [withoutType(excerptOf(text, value))]), ...fields].join('.'),
      ),
  }
}

function addParameterNodes(
  { facts, text, realm }: Pick<FlowInput, 'facts' | 'text' | 'realm'>,
  graph: GraphBuilder,
): Omit<ParameterNodes, 'selfOf'> & {
  readonly parameters: ReadonlyMap<FunctionFact, ReturnType<typeof addParameters>>
} {
  const readsAll = readersOfArguments(facts, text, realm)
  const parameters = new Map(facts.functions.map((fact) => [fact, addParameters(fact, graph, readsAll.has(fact))]))
  return {
    parameters,
    nodeOf: (fact, index) => parameters.get(fact)?.nodes[index],
    namedNodeOf(fact, index) {
      const own = parameters.get(fact)
      return index === fact.rest ? own?.list : own?.nodes[index]
    },
    argumentsAt(offset) {
      // the innermost function is the last one of those around
      const around = [...readsAll].findLast((fact) => isAround(fact, offset))
      return around && parameters.get(around)?.all
    },
  }
}

/** `this` of the functions of a server; in a page it is the object whose method runs. */
function createSelves(owners: FlowDraft['owners'], graph: GraphBuilder, inBrowser: boolean): ParameterNodes['selfOf'] {
  const selves = new Map<FunctionFact, number>()
  return (from) => {
    const fact = functionOfThis(from)
    const owner = inBrowser ? undefined : owners.holderOf(fact)
    if (owner === undefined || !('members' in owner)) return undefined
    const node = selves.get(fact) ?? graph.add({ start: fact.start, end: fact.start })
    selves.set(fact, node)
    return node
  }
}
