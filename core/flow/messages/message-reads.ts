import {
  accessesOf,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { append, groupBy } from '../../lists.ts'
import { findMessageSink } from './message-sinks.ts'
import { createDecisionReader, type Deciding } from './message-decisions.ts'
import { checkOfOrigin, isCompared, isLog, isLogged, isOfModule, mayCheck, stronger, type SenderCheck } from './sender-checks.ts'
import { lastName } from '../../paths.ts'

/** What listeners of one file do with an event. */
export interface EventReads {
  /** The data is used for something, not just written to a log. */
  readonly usesData: boolean
  readonly check: SenderCheck
  /** The first value that is made of the data and runs or shows as code. */
  readonly sink: Value | undefined
  /** Where the check is `asked`: what functions of other modules are handed. */
  readonly asked: readonly AskedFunction[]
}

export interface AskedFunction {
  readonly callee: Value
  readonly parameter: number
  /** `origin`; '' for the event as a whole. */
  readonly part: string
}

interface Read {
  readonly value: Value
  /** `data`, `origin`, `source`; '' for the event as a whole. */
  readonly part: string
}

/** A parameter, and which part of an event it gets. */
interface Given {
  readonly parameter: number
  readonly part: string
}

/** Reads of events by the function that gets them, found in one pass over the file. */
export interface EventReader {
  readsOf(handler: FunctionFact, parameter: number): EventReads
  /** How well a function looks at an event or an origin that it is handed. */
  checkIn(fact: FunctionFact, parameter: number, part: string): SenderCheck
}

const MAX_NESTED = 2
const NOTHING: EventReads = { usesData: false, check: 'none', sink: undefined, asked: [] }

export function createEventReader(facts: ScriptFacts, text: string, step: (count?: number) => void): EventReader {
  const parents = new Map<Value, Value | undefined>()
  const references = new Map<Binding, Value[]>()
  const reads = new Map<FunctionFact, { readonly parameter: number; readonly read: Read }[]>()
  const members = groupBy(facts.functions, ({ name }) => lastName(name))
  for (const { value, parent } of valuesOf(facts)) {
    step()
    parents.set(value, parent)
    if (value.kind !== 'member' && value.kind !== 'reference') continue
    if (value.kind === 'reference' && value.binding !== undefined) append(references, value.binding, value)
    for (const { root, steps, binding } of accessesOf(value)) {
      const definition = binding?.definitions[0]
      if (binding === undefined || definition?.kind !== 'parameter' || !root.startsWith('parameter:')) continue
      const own = steps[0] === 'originalEvent' || steps[0] === 'nativeEvent' ? steps.slice(1) : steps
      if (own.length > 1 && own[0] !== 'data') continue
      append(reads, binding.function, {
        parameter: definition.parameter ?? 0,
        read: { value, part: own[0] ?? '' },
      })
    }
  }
  const parentOf = (value: Value): Value | undefined => parents.get(value)
  const decisions = createDecisionReader({ facts, text, parentOf, references, step })
  const listOf = (parameter: Binding): Value | undefined => {
    const called = facts.calls.find(({ args: [first] }) => first?.kind === 'function' && first.function === parameter.function)
    return called?.callee.kind === 'member' && called.callee.name === 'some' ? called.callee.object : undefined
  }

  /** What a function reads of an event, whole or handed to it in parts: `take(event.origin, event.data)`. */
  const readIn = (handler: FunctionFact, given: readonly Given[]): readonly Read[] =>
    (reads.get(handler) ?? []).flatMap(({ parameter, read }) => {
      const role = given.find((one) => one.parameter === parameter)?.part
      if (role === undefined || role === '') return role === undefined ? [] : [read]
      return role === 'data' || read.part === '' ? [{ value: read.value, part: role }] : []
    })

  const readsOf = (handler: FunctionFact, given: readonly Given[], nested: number): EventReads => {
    let [usesData, check, sink]: [boolean, SenderCheck, Value | undefined] = [false, 'none', undefined]
    const own = readIn(handler, given)
    const asked: AskedFunction[] = []
    const ask = ({ callee, args }: CallValue, argument: Value): void =>
      void asked.push({ callee, parameter: args.indexOf(argument), part: 'origin' })
    const expressions = { parentOf, namesOf: decisions.namesOf, listOf, ask }
    const checking: Deciding[] = []
    const uses: Value[] = []
    for (const { value, part } of own) {
      step()
      const passed = passedOn(value, nested, own)
      usesData ||= passed.usesData
      check = stronger(check, passed.check)
      sink ??= passed.sink
      asked.push(...passed.asked)
      if (mayCheck(passed.check)) checking.push({ value: parentOf(value) ?? value, isItself: passed.usesData })
      else if (passed.usesData) uses.push(value)
      if (part === 'data') {
        const isUsed = !decisions.isStored(value) && !isLogged(value, parentOf)
        usesData ||= isUsed
        if (passed === NOTHING) uses.push(value)
      } else if (passed === NOTHING && (part === 'origin' || part === 'source')) {
        const found =
          part === 'origin' ? checkOfOrigin(value, expressions) : isCompared(value, parentOf(value)) ? 'strong' : 'none'
        check = stronger(check, found)
        if (mayCheck(found)) checking.push({ value, isItself: false })
      }
    }
    if (mayCheck(check) && !decisions.areDecided(uses, checking, handler)) check = 'none'
    sink ??= findMessageSink(facts, handler, new Set(own.flatMap(({ value, part }) => (part === 'data' ? value : []))), step)
    return { usesData, check, sink, asked }
  }

  /** The event or parts of it are passed on: to a function of the file, to one whose name says that it checks, or to an unknown one. */
  const passedOn = (value: Value, nested: number, own: readonly Read[]): EventReads => {
    const call = parentOf(value)
    if (call?.kind !== 'call' || isLog(call.callee) || nested >= MAX_NESTED || !call.args.includes(value)) return NOTHING
    const partOf = (argument: Value): string | undefined => own.find((read) => read.value === argument)?.part
    const name = lastNameOf(call.callee) ?? ''
    const known = functionOf(call.callee) ?? members.get(name)?.[0]
    const given = call.args.flatMap((argument, parameter): readonly Given[] => {
      const part = partOf(argument)
      return part === undefined ? [] : [{ parameter, part }]
    })
    const isWhole = given.some(({ part }) => part === '')
    // `ALLOWED.includes(origin)` is no function of the file
    if (!isWhole && (known === undefined || !given.some(({ part }) => part === 'origin'))) return NOTHING
    if (known !== undefined) return readsOf(known, given, nested + 1)
    if (!isWhole || !/origin|trust|valid|verif|check|allow|source|sender/i.test(name)) return NOTHING
    if (!isOfModule(call.callee)) return { ...NOTHING, check: 'strong' }
    return { ...NOTHING, check: 'asked', asked: [{ callee: call.callee, parameter: call.args.indexOf(value), part: '' }] }
  }
  return {
    readsOf: (handler, parameter) => readsOf(handler, [{ parameter, part: '' }], 0),
    checkIn: (fact, parameter, part) => readsOf(fact, [{ parameter, part }], 0).check,
  }
}
