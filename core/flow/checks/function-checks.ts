import { directParts, keyOf, resolveValue, type Binding, type FunctionFact, type Guard, type Value } from '../../facts/index.ts'
import { common, isAllowed, type Proof } from '../../conditions/constraint.ts'
import { RESPONSE_NAME } from '../tables/requests.ts'
import type { CheckForm, FlowCheck } from '../check-types.ts'
import { REFUSING } from './asserted.ts'
import type { CheckingScript } from '../graph/input.ts'
import { cleansOf } from '../tables/harmless.ts'
import { provedAt, provedByTest } from './proofs.ts'
import { letOnBy } from '../servers/route-fronts.ts'
import { isRequestName } from '../../model/script/index.ts'

const MAX_PARAMETERS = 4
const MAX_RETURNS = 8
const MAX_PARTS = 60
const MAX_VALUES = 12
/** Names of what a function answers. */
const MAX_DEPTH = 4

/** A parameter of a function or a field of it, as the end of the function would read it. */
interface Checkable {
  readonly parameter: number
  readonly path: readonly string[]
  readonly value: Value
}

/** Tells what the functions of a script check for others, of values and of fields of objects: `assertOrder(req.data)` that throws, `isOrder(order)`. */
export function createFunctionChecks(script: CheckingScript): (fact: FunctionFact) => readonly FlowCheck[] {
  const { facts, text, step, parts } = script
  const known = new Map<FunctionFact, readonly FlowCheck[]>()
  const read = (fact: FunctionFact): readonly FlowCheck[] => {
    const { parameters, returns } = fact
    if (fact.kind === 'file' || parameters.length === 0 || parameters.length > MAX_PARAMETERS) return []
    const own = parts.guardsIn(fact)
    const isAnswering = returns.length > 0 && returns.length <= MAX_RETURNS && returns.every((answer) => isAnswer(answer))
    step(1 + own.length)
    const refusing = own.filter(({ exits, inside }) => exits && REFUSING.test(text.slice(inside.start, inside.end)))
    const middleware = isMiddleware(fact) ? fact : undefined
    if (refusing.length === 0 && !isAnswering && middleware === undefined) return []
    const values = (tests: readonly Value[]): readonly Checkable[] => checkables(fact, parts.patternsIn(fact), tests, step)
    const asked = (tests: readonly Value[]): readonly Checkable[] =>
      values(tests).filter(({ value }) => tests.some(parts.mentions(keyOf(value))))
    const thrown = asked(refusing.map(({ test }) => test)).flatMap((one) =>
      toChecks(one, 'throws', provedAt(one.value, refusing, script.parts)),
    )
    if (middleware !== undefined) {
      step(facts.calls.length >> 2)
      const known = values(own.map(({ test }) => test))
      return [...thrown, ...letOnBy(middleware, known, { calls: facts.calls, guards: own }, script.parts)]
    }
    if (!isAnswering) return thrown
    const tests = [...returns, ...own.map(({ test }) => test)]
    return [...thrown, ...asked(tests).flatMap((one) => answeredBy(one, { fact, guards: own, script }))]
  }
  return (fact) => {
    const found = known.get(fact) ?? read(fact).map((check) => (fact.isAsync ? { ...check, isPromised: true as const } : check))
    known.set(fact, found)
    return found
  }
}

/** `a === b`, `!x`, `list.includes(x)`, `true`: no text. */
function isAnswer(value: Value, depth = 0): boolean {
  // a name may be given itself
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'literal') return typeof value.value === 'boolean'
  if (value.kind === 'choice') return value.options.every((option) => isAnswer(option, depth + 1))
  if (value.kind === 'reference') {
    const given = resolveValue(value)
    return given !== value && isAnswer(given, depth + 1)
  }
  return value.kind === 'operation' || value.kind === 'call' || value.kind === 'member'
}

/** `(req, res, next) => …` */
function isMiddleware({ parameters: [request, response, next, ...others] }: FunctionFact): boolean {
  return (
    others.length === 0 &&
    next !== undefined &&
    isRequestName(request?.name) &&
    (response === undefined || RESPONSE_NAME.test(response.name))
  )
}

/** What holds of a value where the function gives true, or else where it gives false. */
function answeredBy(checkable: Checkable, answering: Answering): readonly FlowCheck[] {
  return [true, false].flatMap((holds) => {
    const ways: (readonly Proof[])[] = []
    for (const answer of answering.fact.returns) {
      const proofs = judgeAnswer(answer, checkable.value, holds, answering)
      // where one of the answers proves nothing, all of them have nothing in common
      if (proofs?.length === 0) return []
      if (proofs !== undefined) ways.push(proofs)
    }
    return toChecks(checkable, holds ? 'true' : 'false', ways.length === 0 ? [] : common(ways))
  })
}

function toChecks({ parameter, path }: Checkable, form: CheckForm, proofs: readonly Proof[]): readonly FlowCheck[] {
  return cleansOf(proofs) === undefined ? [] : [{ parameter, form, ...(path.length > 0 && { path }), proofs }]
}

interface Answering {
  readonly script: CheckingScript
  readonly fact: FunctionFact
  readonly guards: readonly Guard[]
}

/** What is proved of a value where an answer lets it through; undefined: it lets nothing through. */
function judgeAnswer(
  answer: Value,
  value: Value,
  holds: boolean,
  { fact, guards, script }: Answering,
): readonly Proof[] | undefined {
  if (answer.kind === 'literal' && Boolean(answer.value) !== holds) return undefined
  const { start, end } = answer
  const asked: Guard = { test: answer, inside: { start, end: holds ? end : start }, start, end, exits: !holds, function: fact }
  const proofs = provedAt({ ...value, start, end }, [...guards, asked], script.parts)
  if (cleansOf(proofs) !== undefined) return proofs
  const key = keyOf(value)
  if (key !== undefined && endsLike(answer, key)) return [{ kind: 'host' }, EXAMINED]
  return answer.kind === 'literal' && isOnlyTold(value, guards, script) ? [EXAMINED] : []
}

const EXAMINED: Proof = { kind: 'asked' }

/** `name.endsWith('.pdf')`: enough of a host, and of nothing else. */
function endsLike(answer: Value, key: string): boolean {
  return (
    answer.kind === 'call' &&
    answer.callee.kind === 'member' &&
    answer.callee.name === 'endsWith' &&
    keyOf(answer.callee.object) === key
  )
}

/** `return true` behind conditions that only tell of what is wrong: `if (!FORMAT.test(name)) LOG.warn(name)`. */
function isOnlyTold(value: Value, guards: readonly Guard[], { parts }: CheckingScript): boolean {
  return guards.some(({ exits, test }) => {
    const proofs = exits ? [] : provedByTest(test, false, value, parts.conditions)
    return proofs.some(isAllowed)
  })
}

/** The parameters of a function, and the fields of them that it asks about. */
export function checkables(
  fact: FunctionFact,
  patterns: readonly Binding[],
  tests: readonly Value[],
  step: (count?: number) => void,
): readonly Checkable[] {
  const at = { start: fact.end - 1, end: fact.end }
  const found = new Map<string, Checkable>()
  const roots = new Map<string, number>()
  for (const [parameter, binding] of fact.parameters.entries()) {
    if (binding === undefined) continue
    const value: Value = { kind: 'reference', ...at, name: binding.name, binding }
    const key = keyOf(value)
    if (key === undefined) continue
    roots.set(key, parameter)
    // who asks about a request, asks about a part of it
    if (!isRequestName(binding.name)) found.set(key, { parameter, path: [], value })
  }
  for (const binding of patterns) {
    const [definition] = binding.definitions
    const value: Value = { kind: 'reference', ...at, name: binding.name, binding }
    const key = keyOf(value)
    if (key !== undefined && definition?.parameter !== undefined)
      found.set(key, { parameter: definition.parameter, path: definition.path, value })
  }
  const open = [...tests]
  for (let visits = 0; visits < MAX_PARTS && found.size < MAX_VALUES; visits++) {
    const here = open.pop()
    if (here === undefined) break
    step()
    const key = here.kind === 'member' || here.kind === 'reference' ? keyOf(here) : undefined
    const root = key && [...roots.keys()].find((one) => key.startsWith(`${one} `))
    const parameter = root === undefined ? undefined : roots.get(root)
    if (key !== undefined && root !== undefined && parameter !== undefined) {
      const path = key.slice(root.length + 1).split(' ')
      if (!path.includes('[]') && !found.has(key)) found.set(key, { parameter, path, value: { ...here, ...at } })
    } else if (here.kind === 'reference') {
      const given = resolveValue(here)
      if (given !== here) open.push(given)
    } else open.push(...directParts(here))
  }
  return [...found.values()]
}
