import {
  accessesOf,
  directParts,
  resolveValue,
  valuesOf,
  type Access,
  type ChoiceValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { splitWords } from './secret-names.ts'
import { isWithin } from '../../facts/span-index.ts'
import { isContextRoot } from './request-names.ts'

type Stage = 'development' | 'production'

const DEVELOPMENT: ReadonlySet<string> = new Set(
  'dev devel develop development local localhost test testing tests mock mocked hybrid debug sandbox jest vitest'.split(' '),
)
const PRODUCTION: ReadonlySet<string> = new Set(['prod', 'production', 'productive'])

/** Tells whether code at a place runs only where developers do: inside `if (process.env.NODE_ENV !== 'production')`, behind
 *  `if (isProduction) return`, in the option of `isDev ? a : b` or `isDev && a`. The file is looked at when it is first asked. */
export function createDevelopmentReader(facts: ScriptFacts): (place: Span) => boolean {
  let known: readonly Span[] | undefined
  return (place) => {
    known ??= [...developmentSpans(facts)]
    return known.some((span) => isWithin(place, span))
  }
}

/** Tells whether what keeps code at a place out of production is the variable NODE_ENV with the value "production" alone: with any other value, or none, it runs. */
export function createUnproductiveReader(facts: ScriptFacts): (place: Span) => boolean {
  let known: readonly DevelopmentSpan[] | undefined
  return (place) => {
    known ??= [...developmentSpans(facts)]
    const around = known.filter((span) => isWithin(place, span))
    return around.length > 0 && around.every(({ test }) => asksProduction(test, 0))
  }
}

/** All such places of a script. */
export function developmentSpansOf(facts: ScriptFacts): readonly Span[] {
  return [...developmentSpans(facts)].map(({ start, end }) => ({ start, end }))
}

/** Where only developers get to, and the test that says so. */
interface DevelopmentSpan extends Span {
  readonly test: Value
}

/** `process.env.NODE_ENV === 'production'` and its opposite, also by a name. */
function asksProduction(test: Value, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  const made = resolveValue(test)
  if (made.kind !== 'operation') return false
  const [first, second] = made.operands
  if (first === undefined) return false
  if (made.operator === '!') return asksProduction(first, depth + 1)
  if (second === undefined || !/^[!=]==?$/.test(made.operator)) return false
  const sides = [first, second]
  const isNamed = sides.some((side) => side.kind === 'literal' && side.value === 'production')
  return isNamed && sides.some((side) => accessesOf(side).some(isNodeEnv))
}

function isNodeEnv({ root, steps }: Access): boolean {
  return root === 'global:process' && steps.join('.') === 'env.NODE_ENV'
}

function* developmentSpans(facts: ScriptFacts): Generator<DevelopmentSpan> {
  for (const { end, test, inside, exits, function: around } of facts.guards) {
    const stage = stageOf(test, 0)
    if (stage === 'development') yield { start: inside.start, end: inside.end, test }
    if (stage === 'production') yield { start: inside.end, end: exits ? around.end : end, test }
  }
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'choice') continue
    const { options, test } = value
    if (test === undefined) {
      // behind `isDev && …`; behind `… || …` where the first option is that of production
      const wanted = value.isAnd === true ? 'development' : 'production'
      const first = options.findIndex((option) => stageOf(option, 0) === wanted)
      const told = options[first]
      if (told !== undefined) for (const { start, end } of options.slice(first + 1)) yield { start, end, test: told }
    } else {
      const stage = stageOf(test, 0)
      const kept = stage === undefined ? [] : stage === 'development' ? options.slice(0, 1) : options.slice(1)
      for (const { start, end } of kept) yield { start, end, test }
    }
  }
}

const MAX_DEPTH = 6

/** What a condition that holds says about where the code runs. */
function stageOf(test: Value, depth: number): Stage | undefined {
  if (depth > MAX_DEPTH) return undefined
  switch (test.kind) {
    case 'operation':
      return stageOfOperation(test.operator, test.operands, depth)
    case 'choice':
      return stageOfChoice(test, depth)
    case 'call': {
      if (test.callee.kind === 'member' && isSent(test.callee.object)) return undefined
      // ['dev', 'test'].includes(stage), cds.env.profiles.includes('production')
      const words = [...test.args, ...(test.callee.kind === 'member' ? directParts(test.callee.object) : [])]
      for (const word of words) {
        const stage = word.kind === 'literal' ? stageOfName(String(word.value)) : undefined
        if (stage !== undefined) return stage
      }
      // FORMAT.test(pin) asks for no stage
      if (test.callee.kind !== 'member') return stageOf(test.callee, depth + 1)
      return test.callee.name === 'test' && test.args.length > 0 ? undefined : stageOfName(test.callee.name ?? '')
    }
    case 'member':
      return isSent(test) ? undefined : stageOfName(test.name ?? '')
    case 'reference': {
      const resolved = resolveValue(test)
      if (('object' in resolved || 'callee' in resolved) && isSent(resolved)) return undefined
      const stage = resolved === test ? undefined : stageOf(resolved, depth + 1)
      return stage ?? stageOfName(test.name)
    }
    default:
      return undefined
  }
}

/** `isDev && isLocal` holds for developers where one part says so, `isDev || isTest` where each does; of `a ? b : c` whichever says so first. */
function stageOfChoice({ options, test, isAnd }: ChoiceValue, depth: number): Stage | undefined {
  const stages = options.filter((option) => !isOff(option)).map((option) => stageOf(option, depth + 1))
  const told = stages.find((stage) => stage !== undefined)
  if (test !== undefined || told === undefined) return told
  const decisive = isAnd === true ? 'development' : 'production'
  if (stages.includes(decisive)) return decisive
  return stages.every((stage) => stage === told) ? told : undefined
}

/** The default of `process.env.IS_LOCAL ?? false`: it holds nowhere. */
function isOff(option: Value): boolean {
  return option.kind === 'literal' && !option.value
}

/** `req.headers.origin`, `req.get('host')`: the client says what stands there, wherever the code runs. */
function isSent(value: Value): boolean {
  return accessesOf(value).some(
    ({ root, steps: [part = ''] }) =>
      isContextRoot(root) && /^(?:headers|get|header|hostname|host|ip|data|query|params|body|cookies)$/.test(part),
  )
}

function stageOfOperation(operator: string, operands: readonly Value[], depth: number): Stage | undefined {
  const [first, second] = operands
  if (first === undefined) return undefined
  if (operator === '!') return opposite(stageOf(first, depth + 1))
  if (second === undefined || !/^[!=]==?$/.test(operator) || isSent(first) || isSent(second)) return undefined
  const literal = [first, second].find((operand) => operand.kind === 'literal')
  if (literal?.kind !== 'literal') return undefined
  const other = literal === first ? second : first
  const isTrue = literal.value !== false && literal.value !== 'false'
  const named = typeof literal.value === 'string' && literal.value !== 'true' && literal.value !== 'false'
  const stage = named ? stageOfName(String(literal.value)) : stageOf(other, depth + 1)
  return operator.startsWith('!') === isTrue ? opposite(stage) : stage
}

function opposite(stage: Stage | undefined): Stage | undefined {
  if (stage === undefined) return undefined
  return stage === 'production' ? 'development' : 'production'
}

/** What is local in a name that asks for no stage: `checkLocalScope`, `localStorage`. Fact: @sap/xssec 4, a local scope is one of the application itself. */
const LOCAL_THING = /^local(?:scope|scopes|storage|name|time|date|variable|model|data)/i

function stageOfName(name: string): Stage | undefined {
  if (LOCAL_THING.test(name.replace(/^(?:check|has|is|get|require|with)/, ''))) return undefined
  const words = splitWords(name)
  const isNegated = words.includes('not') || words.includes('non')
  const stage = words.some((word) => PRODUCTION.has(word))
    ? 'production'
    : words.some((word) => DEVELOPMENT.has(word))
      ? 'development'
      : undefined
  return isNegated ? opposite(stage) : stage
}
