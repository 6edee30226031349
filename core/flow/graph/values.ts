import { addPrivilegedMember } from './privileged-users.ts'
import { accessesOf, isNonText, isCheckedBy, isPrefixCheckedBy, type Value, isHostCheckedBy } from '../../facts/index.ts'
import { isEntryName } from './entry-names.ts'
import { HOST_CHECK_CLEANS, PREFIX_CHECK_CLEANS } from '../tables/propagators.ts'
import { PARSED_TEXT } from '../tables/web.ts'
import { ANY_FIELD, CLEAN, COPY, FIELD, MOVE, READ, WRITE } from '../types.ts'
import { isResponseState } from './responses.ts'
import { connectTexts } from './server-texts.ts'
import { connectParts } from './text-parts.ts'
import { readRequestField } from './assign.ts'
import { addCallable } from './callables.ts'
import { addStatement } from './native-sql.ts'
import { FORMULA_CLEANS, isNeutralized } from './formulas.ts'
import { addEntityLookUp } from './query-names.ts'
import { connectChecked } from './called-checks.ts'
import { isKeptByFilter } from './filtered-items.ts'
import { CHECKED_FIELDS } from '../places.ts'
import { cleansOf, isClean, isElsewhere } from './guard-effects.ts'
import { connectPassed, type PossiblePass } from './passed-checks.ts'
import { addSecretParameters, addSecretUrl, PARAMETER_FIELDS } from './secret-urls.ts'
import type { FlowDraft, GuardEffect } from './draft.ts'
import { addSecretMember } from './held-secrets.ts'
import { isOfInstance, readOfInstance } from './instances.ts'
import { OWN_FIELDS } from '../tables/markup.ts'
import { addGlobalMember } from './global-members.ts'
import { addFrameworkFunction, addObject } from './objects.ts'
import { addResolver } from './made-functions.ts'
import { addXsLibrary } from './xs-imports.ts'
import { isAppOfCds } from './routes.ts'
import { keysIn, layerNode } from './layers.ts'
import { nodeAt } from './named-values.ts'
import { isShown } from './shown-fields.ts'
import { addFactory } from './factories.ts'
import { addDecoded, DECODED } from './decoding.ts'
import { cleansOfTest } from './test-effects.ts'
import { connectItems, tupleNode } from './tuples.ts'
import { addFieldSinks } from './field-sinks.ts'
import { addValueSource, isSplitOfPage } from './web-sources.ts'

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
        else if (connectInstance(test, option, index === 0, to, draft)) continue
        else if (test !== undefined && draft.formulas.isTest(test))
          graph.connect(use(option), to, CLEAN, FORMULA_CLEANS.join(' '))
        else if (test !== undefined && draft.realm === 'server' && isPrefixCheckedBy(test, option))
          graph.connect(use(option), to, CLEAN, PREFIX_CHECK_CLEANS.join(' '))
        else if (test !== undefined && draft.realm === 'server' && isHostCheckedBy(test, option, index === 0))
          graph.connect(use(option), to, CLEAN, HOST_CHECK_CLEANS.join(' '))
        else {
          const cleans = test === undefined ? [] : cleansOfTest(test, option, index === 0, draft)
          if (cleans.length > 0) graph.connect(use(option), to, CLEAN, cleans.join(' '))
          else connectChosen(test, option, index === 0, to, draft)
        }
      return
    }
    case 'reference':
      if (value.binding !== undefined) connectGuarded(value, nodeAt(value, value.binding, draft), to, draft)
      else if (value.name === 'arguments') connectArguments(value, to, draft)
      return
    case 'member':
      return connectMember(value, to, draft)
    case 'object':
      if (draft.realm === 'browser') {
        addFieldSinks(value, draft)
        addFactory(value, draft)
      }
      for (const [index, { key, value: field }] of value.fields.entries())
        if (field.kind === 'spread') graph.connect(layerNode(field.value, keysIn(value.fields.slice(index + 1)), draft), to, COPY)
        else if (field.kind === 'function' && field.function.kind === 'getter' && draft.realm === 'server')
          graph.connect(graph.of(field.function).node, to, WRITE, key ?? ANY_FIELD)
        else if (draft.lastWrites.isGone(field)) use(field)
        else {
          if (draft.realm === 'browser') addFrameworkFunction(field, draft)
          const from = use(field)
          graph.connect(from, to, WRITE, key ?? ANY_FIELD)
          if (key !== undefined && PARAMETER_FIELDS.has(key)) addSecretParameters(field, from, draft)
        }
      return
    case 'array':
      if (draft.realm === 'server') return connectItems(value, to, draft)
      for (const item of value.items)
        if (item.kind === 'spread') copy(item.value)
        else if (item.kind === 'array') graph.connect(tupleNode(item, draft), to, WRITE, ANY_FIELD)
        else graph.connect(use(item), to, WRITE, ANY_FIELD)
      return
    case 'await':
    case 'spread':
      return copy(value.value)
    default:
  }
}

function connectArguments({ start }: Value, to: number, { graph, argumentsAt }: FlowDraft): void {
  const all = argumentsAt(start)
  if (all !== undefined) graph.connect(all, to, COPY)
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
  if (draft.realm === 'server') addPrivilegedMember(value, to, draft)
  const last = draft.lastWrites.read(value)
  if (last !== undefined) return isClean(draft.guardOf(value)) ? undefined : graph.connect(use(last), to, COPY)
  const owner = draft.owners.ownerBehind(object)
  if (owner !== undefined || object.kind === 'this') {
    const guard = owner === undefined || name === undefined ? undefined : draft.guardOf(value)
    if (isClean(guard)) return
    const cleans = guard === undefined || draft.realm === 'browser' ? [] : cleansOf(guard)
    const read = cleans.length === 0 ? to : graph.add(value)
    if (cleans.length > 0) graph.connect(read, to, CLEAN, cleans.join(' '))
    if (owner !== undefined && name !== undefined) graph.connect(graph.ofField(owner, name, value), read, COPY)
    if (draft.realm === 'server') graph.connect(use(object), read, READ, name ?? ANY_FIELD)
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
  const ownField = draft.realm === 'server' ? readRequestField(value) : undefined
  if (ownField !== undefined && isRefused(value, draft)) return
  if (ownField !== undefined) draft.ports.push({ node: to, access: 'read', store: ownField, path: [] })
  if (draft.realm === 'server') addXsLibrary(value, to, draft)
  if (draft.realm === 'server' && isAppOfCds(value)) draft.sources.push({ node: to, origin: 'open-app', weak: false })
  if (draft.realm === 'browser') {
    // of an object of UI5; one of the app's own has it by its class
    if (OWN_FIELDS.has(name ?? '')) return
    addResolver(value, to, draft)
    addGlobalMember(value, to, draft)
    if (isResponseState(name, object, draft)) return
  }
  if (draft.realm === 'browser' && name !== undefined && DECODED.has(name)) addDecoded(object, to, draft)
  // the properties of a control as UI5 keeps them
  if (name === 'mProperties' && draft.realm === 'browser') return graph.connect(use(object), to, COPY)
  const guard = draft.guardOf(value)
  if (guard === undefined && isEntryName(value, draft) && !isKeptByFilter(value, draft)) {
    draft.sources.push({ node: to, origin: 'archive-entry', weak: false })
    draft.show(to, value)
  }
  if (guard === 'clean') return
  const settled = guard === undefined ? draft.settled.read(value) : undefined
  if (settled !== undefined) return settled.value && graph.connect(use(settled.value), to, COPY)
  if (draft.instanceGuards.length > 0 && isOfInstance(value, draft))
    return graph.connect(use(object), to, FIELD, name ?? ANY_FIELD)
  const fits = guard === undefined || isElsewhere(guard) ? draft.schemaOf(value) : undefined
  if (fits === 'clean') return
  if (fits !== undefined) {
    const read = fits.length === 0 ? to : graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    if (fits.length > 0) graph.connect(read, to, CLEAN, fits.join(' '))
    return
  }
  const passed = guard === undefined || isElsewhere(guard) ? draft.passedChecks.before(value) : []
  if (passed.length > 0) {
    const read = graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    return connectHanded(value, { guard, passed, from: read, to }, draft)
  }
  if (guard === 'answered') return
  const called = guard === undefined ? draft.calledChecks.before(value) : []
  if (called.length > 0) {
    const read = graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    return connectChecked(called, read, to, draft)
  }
  const cleans = guard !== undefined ? cleansOf(guard) : draft.realm === 'browser' && TEXTS.has(name ?? '') ? [PARSED_TEXT] : []
  const parts = guard === undefined ? draft.checkedPartsOf(value) : []
  if (parts.length > 0) {
    const read = graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    graph.connect(read, to, MOVE, CHECKED_FIELDS + parts.join(' '))
  } else if (cleans.length === 0) graph.connect(use(object), to, READ, name ?? ANY_FIELD)
  else {
    const read = graph.add(value)
    graph.connect(use(object), read, READ, name ?? ANY_FIELD)
    graph.connect(read, to, CLEAN, cleans.join(' '))
    if (guard === 'handed') draft.handedToChecks.push({ value, node: to })
  }
}

/** `req.order`, which a handler of the phase before has checked. */
function isRefused({ object, name = '' }: Value & { readonly kind: 'member' }, { refusedFields }: FlowDraft): boolean {
  const within = object.kind === 'reference' ? object.binding?.function : undefined
  return within !== undefined && refusedFields.get(within)?.has(name) === true
}

/** `isOrder(x) ? x : undefined`. */
function connectChosen(test: Value | undefined, option: Value, holds: boolean, to: number, draft: FlowDraft): void {
  const passed = test === undefined ? [] : draft.passedChecks.chosen(test, option, holds)
  if (passed.length > 0) connectPassed(passed, { from: draft.use(option), to }, draft)
  else connectChecked(test === undefined ? [] : draft.calledChecks.chosen(test, option, holds), draft.use(option), to, draft)
}

/** What a function of the project was given before, is as that leaves it; what it does not look at, may be checked by means that nobody knows. */
function connectHanded(
  value: Value,
  {
    guard,
    passed,
    from,
    to,
  }: {
    readonly guard: GuardEffect | undefined
    readonly passed: readonly PossiblePass[]
    readonly from: number
    readonly to: number
  },
  draft: FlowDraft,
): void {
  const believed = { ...(guard === 'handed' && { cleans: cleansOf(guard) }), isBelieved: guard === 'answered' }
  const node = connectPassed(passed, { from, to, ...believed }, draft)
  if (guard === 'handed') draft.handedToChecks.push({ value, node })
}

function connectGuarded(value: Value & { readonly kind: 'reference' }, from: number, to: number, draft: FlowDraft): void {
  const guard = draft.guardOf(value)
  // behind `app.use(authenticate)`
  if (value.binding !== undefined && value.start >= (draft.protectedFrom.get(value.binding) ?? Infinity))
    return draft.graph.connect(from, to, CLEAN, 'cap/express-route-unauthenticated')
  if (guard === 'clean') return
  if (guard === undefined && isNeutralized(value, draft)) return draft.graph.connect(from, to, CLEAN, FORMULA_CLEANS.join(' '))
  const fits = guard === undefined || isElsewhere(guard) ? draft.schemaOf(value) : undefined
  if (fits === 'clean') return
  if (fits !== undefined) {
    if (fits.length === 0) draft.graph.connect(from, to, COPY)
    else draft.graph.connect(from, to, CLEAN, fits.join(' '))
    return
  }
  const passed = guard === undefined || isElsewhere(guard) ? draft.passedChecks.before(value) : []
  if (passed.length > 0) return connectHanded(value, { guard, passed, from, to }, draft)
  if (guard === 'answered') return
  const parts = guard === undefined ? draft.checkedPartsOf(value) : []
  if (parts.length > 0) draft.graph.connect(from, to, MOVE, CHECKED_FIELDS + parts.join(' '))
  else if (guard === undefined) connectChecked(draft.calledChecks.before(value), from, to, draft)
  else draft.graph.connect(from, to, CLEAN, cleansOf(guard).join(' '))
  if (guard === 'handed') draft.handedToChecks.push({ value, node: to })
}

/** `value instanceof Markup ? value.text : escape(value)`; true: it is that. */
function connectInstance(test: Value | undefined, option: Value, isFirst: boolean, to: number, draft: FlowDraft): boolean {
  const read = test === undefined || draft.realm !== 'server' ? undefined : readOfInstance(test, option, isFirst)
  if (read !== undefined) draft.graph.connect(draft.use(read.object), to, FIELD, read.field)
  return read !== undefined
}
