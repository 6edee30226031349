import type { Budget } from '../budget.ts'
import { isChecked, isConstant, isSifted, type Binding, type ScriptFacts, type Value } from '../facts/index.ts'
import { lastNameOf } from '../facts/literals.ts'
import type { Span } from '../types.ts'
import type { OwnCode } from './composed-text.ts'

const MAX_DEPTH = 8

/** What leads on within the file: the arguments of a parameter, the result of a function, what a field is given. */
export function furtherOf(value: Value, calls: OwnCode['calls'], fields: OwnCode['fields']): readonly Value[] | undefined {
  let found: readonly Value[] = []
  if (value.kind === 'reference' && value.binding?.kind === 'parameter') found = calls.given(value.binding)
  else if (value.kind === 'call') found = calls.calledBy(value)?.returns ?? []
  else if (value.kind === 'member') found = fields(value)
  return found.length > 0 ? found : undefined
}

/** Texts that one function hands on; a library has a few dozen callers. */
const MAX_TEXTS = 200

/** The texts that a function of the file hands on: what its callers in the file write for the parameter, else the text itself. */
export function textsThrough(text: Value, calls: OwnCode['calls']): readonly Value[] {
  const found: Value[] = []
  const seen = new Set<Binding>()
  const open = [text]
  for (let looks = 0; looks < MAX_TEXTS; looks++) {
    const here = open.shift()
    if (here === undefined) break
    const binding = here.kind === 'reference' ? here.binding : undefined
    const [definition] = binding?.definitions ?? []
    const isPlain = binding?.kind === 'parameter' && binding.definitions.length === 1 && definition?.path.length === 0
    const given = isPlain ? calls.given(binding) : []
    if (given.length === 0) found.push(here)
    else if (binding !== undefined && !seen.has(binding)) {
      seen.add(binding)
      open.push(...given.slice(0, MAX_TEXTS))
    }
  }
  return found
}

/** Tells of names and fields whether all that they are given stands in the code, or was checked on the way to where they stand. */
export function createSettledReader(
  facts: ScriptFacts,
  { calls, fields }: OwnCode,
  known: (value: Value) => boolean | undefined,
  budget: Budget,
): (value: Value) => boolean {
  const answers = new Map<Binding | readonly Value[], boolean>()
  let depth = 0
  const areConstant = (key: Binding | readonly Value[], values: readonly Value[]): boolean => {
    const before = answers.get(key)
    if (before !== undefined) return before
    if (values.length === 0 || depth > MAX_DEPTH) return false
    // what leads back to itself adds nothing
    answers.set(key, true)
    depth++
    const answer = values.every((value) => isConstant(value, known))
    depth--
    answers.set(key, answer)
    return answer
  }
  return (value) => {
    if (value.kind === 'member') {
      const given = fields(value)
      return areConstant(given, given)
    }
    const binding = value.kind === 'reference' ? value.binding : undefined
    if (binding === undefined) return isSifted(value)
    if (facts.guards.length > 0) {
      budget.step(facts.guards.length)
      if (isChecked(facts, value, value.start)) return true
    }
    if (binding.kind !== 'parameter') return false
    if (calls.isIndex(binding)) return true
    return calls.isClosed(binding) && areConstant(binding, calls.given(binding))
  }
}

/** The answer for a value stays the same, and values of a chain are asked about from each end of it. */
export function askOnce(question: (value: Value) => boolean): (value: Value) => boolean {
  const answers = new Map<Value, boolean>()
  return (value) => {
    let answer = answers.get(value)
    if (answer === undefined) answers.set(value, (answer = question(value)))
    return answer
  }
}

/** `conn.escape(x)`, `quoteIdentifier(x)`: made for the purpose; `x.replace(/[^\w]/g, '')`: nothing is left that could end a text. */
export function isEscaped(value: Value): boolean {
  if (value.kind !== 'call') return false
  const { callee, args } = value
  const name = callee.kind === 'member' || callee.kind === 'reference' ? callee.name : undefined
  if (name === undefined || /^(?:escape|quote)/i.test(name)) return name !== undefined
  const [found, put] = args
  if (!/^replace(?:All)?$/.test(name) || found?.kind !== 'regex' || !found.flags.includes('g')) return false
  return (
    /^(?:\[\^[\w\\.: -]+\]|\\[WD])[+*]?$/.test(found.pattern) && put?.kind === 'literal' && /^[\w ]*$/.test(String(put.value))
  )
}

/** `x.replace(/'/g, "''")`: right between quotes, and easily forgotten elsewhere. */
export function isQuoted(value: Value): boolean {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || !/^replace(?:All)?$/.test(value.callee.name ?? '')) return false
  const [found, put] = value.args
  const isQuote =
    found?.kind === 'regex'
      ? found.pattern === "'" && found.flags.includes('g')
      : found?.kind === 'literal' && found.value === "'"
  return isQuote && put?.kind === 'literal' && put.value === "''"
}

/** A value, or what it is made from by its own methods, was checked: `names.join(',')` of checked names. */
export function isCheckedChain(facts: ScriptFacts, value: Value, offset: number): boolean {
  let here = value
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (isChecked(facts, here, offset)) return true
    if (here.kind !== 'call' || here.callee.kind !== 'member') return false
    here = here.callee.object
  }
  return false
}

const CHECKING = /^(?:validate|assert|ensure|verify|check)(?:$|[A-Z_])/

/** `validateName(x)` as a statement before: it may throw, which another file knows. */
export function isHandedToCheck(facts: ScriptFacts, text: string, value: Value, place: Span): boolean {
  const written = text.slice(value.start, value.end)
  return facts.calls.some(
    ({ callee, args, end, function: around }) =>
      end <= place.start &&
      around.start <= place.start &&
      place.end <= around.end &&
      CHECKING.test(lastNameOf(callee) ?? '') &&
      args.some((argument) => text.slice(argument.start, argument.end) === written),
  )
}
