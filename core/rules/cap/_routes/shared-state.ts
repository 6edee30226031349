import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  fieldOf,
  findPart,
  isOnTheWay,
  resolveValue,
  valuesOf,
  type Binding,
  type Definition,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isCollection, keptValue } from '../../../flow/servers/shared-state.ts'
import { createFreshReader, isContextName, isDeployedCode, isLogCall, runsInBrowser } from '../../../model/script/index.ts'
import { isNothing } from '../../../facts/values.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWholeRequest } from '../_callers/looks-at-callers.ts'
import type { HandledFunctions } from '../_handlers/handled-functions.ts'
import { findRequestHandlers, type RequestHandlers } from './request-values.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'

/** A place where a handler keeps data of its request outside of the request. */
export interface SharedState extends Span {
  readonly name: string
  readonly kind: 'variable' | 'field' | 'collection'
  /** Only where it is empty: the same for all who share the rows, but not for other tenants. */
  readonly isLazy?: true
  /** What a client sends replaces it as a whole, and another handler answers with it as it is. */
  readonly isGivenOut?: true
  /** Another operation empties it: it is there for later requests, and no two have to come at the same time. */
  readonly isForLater?: true
}

const MAX_FOUND = 50

export const sharedStates: Extract<SharedState> = defineExtract({
  name: 'cap-shared-states',
  keywords: ['.on(', '.before(', '.after(', 'SELECT'],
  prefilter: (text) => /\b(?:let|var|Map|this\.|const)\b/.test(text) && /\b(?:srv|cds|service|Service)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, text, step }) {
    // a service of the page's own, whose variables belong to one tab
    if (runsInBrowser(path, facts)) return
    const handled = findRequestHandlers(facts)
    step(facts.calls.length + facts.bindings.length)
    let left = MAX_FOUND
    for (const state of findLoadedOnce(facts, handled, step)) if (left-- > 0) yield state
    if (handled.handlers.every(({ fact }) => fact === undefined)) return
    const reads = readsIn(facts, handled)
    for (const state of findStates(facts, handled, reads, createFreshReader(facts, text, step))) if (left-- > 0) yield state
  },
})

/** How often handlers read a name, or a field of `this`. */
function readsIn(facts: ScriptFacts, { handlerOf }: HandledFunctions): (key: Binding | string) => number {
  const counts = new Map<Binding | string, number>()
  const targets = new Set<Value>(facts.assignments.map(({ target }) => target))
  for (const { value } of valuesOf(facts)) {
    if (targets.has(value)) continue
    const key =
      value.kind === 'reference'
        ? value.binding
        : value.kind === 'member' && value.object.kind === 'this'
          ? value.name
          : undefined
    if (key !== undefined && handlerOf(value) !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return (key) => counts.get(key) ?? 0
}

function* findStates(
  facts: ScriptFacts,
  handled: RequestHandlers,
  reads: (key: Binding | string) => number,
  isFresh: (binding: Binding) => boolean,
): Generator<SharedState> {
  const isOutside = (binding: Binding): boolean => handled.handlerOf(binding) === undefined
  for (const binding of facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || !isOutside(binding)) continue
    const kept = binding.definitions.filter((definition) => isKept(definition, handled))
    const isSame = (definition: Definition): boolean => isLazy(definition, binding, facts) && !asksNext(definition, handled)
    const written = kept.find((definition) => !isSame(definition)) ?? kept[0]
    if (written !== undefined && reads(binding) > 0 && !isFresh(binding)) {
      const { start, end } = written
      const isGivenOut = isAnswered(binding, undefined, written, handled, facts)
      yield {
        start,
        end,
        name: binding.name,
        kind: 'variable',
        ...(isSame(written) && { isLazy: true }),
        ...(isGivenOut && { isGivenOut }),
        ...(isEmptiedElsewhere(binding, written, handled) && { isForLater: true }),
      }
    }
  }
  for (const { target, value, operator, start, end } of facts.assignments) {
    const { object, name, property } = target
    if (handled.handlerOf(target) === undefined || !handled.isOfRequest(value)) continue
    if (operator === '??=' || operator === '||=') {
      if (object.kind === 'this' && name !== undefined && handled.handlerOf(target)?.service.kind === 'own')
        yield { start, end, name: `this.${name}`, kind: 'field', isLazy: true }
      const cache = name === undefined ? undefined : collectionOf(baseOf(object), isOutside)
      if (cache !== undefined && reads(cache) > 1)
        yield { start, end, name: `${cache.name}.${name}`, kind: 'variable', isLazy: true }
      continue
    }
    if (operator !== '=') continue
    if (object.kind === 'this' && name !== undefined && handled.handlerOf(target)?.service.kind === 'own' && reads(name) > 0)
      yield { start, end, name: `this.${name}`, kind: 'field' }
    const kept = collectionOf(baseOf(object), isOutside)
    if (kept === undefined || reads(kept) < 2) continue
    if (property === undefined || name !== undefined) {
      const isGivenOut = isAnswered(kept, target, { start, end, value }, handled, facts)
      yield { start, end, name: writtenName(target), kind: 'variable', ...(isGivenOut && { isGivenOut }) }
    } else if (!isPerCaller(property)) yield { start, end, name: kept.name, kind: 'collection' }
  }
  for (const call of facts.calls) {
    const { callee, args, start, end } = call
    if (callee.kind !== 'member' || !/^(?:set|push|unshift|add|assign)$/.test(callee.name ?? '')) continue
    if (callee.name === 'assign') {
      const merged = args[0] && callee.object.kind === 'reference' && callee.object.name === 'Object' ? args[0] : undefined
      const state = merged && collectionOf(baseOf(merged), isOutside)
      const isGiven = args.slice(1).some((argument) => handled.isOfRequest(argument))
      if (state !== undefined && isGiven && handled.handlerOf({ start, end }) !== undefined && reads(state) > 1)
        yield { start, end, name: state.name, kind: 'variable' }
      continue
    }
    const handler = handled.handlerOf({ start, end })
    const value = keptValue(call, callee.name)
    const [key] = args
    if (handler === undefined || value === undefined) continue
    // methods of other objects have a `this` of their own
    const { fact, service } = handler
    const isOfService = service.kind === 'own' && fact !== undefined && isWithin(call, fact)
    const kept =
      heldCollection(callee.object, isOutside) ??
      keyedCollection(callee.object, isOutside) ??
      (isOfService ? ownCollection(callee.object, facts) : undefined)
    if (kept === undefined || reads(kept.key) < 2) continue
    if ((args.length > 1 && key !== undefined && isPerCaller(key)) || !handled.isOfRequest(value)) continue
    yield { start, end, name: kept.name, kind: 'collection' }
  }
}

/** `this.on('clearChat', () => { lines = [] })`, where another operation writes it. */
function isEmptiedElsewhere(binding: Binding, written: Span, { handlersOf }: HandledFunctions): boolean {
  const writing = operationsOf(handlersOf(written))
  return (
    writing.length > 0 &&
    binding.definitions.some((definition) => {
      const { kind, value } = definition
      const emptying = kind === 'assign' && value !== undefined && isEmpty(value) ? operationsOf(handlersOf(definition)) : []
      return emptying.length > 0 && emptying.every((name) => !writing.includes(name))
    })
  )
}

/** Names of the operations that handlers are for; none where one is for anything else, such as rows that are read or written. */
function operationsOf(handlers: readonly HandlerFunction[]): readonly string[] {
  const names = handlers.flatMap(({ events }) => events.map((name) => name ?? '*'))
  return names.some((name) => !OPERATION.test(name)) ? [] : names
}

/** Events of rows are written in capitals. */
const OPERATION = /^[\w/.]{0,100}[a-z]/

function isEmpty(given: Value): boolean {
  const value = resolveValue(given)
  if (value.kind === 'array') return value.items.length === 0
  if (value.kind === 'object') return value.fields.length === 0
  return isNothing(value)
}

/** `this.on('READ', Actions, () => memory.actions)`, beside a handler that writes there what its request sends, as it is and for every caller. */
function isAnswered(
  binding: Binding,
  field: MemberValue | undefined,
  written: Span & { readonly value: Value | undefined },
  { handlers, handlerOf }: HandledFunctions,
  facts: ScriptFacts,
): boolean {
  const own = handlerOf(written)
  if (written.value === undefined || !holdsSent(written.value) || mayBeRefused(written, facts)) return false
  const isIt = (answer: Value): boolean =>
    field === undefined
      ? answer.kind === 'reference' && answer.binding === binding
      : answer.kind === 'member' && writtenName(answer) === writtenName(field) && isOf(baseOf(answer))
  const isOf = (base: Value): boolean => base.kind === 'reference' && base.binding === binding
  return handlers.some((one) => one !== own && one.fact?.returns.some(isIt) === true)
}

/** `req.data.actions` itself, or a field with it; no length of it, and nothing that is only worked out by it. */
function holdsSent(value: Value): boolean {
  const row = resolveValue(value)
  return isSentItself(row) || (row.kind === 'object' && row.fields.some((one) => isSentItself(one.value)))
}

function isSentItself(value: Value, depth = 0): boolean {
  const isRead = accessesOf(value).some(
    ({ binding, steps }) =>
      binding?.kind === 'parameter' &&
      isContextName(binding.name) &&
      SENT.test(steps[0] ?? '') &&
      steps.every((step) => step !== 'length' && !/^(?:\(\)|new|``)$/.test(step)),
  )
  if (isRead || depth > MAX_FORMS) return isRead
  const inner = formOf(resolveValue(value))
  return inner !== undefined && isSentItself(inner, depth + 1)
}

/** What stands there in another form: `rows` of `rows.map(…)` and of `JSON.parse(rows)`, `sent` of `sent.rows` and of `const { rows } = sent`. */
function formOf(value: Value): Value | undefined {
  if (value.kind === 'member') return value.name === 'length' ? undefined : value.object
  if (value.kind === 'reference') return value.binding?.definitions.length === 1 ? value.binding.definitions[0]?.value : undefined
  if (value.kind !== 'call') return undefined
  const name = lastNameOf(value.callee) ?? ''
  if (/^(?:parse|from|structuredClone)$/.test(name)) return value.args[0]
  return value.callee.kind === 'member' && /^(?:map|flatMap|filter|slice|sort|reverse)$/.test(name)
    ? value.callee.object
    : undefined
}

const MAX_FORMS = 6

/** A condition on the way looks at more than what is to be kept, or a function gets the request before: it may refuse the caller. */
function mayBeRefused({ start }: Span, { guards, calls }: ScriptFacts): boolean {
  const looks = (part: Value): boolean =>
    part.kind === 'member'
      ? LOOKED_AT.test(part.name ?? '')
      : part.kind === 'call' && !/^is[A-Z]/.test(lastNameOf(part.callee) ?? '')
  if (guards.some((one) => one.test.start < start && isOnTheWay(one, start) && findPart(one.test, looks) !== undefined))
    return true
  const within = calls.filter((one) => one.start < start && isAround(one.function, start) && one.function.kind !== 'file')
  return within.some((one) => !isLogCall(one) && one.args.some((given) => isWholeRequest(given)))
}

const LOOKED_AT = /^(?:headers|user|env|session|auth\w{0,20})$/i

/** `state.last` */
function writtenName(value: Value): string {
  if (value.kind === 'member') return `${writtenName(value.object)}.${value.name ?? '…'}`
  return value.kind === 'reference' ? value.name : value.kind === 'this' ? 'this' : '…'
}

/** Rows that a function outside of handlers reads once for all who call it: which tenant they are of, the first caller decides. */
function* findLoadedOnce(
  facts: ScriptFacts,
  { handlerOf }: HandledFunctions,
  step: (count?: number) => void,
): Generator<SharedState> {
  for (const binding of facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !binding.isCaptured) continue
    for (const definition of binding.definitions) {
      const { kind, value, start, end, function: within } = definition
      if (kind !== 'assign' || value === undefined || within.kind === 'file' || definition.operator === '+=') continue
      if (handlerOf({ start, end }) !== undefined || !isLazy(definition, binding, facts) || !isRows(value)) continue
      step(facts.calls.length)
      if (!isOfChosenTenant(definition, facts)) yield { start, end, name: binding.name, kind: 'variable', isLazy: true }
    }
  }
}

/** `await SELECT.from(…)`, `await cds.run(SELECT.from(…))` */
function isRows(value: Value): boolean {
  const isSelect = (part: Value): boolean =>
    part.kind === 'reference' && part.name === 'SELECT' && (part.binding === undefined || part.binding.kind !== 'parameter')
  return findPart(value, (part) => part.kind === 'await' && findPart(part, isSelect) !== undefined) !== undefined
}

/** Inside of `cds.tx({ tenant: PROVIDER }, () => …)`, `cds.spawn({ tenant }, …)`: whose rows they are, is said. */
function isOfChosenTenant(place: Span, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) => isWithin(place, call) && call.args.some((argument) => fieldOf(resolveValue(argument), 'tenant') !== undefined),
  )
}

/** A value of the request that a handler assigns. */
function isKept({ kind, operator, value, start, end }: Definition, handled: RequestHandlers): boolean {
  if (kind !== 'assign' || value === undefined || handled.handlerOf({ start, end }) === undefined) return false
  return (operator === '=' || operator === '??=' || operator === '||=') && handled.isOfRequest(value)
}

/** `if (!list) list = …`, `list ??= …`: it is made once. */
function isLazy(definition: Definition, binding: Binding, { guards }: ScriptFacts): boolean {
  if (definition.operator !== '=') return true
  return guards.some(
    ({ test, inside }) =>
      isWithin(definition, inside) &&
      findPart(test, (part) => part.kind === 'reference' && part.binding === binding) !== undefined,
  )
}

/** `rows = await next()`: what the next handler gives is filtered, sorted and cut as the first caller asked for it. */
function asksNext({ value }: Definition, { handlers }: HandledFunctions): boolean {
  const isNext = (part: Value): boolean => {
    const called = part.kind === 'call' && part.callee.kind === 'reference' ? part.callee.binding : undefined
    return called !== undefined && handlers.some(({ fact }) => fact?.parameters[1] === called)
  }
  return value !== undefined && findPart(value, isNext) !== undefined
}

/** `const cache = new Map()`, outside of handlers. */
function collectionOf(object: Value, isOutside: (binding: Binding) => boolean): Binding | undefined {
  const binding = object.kind === 'reference' ? object.binding : undefined
  if (binding === undefined || !isOutside(binding) || binding.kind === 'parameter' || binding.kind === 'import') return undefined
  return isCollection(resolveValue(object)) ? binding : undefined
}

interface HeldCollection {
  readonly name: string
  /** What handlers read it by. */
  readonly key: Binding | string
}

/** `cache`, and `list` of `const state = { list: [] }`. */
function heldCollection(object: Value, isOutside: (binding: Binding) => boolean): HeldCollection | undefined {
  const base = baseOf(object)
  const binding = collectionOf(base, isOutside)
  if (binding === undefined) return undefined
  let made: Value | undefined = resolveValue(base)
  for (const name of namesBelow(object)) made = made && fieldOf(made, name)?.value
  return made !== undefined && isCollection(made)
    ? { name: [binding.name, ...namesBelow(object)].join('.'), key: binding }
    : undefined
}

/** `chats` of `chats[req.data.chatId]`, what is found there by no key for a caller. */
function keyedCollection(object: Value, isOutside: (binding: Binding) => boolean): HeldCollection | undefined {
  if (object.kind !== 'member' || object.name !== undefined || object.property === undefined) return undefined
  const isPersonal = findPart(object.property, (part) => 'name' in part && PERSONAL.test(part.name ?? '')) !== undefined
  return isPersonal || isPerCaller(object.property) ? undefined : heldCollection(object.object, isOutside)
}

const PERSONAL = /user|tenant|caller|principal|email/i

function namesBelow(object: Value): readonly string[] {
  const names: string[] = []
  for (let here = object; here.kind === 'member' && here.name !== undefined; here = here.object) names.unshift(here.name)
  return names
}

/** `this.cache` that the class makes: a service lives as long as the process. */
function ownCollection(object: Value, { classes, assignments }: ScriptFacts): HeldCollection | undefined {
  if (object.kind !== 'member' || object.object.kind !== 'this' || object.name === undefined) return undefined
  const { name, start } = object
  const body = classes.find((one) => isAround(one, start))
  const isMade =
    body?.members.some((member) => member.name === name && member.value !== undefined && isCollection(member.value)) === true ||
    assignments.some(({ target, value }) => target.object.kind === 'this' && target.name === name && isCollection(value))
  return isMade ? { name: `this.${name}`, key: name } : undefined
}

/** `state` of `state.last.filter`; what is looked up by a key has one. */
function baseOf(value: Value): Value {
  let here = value
  while (here.kind === 'member' && here.name !== undefined) here = here.object
  return here
}

/** A key that tells tenants or users apart. */
function isPerCaller(key: Value): boolean {
  return (
    findPart(key, (part) =>
      part.kind === 'member'
        ? CALLER.test(part.name ?? '')
        : part.kind === 'reference' && part.binding?.definitions.some(isTakenFromCaller) === true,
    ) !== undefined
  )
}

/** `const { tenant } = req`, `({ user: { id } }) => …`; not what a client says in `const { tenant } = req.data`. */
function isTakenFromCaller({ path, value }: Definition): boolean {
  const isSent = (name: string | undefined): boolean => SENT.test(name ?? '')
  if (!path.some((name) => CALLER.test(name)) || path.some(isSent)) return false
  return value === undefined || findPart(value, (part) => part.kind === 'member' && isSent(part.name)) === undefined
}

const CALLER = /^(?:tenant|user)$/i
const SENT = /^(?:data|body|query|params|headers)$/
