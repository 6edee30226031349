import { type CallValue, type FunctionFact, type ScriptFacts, type Value, resolveValue, type Binding } from '../../facts/index.ts'
import { append, findFirst } from '../../lists.ts'
import { isAsCertain } from '../../facts/guards.ts'
import { isAround } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { type Owners, classesIn } from '../calls/owners.ts'
import { createPlaces, WHOLE, type Places } from './places.ts'
import { isFramework } from '../calls/modules.ts'

/** What is written to one place. */
interface PlaceWrite extends Span, Place {
  /** The assignment, the call or the value of a field that writes. */
  readonly by: object
  /** Undefined: more than a value, or a part of one. */
  readonly value: Value | undefined
  readonly function: FunctionFact
  /** The end of what names the place. */
  readonly named: number
}

/**
 * Fields of `this` and of objects, paths of models and entries of the storage that are written twice in one straight run of code: what was written first is gone, and
 * what is read between the two is the first.
 */
export interface LastWrites {
  /** Whether nothing is left of what an assignment, a call or a field of a class or an object writes. */
  isGone(by: object): boolean
  /** What a field or a path of a model holds where it is read, if the lines above say it for certain. */
  read(value: Value): Value | undefined
}

export const NO_LAST_WRITES: LastWrites = { isGone: () => false, read: () => undefined }

/** More writes to one place are a table that is filled line by line. */
const MAX_WRITES = 20
const MAX_BETWEEN = 4000
/** What ends the straight run, or lets other code run meanwhile. */
const LEAVING = /\b(?:return|await|yield|throw|break|continue)\b/
const WAITING = /\b(?:await|yield)\b/

interface WritingScript {
  readonly facts: ScriptFacts
  readonly text: string
  readonly owners: Owners
  readonly step: (count?: number) => void
}

export function createLastWrites({ facts, text, owners, step }: WritingScript): LastWrites {
  const { partial, calls } = facts
  const places = createPlaces(owners)
  const writes = new Map<string, PlaceWrite[]>()
  const add = (write: PlaceWrite): void => append(writes, `${write.key} ${write.function.start}`, write)
  for (const assignment of facts.assignments) {
    const { target, value, operator, start, end, function: within } = assignment
    const place = places.ofMember(target)
    if (place !== undefined)
      add({
        ...place,
        by: assignment,
        value: operator === '=' ? value : undefined,
        start,
        end,
        function: within,
        named: target.end,
      })
  }
  for (const call of calls) {
    const { start, end, function: within } = call
    const written = places.ofWriting(call)
    if (written !== undefined) add({ ...written.place, by: call, value: written.value, start, end, function: within, named: end })
  }
  if (writes.size === 0) return NO_LAST_WRITES
  addFirstWrites({ facts, owners, places, writes, add })
  for (const own of writes.values()) own.sort((a, b) => a.start - b.start)

  let sorted: readonly CallValue[] | undefined
  const callsBetween = (from: number, to: number): readonly CallValue[] => {
    sorted ??= calls.toSorted((one, other) => one.start - other.start)
    const startOf = (index: number): number => sorted?.[index]?.start ?? 0
    const begun = sorted.slice(
      findFirst(sorted.length, (index) => startOf(index) >= from),
      findFirst(sorted.length, (index) => startOf(index) >= to),
    )
    step(1 + (begun.length >> 2))
    return begun.filter((call) => call.end <= to)
  }
  const isUnseen = (write: PlaceWrite, to: number): boolean =>
    callsBetween(write.end, to).every(
      (call) => call.function !== write.function || isSilent(call, write) || places.ofReading(call)?.key === write.key,
    )
  const settledAt = (own: readonly PlaceWrite[], at: number): PlaceWrite | undefined => {
    step(1 + (own.length >> 2))
    const last = own.findLast(({ end }) => end <= at)
    if (last === undefined || at - last.end > MAX_BETWEEN || WAITING.test(text.slice(last.end, at))) return undefined
    if (!isAsCertain(facts, last.start, at, step) || !isUnseen(last, at)) return undefined
    step(1 + (partial.length >> 3))
    // what is written further down in the same loop comes around
    const loops = partial.filter((span) => isAround(span, at))
    return loops.some((span) => own.some((one) => one.start > at && isAround(span, one.start))) ? undefined : last
  }
  /** Whether all that is read of the place between two writes is known to be the first. */
  const isReadKnown = (write: PlaceWrite, next: PlaceWrite, own: readonly PlaceWrite[]): boolean => {
    if (write.name === '')
      return callsBetween(write.end, next.end).every((call) => {
        const read = places.ofReading(call)
        return read === undefined || read.key !== write.key || settledAt(own, call.start) === write
      })
    const { name } = write
    for (let at = text.indexOf(name, write.end); at >= 0 && at < next.end; at = text.indexOf(name, at + name.length)) {
      step()
      if (at < next.start || at >= next.named) {
        const isWord = !/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')
        if (isWord && (text[at - 1] !== '.' || settledAt(own, at) !== write)) return false
      }
    }
    return true
  }
  const gone = new Set<object>()
  for (const own of writes.values()) {
    if (own.length < 2 || own.length > MAX_WRITES) continue
    for (const [index, write] of own.entries()) {
      const next = own[index + 1]
      if (next === undefined || next.end - write.end > MAX_BETWEEN || next.start < write.end) continue
      if (LEAVING.test(text.slice(write.end, next.end)) || !isAsCertain(facts, next.start, write.start, step)) continue
      if (isUnseen(write, next.end) && isReadKnown(write, next, own)) gone.add(write.by)
    }
  }
  return {
    isGone: (by) => gone.has(by),
    read(value) {
      const found = value.kind === 'member' ? places.ofMember(value) : value.kind === 'call' ? places.ofReading(value) : undefined
      const within = found && places.functionOf(value)
      const own = found && within && writes.get(`${found.key} ${within.start}`)
      return own === undefined ? undefined : settledAt(own, value.start)?.value
    },
  }
}

interface Writes {
  readonly facts: ScriptFacts
  readonly owners: Owners
  readonly places: Places
  readonly writes: ReadonlyMap<string, readonly PlaceWrite[]>
  readonly add: (write: PlaceWrite) => void
}

/** Methods that run before all others of an object, in this order. Facts: ECMAScript, class fields; API of sap.ui.core.mvc.Controller, sap.ui.core.UIComponent and Control. */
const FIRST_METHODS = ['constructor', 'onInit', 'init']

/** Adds what fields are written with where an object begins, and models where they are made: what is written later may replace it. */
function addFirstWrites({ facts, owners, places, writes, add }: Writes): void {
  const addField = (owner: object, name: string, value: Value): void => {
    const place = places.field(owner, name)
    for (const method of FIRST_METHODS)
      for (const fact of owners.methodsOf(owner, method)) {
        const { start } = fact
        if (!writes.has(`${place.key} ${start}`)) continue
        return add({ ...place, by: value, value, start, end: start, function: fact, named: start })
      }
  }
  for (const { owner, members } of classesIn(facts))
    for (const { name, value, isStatic } of members)
      if (name !== undefined && value !== undefined && !isStatic && value.kind !== 'function') addField(owner, name, value)
  const wholes = [...writes.values()].flat().filter(({ key }) => key.endsWith(` ${WHOLE}`))
  for (const binding of facts.bindings) {
    const [definition, other] = binding.definitions
    if (definition?.value === undefined || other !== undefined || definition.path.length > 0) continue
    const made = definition.value
    const given = made.kind === 'new' && made.args[0] !== undefined ? resolveValue(made.args[0]) : made
    if (given.kind !== 'object' || (made.kind === 'object' && binding.isCaptured)) continue
    const { function: within } = definition
    const end = Math.max(definition.end, made.end)
    for (const { key, value } of given.fields) {
      const place = key === undefined ? undefined : places.below(binding, key)
      const isWritten =
        place !== undefined && (writes.has(`${place.key} ${within.start}`) || wholes.some(({ holder }) => holder === binding))
      if (isWritten) add({ ...place, by: value, value, start: value.start, end, function: within, named: end })
    }
  }
  // all that was written to a model is gone where it gets other data
  for (const whole of wholes)
    for (const [key, own] of writes)
      if (
        own[0]?.holder === whole.holder &&
        key !== `${whole.key} ${whole.function.start}` &&
        own[0]?.function === whole.function
      )
        add({ ...whole, key: own[0].key, name: own[0].name })
}

/** What code writes and reads: a field of an object, a path of a model. */
export interface Place {
  /** The same for the same place. */
  readonly key: string
  /** The name of a field; '' of what only calls read. */
  readonly name: string
  /** The name that holds the object or the model. */
  readonly holder: Binding | undefined
}

/** Methods of controllers, views and components that only give something. Facts: API of sap.ui.core.mvc.Controller and View; `getModel` and others of base controllers as SAP's templates write them. */
const GIVING =
  /^(?:byId|createId|getView|getId|getModel|getOwnerComponent|getRouter|getResourceBundle|getText|getProperty|setModel|setProperty|setData|setItem|put|setSizeLimit|setDefaultBindingMode)$/

/** Whether a call neither reads a place nor runs code that may. Code that stands elsewhere sees fields of `this`, and models that a view has. */
function isSilent({ callee, args }: CallValue, { holder, key }: Place): boolean {
  if (callee.kind === 'super') return true
  if (callee.kind === 'member') {
    const { object, name = '' } = callee
    // Controller.prototype.onInit.apply(this, arguments)
    if ((name === 'apply' || name === 'call') && isOfFramework(object)) return true
    if ((object.kind === 'this' || object.kind === 'super') && !GIVING.test(name)) return false
    if (holder !== undefined && object.kind === 'reference' && object.binding === holder && !GIVING.test(name)) return false
  }
  const isSetting = callee.kind === 'member' && callee.name === 'setModel'
  return args.every((argument) => isHarmless(argument, holder, isSetting || !key.startsWith('this ')))
}

/** What a function cannot reach the place by. */
function isHarmless(argument: Value, holder: Binding | undefined, mayTakeThis: boolean): boolean {
  if (argument.kind === 'function') return false
  if (argument.kind === 'this') return mayTakeThis
  if (argument.kind === 'spread') return isHarmless(argument.value, holder, mayTakeThis)
  if (argument.kind !== 'reference') return true
  if (resolveValue(argument).kind === 'function') return false
  return holder === undefined || argument.binding !== holder
}

function isOfFramework(value: Value): boolean {
  let here = value
  while (here.kind === 'member') here = here.object
  const source = here.kind === 'reference' ? here.binding?.module?.source : undefined
  return source !== undefined && isFramework(source)
}
