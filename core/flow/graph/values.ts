import {
  accessesOf,
  isNonText,
  isCheckedBy,
  isPrefixCheckedBy,
  type Binding,
  type Definition,
  type Value,
  isHostCheckedBy,
} from '../../facts/index.ts'
import { isEntryName, isEntryPattern } from './entry-names.ts'
import { ORIGIN_CHECK_CLEANS, PARSED_TEXT, PREFIXED } from '../tables/web.ts'
import { HOST_CHECK_CLEANS, PREFIX_CHECK_CLEANS } from '../tables/propagators.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, FIELD, READ, WRITE } from '../types.ts'
import { READS } from '../tables/requests.ts'
import { isResponseState } from './responses.ts'
import { connectParts } from './text-parts.ts'
import { requestField } from './assign.ts'
import { addCallable, addImport } from './callables.ts'
import { addStatement } from './native-sql.ts'
import { isOriginTested } from './origin-checks.ts'
import { asksForFormula, FORMULA_CLEANS, isNeutralized } from './formulas.ts'
import { addEntityLookUp } from './query-names.ts'
import { cleansOf } from './guard-effects.ts'
import { addSecretUrl } from './secret-urls.ts'
import type { FlowDraft } from './draft.ts'
import { addSecretDefinition, addSecretMember, isRestWithoutSecrets } from './held-secrets.ts'
import { isInstanceChosen, isOfInstance } from './instances.ts'
import { addGlobalMember } from './global-members.ts'
import { fillNamed } from './filled.ts'
import { addObject } from './objects.ts'
import { addResolver } from './made-functions.ts'
import { addIterated } from './iterables.ts'
import { addXsLibrary } from './xs-imports.ts'
import { isAppOfCds, isAppTakenFromCds } from './routes.ts'
import { addFactory } from './factories.ts'
import { tupleNode } from './tuples.ts'
import { addFieldSinks } from './sinks.ts'
import { addValueSource, isSplitOfPage } from './web-sources.ts'

/** Names of fields at which data of a request begins: these places are shown. */
const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))

/** Adds what leads to a value from the values that it is made of. Calls are connected by `addCall`. */
export function connectValue(value: Value, draft: FlowDraft): void {
  const { graph, use } = draft
  const to = use(value)
  const copy = (from: Value): void => graph.connect(use(from), to, COPY)
  if (isNonText(value)) return
  if (draft.realm === 'browser') {
    addValueSource(value, to, draft)
    addObject(value, to, draft)
  } else {
    addCallable(value, to, draft)
    addStatement(value, to, draft)
  }
  switch (value.kind) {
    case 'template':
    case 'concat':
      if (draft.realm === 'browser') return connectParts(value, to, draft)
      connectTexts(value, to, draft)
      return addSecretUrl(value, to, draft)
    case 'choice': {
      const { options, test, isAnd } = value
      const last = options.at(-1)
      // list.includes(x) && x
      if (isAnd === true && last !== undefined && options.some((one) => one !== last && isCheckedBy(one, last, true))) return
      for (const [index, option] of options.entries())
        // `req && req.app && req.app.locals` is no request where it holds anything
        if (isAnd === true && index < options.length - 1) continue
        // `list.includes(x) ? x : 'a'`
        else if (test !== undefined && isCheckedBy(test, option, index === 0)) continue
        else if (
          test !== undefined &&
          option.kind === 'member' &&
          draft.realm === 'server' &&
          isInstanceChosen(test, option, index === 0)
        )
          graph.connect(use(option.object), to, FIELD, option.name ?? ANY_FIELD)
        else if (test !== undefined && draft.realm === 'browser' && asksForFormula(test))
          graph.connect(use(option), to, CLEAN, FORMULA_CLEANS.join(' '))
        else if (test !== undefined && draft.realm === 'server' && isPrefixCheckedBy(test, option))
          graph.connect(use(option), to, CLEAN, PREFIX_CHECK_CLEANS.join(' '))
        else if (test !== undefined && index === 0 && draft.realm === 'server' && isHostCheckedBy(test, option))
          graph.connect(use(option), to, CLEAN, HOST_CHECK_CLEANS.join(' '))
        else if (test !== undefined && index === 0 && isOriginTested(test, option))
          graph.connect(use(option), to, CLEAN, ORIGIN_CHECK_CLEANS.join(' '))
        else copy(option)
      return
    }
    case 'reference':
      if (value.binding !== undefined) connectGuarded(value, nodeAt(value, value.binding, draft), to, draft)
      return
    case 'member':
      return connectMember(value, to, draft)
    case 'object':
      if (draft.realm === 'browser') {
        addFieldSinks(value, draft)
        addFactory(value, draft)
      }
      for (const { key, value: field } of value.fields)
        if (field.kind === 'spread') copy(field.value)
        else graph.connect(use(field), to, WRITE, key ?? ANY_FIELD)
      return
    case 'array':
      for (const item of value.items)
        if (item.kind === 'spread') copy(item.value)
        else if (item.kind === 'array' && draft.realm === 'browser') graph.connect(tupleNode(item, draft), to, WRITE, ANY_FIELD)
        else graph.connect(use(item), to, WRITE, ANY_FIELD)
      return
    case 'await':
    case 'spread':
      return copy(value.value)
    default:
  }
}

/** What stands behind the host of an address, or behind something else, decides about no host: also where another function composes the address. */
function connectTexts(value: Value & { readonly kind: 'template' | 'concat' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  let text = value.kind === 'template' ? (value.texts[0] ?? '') : ''
  let isOpen = false
  for (const [index, part] of value.parts.entries()) {
    const isLater = isOpen
      ? (text === '' || text.includes('/')) && !/\/\/[^/]{0,300}$/.test(text)
      : /^(?:[a-z]{2,10}:\/\/[^/]{1,300})?\/(?![/\\])/i.test(text)
    if (isLater) {
      const joined = graph.add(part)
      graph.connect(use(part), joined, CONCAT)
      graph.connect(joined, to, CLEAN, PREFIXED)
    } else graph.connect(use(part), to, CONCAT)
    const lead = leadingTextOf(part)
    text += lead.text
    isOpen ||= !lead.isWhole
    if (value.kind === 'template') text += value.texts[index + 1] ?? ''
  }
}

/** What nodes of a page hold without their tags. */
const TEXTS: ReadonlySet<string> = new Set(['textContent', 'innerText', 'nodeValue'])

function connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  const { object, name, property } = value
  // `router.param('page', …)` refuses what has the wrong form
  if (name !== undefined && object.kind === 'member' && object.name === 'params' && draft.checkedParameters.has(name)) return
  if (property !== undefined && name === undefined) {
    use(property)
    if (draft.realm === 'server') addEntityLookUp(value, draft)
  }
  if (isShown(value)) draft.show(to, value)
  if (draft.holdsSecrets) addSecretMember(value, to, draft)
  const owner = draft.owners.ownerBehind(object)
  if (owner !== undefined || object.kind === 'this') {
    if (owner !== undefined && name !== undefined && draft.guardOf(value) !== 'clean')
      graph.connect(graph.ofField(owner, name, value), to, COPY)
    if (draft.realm === 'server') graph.connect(use(object), to, READ, name ?? ANY_FIELD)
    return
  }
  // `location.href.split('#')[0]` is the own address still
  if (name === '0' && object.kind === 'call' && isSplitOfPage(object)) return
  // XS classic: $.request; the request that is being handled: cds.context
  if (object.kind === 'reference' && object.binding === undefined) {
    if (object.name === '$' && name === 'request') draft.sources.push({ node: to, origin: 'http-request', weak: false })
    if (object.name === '$' && name === 'response') draft.sources.push({ node: to, origin: 'response', weak: false })
  }
  if (
    name === 'context' &&
    accessesOf(object).some(({ root, steps }) => steps.length === 0 && /^(?:global:cds|module:@sap\/cds)$/.test(root))
  )
    draft.sources.push({ node: to, origin: 'cap-request', weak: false })
  const ownField = draft.realm === 'server' ? requestField(value) : undefined
  if (ownField !== undefined) draft.ports.push({ node: to, access: 'read', store: ownField, path: [] })
  if (draft.realm === 'server') addXsLibrary(value, to, draft)
  if (draft.realm === 'server' && isAppOfCds(value)) draft.sources.push({ node: to, origin: 'open-app', weak: false })
  if (draft.realm === 'browser') {
    addResolver(value, to, draft)
    addGlobalMember(value, to, draft)
    if (isResponseState(name, object, draft)) return
  }
  // the properties of a control as UI5 keeps them
  if (name === 'mProperties' && draft.realm === 'browser') return graph.connect(use(object), to, COPY)
  const guard = draft.guardOf(value)
  if (guard === undefined && isEntryName(value, draft)) {
    draft.sources.push({ node: to, origin: 'archive-entry', weak: false })
    draft.show(to, value)
  }
  if (guard === 'clean') return
  const settled = guard === undefined ? draft.settled.read(value) : undefined
  if (settled !== undefined) return settled.value && graph.connect(use(settled.value), to, COPY)
  if (draft.instanceGuards.length > 0 && isOfInstance(value, draft))
    return graph.connect(use(object), to, FIELD, name ?? ANY_FIELD)
  const cleans = guard !== undefined ? cleansOf(guard) : draft.realm === 'browser' && TEXTS.has(name ?? '') ? [PARSED_TEXT] : []
  if (cleans.length === 0) graph.connect(use(object), to, READ, name ?? ANY_FIELD)
  else {
    const read = graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    graph.connect(read, to, CLEAN, cleans.join(' '))
    if (guard === 'handed') draft.handedToChecks.push({ value, node: to })
  }
}

function connectGuarded(value: Value & { readonly kind: 'reference' }, from: number, to: number, draft: FlowDraft): void {
  const guard = draft.guardOf(value)
  // behind `app.use(authenticate)`
  if (value.binding !== undefined && value.start >= (draft.protectedFrom.get(value.binding) ?? Infinity))
    return draft.graph.connect(from, to, CLEAN, 'cap/express-route-unauthenticated')
  if (guard === 'clean') return
  if (guard === undefined && isNeutralized(value, draft)) return draft.graph.connect(from, to, CLEAN, FORMULA_CLEANS.join(' '))
  if (guard === undefined) draft.graph.connect(from, to, COPY)
  else draft.graph.connect(from, to, CLEAN, cleansOf(guard).join(' '))
  if (guard === 'handed') draft.handedToChecks.push({ value, node: to })
}

/** `req.data`, `req.data.name`: where a reader sees that data comes in. */
function isShown({ name, object }: Value & { readonly kind: 'member' }): boolean {
  if (name !== undefined && SHOWN.has(name)) return true
  return object.kind === 'member' && isShown(object)
}

/** The node of a name where it is read: what it is given further down, in the same function, comes too late. */
function nodeAt({ start }: Value, binding: Binding, draft: FlowDraft): number {
  const { definitions, additions } = binding
  const isLate = ({ kind, start: at, function: within, operator }: Definition): boolean =>
    kind === 'assign' && operator === '=' && at > start && within === binding.function && within.end > start
  if (binding.isCaptured || additions.length > 0 || definitions.length < 2) return bindingNode(binding, draft)
  const replacing = definitions.findLast((one) => isReplacing(one, start, draft))
  if (replacing === undefined && !definitions.some(isLate)) return bindingNode(binding, draft)
  const node = draft.graph.add(binding)
  for (const definition of definitions)
    if (!isLate(definition) && definition.start >= (replacing?.start ?? 0)) connectDefinition(definition, node, draft)
  return node
}

/** Whether what a name was given before is gone where it is read: no condition stands around the assignment. */
function isReplacing({ replaces, value, start: at }: Definition, start: number, { facts }: FlowDraft): boolean {
  if (replaces !== true || (value?.end ?? at) >= start) return false
  return !facts.guards.some(({ inside, test }) => (inside.start <= at && at < inside.end) || (test.start <= at && at < test.end))
}

/** The node of a name, with all the values that it is given. */
export function bindingNode(binding: Binding, draft: FlowDraft): number {
  const { graph, use } = draft
  const { node, isNew } = graph.of(binding)
  if (!isNew) return node
  if (draft.realm === 'server') addImport(binding, node, draft)
  // what a module gives comes from its file, not from a call of the function around
  const isGiven = draft.realm === 'browser' && binding.module !== undefined
  if (!isGiven) for (const definition of binding.definitions) connectDefinition(definition, node, draft)
  for (const added of binding.additions) {
    if (draft.assigned.has(added)) continue
    graph.connect(use(added), node, WRITE, ANY_FIELD)
    if (draft.realm === 'server' && binding.kind === 'parameter') {
      const item = graph.add(added)
      graph.connect(use(added), item, WRITE, ANY_FIELD)
      fillNamed(binding, item, draft)
    }
  }
  return node
}

function connectDefinition(definition: Definition, node: number, draft: FlowDraft): void {
  const { value, path } = definition
  const [field, ...rest] = path
  // const { items } = this
  const owner = value === undefined || field === undefined ? undefined : draft.owners.ownerBehind(value)
  if (owner !== undefined && field !== undefined)
    connectPath(draft.graph.ofField(owner, field, definition), node, { ...definition, path: rest }, draft)
  if (draft.realm === 'server' && isEntryPattern(definition, draft)) {
    draft.sources.push({ node, origin: 'archive-entry', weak: false })
    draft.show(node, definition.value, definition.path)
  }
  if (draft.realm === 'server' && isAppTakenFromCds(definition)) draft.sources.push({ node, origin: 'open-app', weak: false })
  if (draft.holdsSecrets) addSecretDefinition(definition, node, draft)
  const settled = draft.settled.taken(definition)
  if (settled !== undefined) {
    if (settled.value !== undefined) connectPath(draft.use(settled.value), node, { ...definition, path: rest }, draft)
    if (definition.fallback !== undefined) draft.graph.connect(draft.use(definition.fallback), node, COPY)
    return
  }
  const from = definitionNode(definition, draft)
  if (draft.holdsSecrets && from !== undefined && isRestWithoutSecrets(definition)) {
    const rest = draft.graph.add(definition)
    draft.graph.connect(rest, node, CLEAN, 'cap/sensitive-log')
    return connectPath(from, rest, definition, draft)
  }
  for (const list of [from, addIterated(definition, draft)]) if (list !== undefined) connectPath(list, node, definition, draft)
  if (definition.fallback !== undefined) draft.graph.connect(draft.use(definition.fallback), node, COPY)
}

function definitionNode({ kind, value, parameter, function: within }: Definition, draft: FlowDraft): number | undefined {
  if (kind === 'catch' || (kind === 'key' && draft.realm === 'browser')) return undefined
  if (value !== undefined) return draft.use(value)
  return parameter === undefined ? undefined : draft.namedParameterOf(within, parameter)
}

/** Of a pattern the part that is bound; of a loop an item. */
function connectPath(from: number, to: number, definition: Definition, draft: FlowDraft): void {
  const { kind, path, operator, start, end, value } = definition
  const { graph } = draft
  if (operator === '-=' || operator === '*=' || operator === '/=' || operator === '++' || operator === '--') return
  const steps = kind === 'each' ? [ANY_FIELD, ...path] : path
  let here = from
  for (const [index, name] of steps.entries()) {
    const next = index === steps.length - 1 ? to : graph.add({ start, end })
    graph.connect(here, next, READ, name)
    // what a pattern takes out of a request is shown as if it was written out
    if (kind !== 'each' && path.some((field) => SHOWN.has(field))) draft.show(next, value, path.slice(0, index + 1))
    here = next
  }
  if (steps.length === 0) graph.connect(from, to, operator === '+=' ? CONCAT : COPY)
}
