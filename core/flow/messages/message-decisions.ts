import {
  directParts,
  isOnTheWay,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { append, groupBy } from '../../lists.ts'
import { isLogged } from './sender-checks.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'

/** A look at the sender; `isItself`: by a function that takes the data as well, and so decides for itself alone. */
export interface Deciding {
  readonly value: Value
  readonly isItself: boolean
}

/** Tells whether a look at the sender decides about what is done with the data: one that is only written to the log does not. */
export interface DecisionReader {
  /** It is what a name is given. */
  isStored(value: Value): boolean
  /** Where the name is read that it is given. */
  namesOf(value: Value): readonly Value[]
  areDecided(uses: readonly Value[], checking: readonly Deciding[], handler: FunctionFact): boolean
}

interface Script {
  readonly facts: ScriptFacts
  readonly text: string
  readonly parentOf: (value: Value) => Value | undefined
  readonly references: ReadonlyMap<Binding, readonly Value[]>
  readonly step: (count?: number) => void
}

const MAX_HOPS = 4
const MAX_CLIMB = 16
/** Functions that tell somebody of a sender, by their usual names. */
const REPORTING = /^_?(?:report|log|warn|error|info|debug|trace|track|notify|show|alert|count)/i
const REFUSING = /\bthrow\b|\breject\b/

/** What the values of a script are for, worked out when it is first asked. */
interface Uses {
  /** By the value: the name that it is given. */
  readonly stored: ReadonlyMap<Value, Binding>
  /** The conditions that a value stands in. */
  guardsOf(value: Value): readonly Guard[]
  /** All that stands in conditions. */
  tested(): Iterable<Value>
  /** The function that gives a value back, and the value that a function is, where it is handed on. */
  giverOf(value: Value): FunctionFact | undefined
  valueOf(fact: FunctionFact): Value | undefined
  /** The only method of the file that has the name which is called. */
  onlyMember(call: CallValue): FunctionFact | undefined
}

type Reading = Script & Uses
type Asking = (value: Value) => boolean

export function createDecisionReader(script: Script): DecisionReader {
  const reading: Reading = { ...script, ...createUses(script) }
  const { stored, references } = reading
  return {
    isStored: (value) => stored.has(value),
    namesOf: (value) => {
      const binding = stored.get(value)
      return (binding && references.get(binding)) ?? []
    },
    areDecided(uses, checking, handler) {
      const guards: Guard[] = []
      const data = new Set(uses)
      const isData = (value: Value): boolean => holdsOneOf(data, value, script.step)
      for (const { value, isItself } of checking) {
        const found = decidedBy(value, isData, reading)
        if (found === undefined) {
          if (!isItself) return true
        } else guards.push(...found)
      }
      if (guards.some((guard) => isNoted(guard, reading))) return true
      const isOn = ({ start }: Value): boolean => guards.some((guard) => isOnTheWay(guard, start) && !isWrongWay(guard, start))
      const places = uses.flatMap((value) => placesOf(value, isOn, reading))
      return places.every(({ start }) => start < handler.start || start >= handler.end)
    },
  }
}

function createUses({ facts, step }: Script): Uses {
  const stored = new Map<Value, Binding>()
  for (const binding of facts.bindings)
    for (const { value } of binding.definitions) if (value !== undefined) stored.set(value, binding)
  let tests: ReadonlyMap<Value, readonly Guard[]> | undefined
  const testsOf = (): ReadonlyMap<Value, readonly Guard[]> => (tests ??= guardsByPart(facts, step))
  const members = groupBy(facts.functions, ({ name }) => lastName(name))
  let returned: ReadonlyMap<Value, FunctionFact> | undefined
  let written: ReadonlyMap<FunctionFact, Value> | undefined
  return {
    stored,
    guardsOf: (value) => testsOf().get(value) ?? [],
    tested: () => testsOf().keys(),
    giverOf: (value) =>
      (returned ??= new Map(facts.functions.flatMap((fact) => fact.returns.map((one) => [one, fact] as const)))).get(value),
    valueOf: (fact) =>
      (written ??= new Map(
        facts.calls.flatMap(({ args }) => args.flatMap((one) => (one.kind === 'function' ? [[one.function, one] as const] : []))),
      )).get(fact),
    onlyMember({ callee }) {
      const found = callee.kind === 'member' ? (members.get(lastNameOf(callee) ?? '') ?? []) : []
      return found.length === 1 ? found[0] : undefined
    },
  }
}

function holdsOneOf(values: ReadonlySet<Value>, value: Value, step: () => void): boolean {
  const open: Value[] = [value]
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    step()
    if (values.has(here)) return true
    open.push(...directParts(here))
  }
  return false
}

/** The conditions that a look at the sender stands in, none where it is dropped; undefined: nobody can tell what becomes of it. */
function decidedBy(from: Value, isData: Asking, reading: Reading, hops = 0): readonly Guard[] | undefined {
  const { stored, references, parentOf, guardsOf, step } = reading
  let here = from
  for (let climb = 0; climb < MAX_CLIMB; climb++) {
    step()
    const own = guardsOf(here)
    if (own.length > 0) return own
    const binding = stored.get(here)
    if (binding !== undefined) {
      if (hops >= MAX_HOPS) return undefined
      const found = (references.get(binding) ?? []).map((one) => decidedBy(one, isData, reading, hops + 1))
      return found.every((one) => one !== undefined) ? found.flat() : undefined
    }
    const parent = parentOf(here)
    // const data = event.origin === SHELL && event.data
    if (parent?.kind === 'choice' && (parent.test === here || parent.options.some((one) => one !== here && isData(one))))
      return undefined
    if (parent === undefined) {
      const giver = reading.giverOf(here)
      const around = giver && reading.valueOf(giver)
      if (around === undefined) return isDropped(here, giver, reading) ? [] : undefined
      here = around
      continue
    }
    if (isLogged(here, parentOf)) return []
    here = parent
  }
  return undefined
}

/** A statement that asks a function of the file, which only answers: `this.isTrusted(event.origin)`. */
function isDropped(value: Value, giver: FunctionFact | undefined, { facts, text, onlyMember }: Reading): boolean {
  if (value.kind !== 'call' || giver !== undefined || facts.assignments.some((one) => one.value === value)) return false
  if (REPORTING.test(lastNameOf(value.callee) ?? '')) return true
  const called = functionOf(value.callee) ?? onlyMember(value)
  return called !== undefined && called.returns.length > 0 && !REFUSING.test(text.slice(called.start, called.end))
}

/** What is noted where a condition holds and asked for later: `if (event.origin === SHELL) { isOwn = true }`. */
function isNoted({ inside }: Guard, { facts, tested, step }: Reading): boolean {
  step(facts.assignments.length + facts.bindings.length)
  const isInside = ({ start }: { readonly start: number }): boolean => isAround(inside, start)
  const names = new Set([
    ...facts.assignments.filter(isInside).map(({ target }) => target.name),
    ...facts.bindings
      .filter(({ definitions }) => definitions.some((one) => one.kind === 'assign' && isInside(one)))
      .map(({ name }) => name),
  ])
  return names.size > 0 && [...tested()].some((part) => names.has(lastNameOf(part)))
}

/** The places where data is used in the end, without conditions about it, and names that it is given before. */
function placesOf(from: Value, isOn: Asking, reading: Reading, hops = 0): readonly Value[] {
  const { stored, references, parentOf, guardsOf, step } = reading
  if (isOn(from) || isLogged(from, parentOf)) return []
  let here = from
  for (let climb = 0; climb < MAX_CLIMB; climb++) {
    step()
    if (guardsOf(here).length > 0) return []
    const binding = stored.get(here)
    if (binding !== undefined)
      return hops >= MAX_HOPS ? [] : (references.get(binding) ?? []).flatMap((one) => placesOf(one, isOn, reading, hops + 1))
    const parent = parentOf(here)
    if (parent === undefined) return [from]
    here = parent
  }
  return [from]
}

/** `if (ALLOWED.includes(event.origin)) return`: what follows runs for all others. Of more than one comparison nobody can tell. */
function isWrongWay({ test, inside }: Guard, offset: number): boolean {
  let here = test
  let holds = isAround(inside, offset)
  for (let hops = 0; here.kind === 'operation' && here.operator === '!' && hops < MAX_HOPS; hops++) {
    holds = !holds
    here = here.operands[0] ?? here
  }
  if (here.kind === 'call') return !holds
  if (here.kind !== 'operation' || here.operands.some(({ kind }) => kind === 'call' || kind === 'operation')) return false
  return /^===?$/.test(here.operator) ? !holds : /^!==?$/.test(here.operator) && holds
}

/** The conditions by all that stands in them. */
function guardsByPart({ guards }: ScriptFacts, step: (count?: number) => void): ReadonlyMap<Value, readonly Guard[]> {
  const found = new Map<Value, Guard[]>()
  for (const guard of guards) {
    const open: Value[] = [guard.test]
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      step()
      append(found, here, guard)
      open.push(...directParts(here))
    }
  }
  return found
}
