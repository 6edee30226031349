import { accessesOf, isNonText, type Value } from '../../facts/index.ts'
import { isEntryName } from '../sources/archives.ts'
import { PARSED_TEXT } from '../tables/web.ts'
import { ANY_FIELD, CLEAN, COPY, FIELD, MOVE, READ, WRITE } from '../types.ts'
import { FORMULA_CLEANS, PAYLOAD_CLEANS } from '../models/written-cleaning.ts'
import { isNeutralized } from '../checks/formulas.ts'
import { connectAsked, type PossibleCheck } from '../checks/asked-values.ts'
import { isKeptByFilter } from './filtered.ts'
import { CHECKED_FIELDS } from '../places.ts'
import { harmlessBy } from '../tables/harmless.ts'
import { isAllowed, isProof, proves, type Proof } from '../../conditions/constraint.ts'
import { cleansOfTest, isFollowed, isSettled, toldByTest } from '../checks/proofs.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addSecretMember, isOneHeader, isOneVariable } from '../sources/held-secrets.ts'
import { isOrdinaryEntry } from '../sources/named-entries.ts'
import { isOfInstance, readOfInstance } from './instances.ts'
import { rowsNode } from '../fields/filled-rows.ts'
import { keysIn, layerNode } from '../fields/settled-fields.ts'
import { nodeAt } from './named-values.ts'
import { isShown } from '../sources/requests.ts'
import { isCds } from '../frameworks/cap-receivers.ts'
import { isSplitOfPage } from '../sources/web-sources.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

/** Adds what leads to a value from the values that it is made of. Calls are connected by `addCall`. */
export function connectValue(value: Value, draft: FlowDraft): void {
  const { graph, use } = draft
  const to = use(value)
  const copy = (from: Value): void => graph.connect(use(from), to, COPY)
  if (isNonText(value)) return
  draft.environment.values.addValue(value, to, draft)
  switch (value.kind) {
    case 'template':
    case 'concat':
      return draft.environment.values.connectText(value, to, draft)
    case 'choice':
      return connectChoice(value, to, draft)
    case 'reference':
      if (value.binding !== undefined)
        connectGuarded(value, rowsNode(nodeAt(value, value.binding, draft), value, draft), to, draft)
      else if (value.name === 'arguments') connectArguments(value, to, draft)
      return
    case 'member':
      return connectMember(value, to, draft)
    case 'object':
      draft.environment.values.addFields(value, draft)
      return connectFields(value, to, draft)
    case 'array':
      return draft.environment.values.connectItems(value, to, draft)
    case 'await':
    case 'spread':
      return copy(value.value)
    default:
  }
}

function connectFields({ fields }: Value & { readonly kind: 'object' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  for (const [index, { key, value: field }] of fields.entries())
    if (field.kind === 'spread') graph.connect(layerNode(field.value, keysIn(fields.slice(index + 1)), draft), to, COPY)
    else if (field.kind === 'function' && field.function.kind === 'getter')
      graph.connect(graph.of(field.function).node, to, WRITE, key ?? ANY_FIELD)
    else if (draft.page.lastWrites.isGone(field)) use(field)
    else graph.connect(use(field), to, WRITE, key ?? ANY_FIELD)
}

function connectChoice({ options, test, isAnd }: Value & { readonly kind: 'choice' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  const last = options.at(-1)
  // list.includes(x) && x
  if (
    isAnd === true &&
    last !== undefined &&
    options.some((one) => one !== last && cleansOfTest(one, last, true, draft.checks.parts.conditions) === 'all')
  )
    return
  for (const [index, option] of options.entries()) {
    const holds = index === 0
    // `req && req.app && req.app.locals` is no request where it holds anything
    if (isAnd === true && index < options.length - 1) continue
    if (connectInstance(test, option, holds, to, draft)) continue
    if (test === undefined) graph.connect(use(option), to, COPY)
    else connectChosen(test, option, holds, to, draft)
  }
}

function connectArguments({ start }: Value, to: number, { graph, parameters: { argumentsAt } }: FlowDraft): void {
  const all = argumentsAt(start)
  if (all !== undefined) graph.connect(all, to, COPY)
}

/** What nodes of a page hold without their tags. */
const TEXTS: ReadonlySet<string> = new Set(['textContent', 'innerText', 'nodeValue'])

/** `router.param('page', …)` refuses what has the wrong form. */
function isCheckedParameter(
  { object, name }: Value & { readonly kind: 'member' },
  { checks: { checkedParameters } }: FlowDraft,
): boolean {
  return name !== undefined && object.kind === 'member' && object.name === 'params' && checkedParameters.has(name)
}

function connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  const { object, name, property } = value
  if (isOneVariable(value) || isCheckedParameter(value, draft)) return
  if (property !== undefined && name === undefined) use(property)
  if (isShown(value)) draft.show(to, value)
  if (draft.follows.secrets) addSecretMember(value, to, draft)
  draft.environment.values.addMember(value, to, draft)
  const last = draft.page.lastWrites.read(value)
  if (last !== undefined) return isFollowed(draft.checks.proofsOf(value)) ? graph.connect(use(last), to, COPY) : undefined
  const owner = draft.owners.ownerBehind(object)
  if (owner !== undefined || object.kind === 'this') {
    const proofs = owner === undefined || name === undefined ? [] : draft.checks.proofsOf(value)
    if (!isFollowed(proofs)) return
    const cleans = harmlessBy(proofs)
    const read = cleans.length === 0 ? to : graph.add(value)
    if (cleans.length > 0) graph.connect(read, to, CLEAN, cleans.join(' '))
    if (owner !== undefined && name !== undefined) graph.connect(graph.ofField(owner, name, value), read, COPY)
    draft.environment.values.connectOwnField(value, read, draft)
    return
  }
  // `location.href.split('#')[0]` is the own address still
  if (name === '0' && object.kind === 'call' && isSplitOfPage(object)) return
  // XS classic: $.request; the request that is being handled: cds.context
  if (object.kind === 'reference' && object.binding === undefined) {
    if (object.name === '$' && name === 'request') draft.ends.sources.push({ node: to, origin: 'http-request', weak: false })
    if (object.name === '$' && name === 'response') draft.ends.sources.push({ node: to, origin: 'response', weak: false })
  }
  if (name === 'context' && accessesOf(object).some(({ root, steps }) => steps.length === 0 && isCds({ root })))
    draft.ends.sources.push({ node: to, origin: 'cap-request', weak: false })
  if (draft.environment.values.connectMember(value, to, draft)) return
  const proofs = draft.checks.proofsOf(value)
  if (isSettled(proofs)) return
  const settled = proofs.length === 0 ? draft.fields.settled.read(value) : undefined
  if (settled !== undefined) return settled.value && graph.connect(use(settled.value), to, COPY)
  const isEntry = isEntryName(value, draft) && !isKeptByFilter(value, draft)
  if (draft.checks.instanceGuards.length > 0 && isOfInstance(value, draft))
    return graph.connect(use(object), to, FIELD, name ?? ANY_FIELD)
  const cleans = TEXTS.has(name ?? '') ? [PARSED_TEXT] : isOneHeader(value) || isOrdinaryEntry(value, draft) ? PAYLOAD_CLEANS : []
  const known = knownOf(value, proofs, draft)
  if (known === undefined) return
  const filled = draft.fields.filledRows(value).length > 0
  const isAsItIs = isNothingKnown(known) && cleans.length === 0 && !filled
  const read = isAsItIs ? to : graph.add(value)
  if (isEntry) addEntry(read, value, draft)
  if (isAsItIs) return graph.connect(use(object), to, READ, name ?? ANY_FIELD)
  graph.connect(use(object), read, READ, name ?? ANY_FIELD)
  connectKnown(value, { ...known, cleans: [...known.cleans, ...cleans] }, { from: rowsNode(read, value, draft), to }, draft)
}

function addEntry(node: number, value: Value, draft: FlowDraft): void {
  draft.ends.sources.push({ node, origin: 'archive-entry', weak: false })
  draft.show(node, value)
}

/** `list.includes(x) ? x : 'a'`, `isOrder(x) ? x : undefined`. */
function connectChosen(test: Value, option: Value, holds: boolean, to: number, draft: FlowDraft): void {
  const proofs = toldByTest(test, holds, option, draft.checks.parts.conditions)
  if (isSettled(proofs)) return
  const asked = draft.checks.askers.chosen(test, option, holds)
  const isBelieved = proofs.some((one) => one.kind === 'answered' && isAllowed(one))
  if (isBelieved && asked.length === 0) return
  const cleans = draft.checks.formulas.isTest(test) ? FORMULA_CLEANS : harmlessBy(proofs.filter(isProof))
  connectKnown(option, { cleans, asked, parts: [], handed: [], isBelieved }, { from: draft.use(option), to }, draft)
}

/** What is known of a value where it is read. */
interface Known {
  /** Rules for which it is harmless. */
  readonly cleans: readonly string[]
  /** Whom it was given to before: it is as those leave it, and what they do not look at, may be checked by means that nobody knows. */
  readonly asked: readonly PossibleCheck[]
  /** Fields of it that were checked. */
  readonly parts: readonly string[]
  readonly handed: readonly string[]
  readonly isBelieved: boolean
}

/** Undefined: it is harmless for all rules. */
function knownOf(value: Value, proofs: readonly Proof[], draft: FlowDraft): Known | undefined {
  if (isSettled(proofs)) return undefined
  const isBelieved = proves(proofs, 'answered')
  const asked = draft.checks.askers.before(value)
  if (asked.length === 0 && isBelieved) return undefined
  return {
    cleans: harmlessBy(proofs.filter(({ kind }) => kind !== 'handed')),
    handed: harmlessBy(proofs.filter(({ kind }) => kind === 'handed')),
    asked,
    parts: draft.checks.checkedPartsOf(value),
    isBelieved,
  }
}

function isNothingKnown({ cleans, asked, parts, handed }: Known): boolean {
  return cleans.length + asked.length + parts.length + handed.length === 0
}

function connectKnown(
  value: Value,
  { cleans, asked, parts, handed, isBelieved }: Known,
  { from, to }: { readonly from: number; readonly to: number },
  draft: FlowDraft,
): void {
  const { graph } = draft
  const isLast = asked.length + parts.length === 0
  const all = isLast ? [...cleans, ...handed] : cleans
  if (isLast && handed.length > 0) draft.checks.handed.push({ value, node: to })
  if (isLast) return all.length === 0 ? graph.connect(from, to, COPY) : graph.connect(from, to, CLEAN, all.join(' '))
  let here = from
  const behind = (operation: number, name: string): void => {
    here = graph.derive(here, value, operation, name)
  }
  if (cleans.length > 0) behind(CLEAN, cleans.join(' '))
  if (parts.length > 0 && asked.length === 0) return graph.connect(here, to, MOVE, CHECKED_FIELDS + parts.join(' '))
  if (parts.length > 0) behind(MOVE, CHECKED_FIELDS + parts.join(' '))
  const node = connectAsked(asked, { from: here, to, cleans: handed, isBelieved }, draft)
  if (handed.length > 0) draft.checks.handed.push({ value, node })
}

function connectGuarded(value: Value & { readonly kind: 'reference' }, from: number, to: number, draft: FlowDraft): void {
  // behind `app.use(authenticate)`
  if (value.binding !== undefined && value.start >= (draft.server.protectedFrom.get(value.binding) ?? Infinity))
    return draft.graph.connect(from, to, CLEAN, FOUND_SINKS.route.fault)
  const known = knownOf(value, draft.checks.proofsOf(value), draft)
  if (known === undefined) return
  const cleans = isNeutralized(value, draft) ? FORMULA_CLEANS : []
  connectKnown(value, { ...known, cleans: [...known.cleans, ...cleans] }, { from, to }, draft)
}

/** `value instanceof Markup ? value.text : escape(value)`; true: it is that. */
function connectInstance(test: Value | undefined, option: Value, isFirst: boolean, to: number, draft: FlowDraft): boolean {
  const read = test === undefined ? undefined : readOfInstance(test, option, isFirst)
  if (read !== undefined) draft.graph.connect(draft.use(read.object), to, FIELD, read.field)
  return read !== undefined
}
