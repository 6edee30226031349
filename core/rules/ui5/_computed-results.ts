import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  keyOf,
  resolveValue,
  type Assignment,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { groupBy } from '../../lists.ts'
import { leadingTextOf, splitWords } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { createComparisonReader, isComparison } from './_answer-comparisons.ts'
import type { HandedTo } from './_app-methods.ts'
import { foreignAddressOfCall } from './_foreign-requests.ts'
import { fieldIn } from './_ignored-passwords.ts'
import { namedFields, objectIn, sentObjects, type NamedField, type ObjectValue } from './_sent-bodies.ts'

/** A request that says how well its sender has done, as the page has worked it out. */
export interface ComputedResult {
  readonly at: Span
  readonly fields: readonly string[]
  readonly by: HandedTo | undefined
  /** Where the request goes, if that names a host. */
  readonly address?: string
  /** The field of the right answers, which the page compares: it gets them with the questions. */
  readonly answers?: string
}

/** Fields of a result, in English, German, Spanish, Portuguese and French. */
const RESULT =
  /^(?:(?:total|final|obtained|earned|my|user|quiz|test|exam|ai)_?)?(?:scores?|marks?|punktzahl|puntaje|puntuacion|pontuacao|acertos|aciertos|trefferzahl)(?:_?(?:awarded|obtained|earned|gained|total|percent(?:age)?))?$|^(?:result|pass(?:ing)?|test|exam|quiz)_?(?:status|state|result)$|^(?:is_?)?(?:passed|bestanden|reussi)$|^is_?correct$|^correct_?(?:count|answers)$/i
/** They say it only beside one of the others. */
const BESIDE =
  /^(?:total_?|earned_?)?(?:points|punkte|puntos|pontos|percent(?:age)?|prozent|porcentaje|porcentagem|pourcentage|grade)$/i
/** A script about questions, and what says from where on somebody passes. */
const MAY_COMPARE =
  /correct|right_?answer|richtig|corret[ao]|respuesta|resposta|bonne_?reponse|pass(?:ing)?_?(?:score|marks?|percent)|min_?score|cut_?off/i
const ABOUT_QUESTIONS = /question|quiz|exam|assessment|frage|pregunta|pergunta|quest[aã]o/i

/** Words that stand in the fields of a result. */
const RESULT_WORDS =
  'score mark punktzahl puntaje puntuacion pontuacao acertos aciertos trefferzahl status state result pass bestanden reussi correct'.split(
    ' ',
  )
/** The end of such a field, as a key. */
const NAMES_RESULT =
  /(?:(?:scores?|marks?|punktzahl|puntaje|puntuacion|pontuacao|acertos|aciertos|trefferzahl)(?:_?(?:awarded|obtained|earned|gained|total|percent(?:age)?))?|(?<=(?:result|pass(?:ing)?|test|exam|quiz)_?)(?:status|state|result)|passed|bestanden|reussi|correct|correct_?(?:count|answers))(?:["'`]|\s{0,99}[:,}/])/iy
/** What may send something, by the name of the method. */
export const MAY_SEND: RegExp = /\.(?:\w{0,40}(?:create|update|save|send|post|put|patch)\w{0,40}|ajax)\(|\bfetch\(/i

/**
 * `save("Attempts", { score: rightOnes / all, passed: rightOnes > 5 })`: what a page has computed from the answers of its user.
 * Facts: OWASP Web Security Testing Guide 4.2, "Test Business Logic Data Validation"; CWE-602.
 */
export const computedResults: Extract<ComputedResult> = defineExtract({
  name: 'ui5-computed-results',
  keywords: [
    'score',
    'mark',
    'punktzahl',
    'puntaje',
    'puntuacion',
    'pontuacao',
    'acertos',
    'aciertos',
    'passed',
    'bestanden',
    'correct',
  ],
  words: RESULT_WORDS,
  prefilter: (text, hits) =>
    holdsAt(text, hits.places(text, RESULT_WORDS), NAMES_RESULT) &&
    ABOUT_QUESTIONS.test(text) &&
    MAY_COMPARE.test(text) &&
    MAY_SEND.test(text),
  *collect({ facts, step }) {
    const kept = keptValues(facts)
    const judge = createJudge(facts, kept, step)
    const comparedBy = createComparisonReader(facts, kept, step)
    for (const { call, fields, by } of written(facts, step)) {
      step(fields.length)
      const named = fields.filter(({ key }) => RESULT.test(key) || BESIDE.test(key))
      const computed = named.filter(({ value }) => judge(value))
      const [first] = computed
      if (first === undefined || !computed.some(({ key }) => RESULT.test(key))) continue
      const compared = comparedBy(computed.map(({ value }) => value))
      if (compared === undefined) continue
      const { answers } = compared
      const { start, end } = first.value
      const keys = [...new Set(computed.map(({ key }) => key))]
      const address = foreignAddressOfCall(call)
      const sent = { fields: keys, by, ...(address !== undefined && { address }) }
      yield { at: { start, end }, ...sent, ...(answers !== undefined && { answers }) }
    }
  },
})

/** What a request writes. */
export interface Written {
  readonly call: CallValue
  readonly fields: readonly NamedField[]
  readonly by: HandedTo | undefined
}

/** Objects that requests write, with those in them; of lists what `map` makes of each item. */
export function* written(facts: ScriptFacts, step: (count?: number) => void): Generator<Written> {
  for (const { call, object, by } of sentObjects(facts, step)) {
    step(object.fields.length)
    const inner = object.fields.flatMap(({ value }) => objectsOf(value))
    yield { call, fields: [object, ...inner].flatMap(namedFields), by }
  }
  for (const call of facts.calls) {
    const name = lastNameOf(call.callee) ?? ''
    const [path, given] = call.args
    if ((name !== 'create' && name !== 'update') || path === undefined || given === undefined) continue
    if (!leadingTextOf(resolveValue(path)).text.startsWith('/')) continue
    yield { call, fields: objectsOf(given).flatMap(namedFields), by: undefined }
  }
}

/** An object, or those that `rows.map((row) => ({ … }))` makes. */
function objectsOf(value: Value): readonly ObjectValue[] {
  const made = resolveValue(value)
  const items = made.kind === 'call' && lastNameOf(made.callee) === 'map' ? functionOf(made.args[0])?.returns : undefined
  return (items ?? [value]).flatMap((one) => objectIn(one) ?? [])
}

const MAX_DEPTH = 6
const COUNTS = /^(?:[-+*/%]|\*\*)$/

/** Values that properties of models are given, by their paths. */
export function keptValues({ calls }: ScriptFacts): ReadonlyMap<string, readonly Value[]> {
  const kept = new Map<string, Value[]>()
  for (const { callee, args } of calls) {
    const [path, value] = lastNameOf(callee) === 'setProperty' ? args : []
    const key = stringConstantOf(path)
    if (key === undefined || value === undefined) continue
    const before = kept.get(key)
    if (before === undefined) kept.set(key, [value])
    else before.push(value)
  }
  return kept
}

type Judge = (value: Value, depth: number) => boolean

/** Whether the page has worked a value out: by a sum, a quotient or a comparison of what is no entry of a form. */
export function createJudge(
  { guards, assignments }: ScriptFacts,
  kept: ReadonlyMap<string, readonly Value[]>,
  step: (count?: number) => void,
): (value: Value) => boolean {
  const counted = groupBy(
    assignments.filter(({ operator }) => COUNTING.test(operator)),
    ({ target }) => keyOf(target),
  )
  const guardsAt = createSpanIndex(
    guards.flatMap(({ inside, test }) => [inside, test]),
    (span) => span,
  )
  const isConditional = (offset: number): boolean => {
    const found = guardsAt(offset).length
    step(found)
    return found > 0
  }
  const known = new Map<Binding | string, boolean>()
  const once = (key: Binding | string, find: () => boolean): boolean => {
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, false)
    const found = find()
    known.set(key, found)
    return found
  }
  const ofCall = ({ callee, args }: CallValue, depth: number): boolean => {
    const name = lastNameOf(callee) ?? ''
    if (name === 'toFixed' && callee.kind === 'member') return isComputed(callee.object, depth + 1)
    if (name !== 'getProperty') return MAKES_NUMBER.test(name) && args.some((given) => isComputed(given, depth + 1))
    const key = args[0] && constantOf(args[0])
    const found = typeof key === 'string' ? kept.get(key) : undefined
    return found !== undefined && once(String(key), () => found.some((one) => isComputed(one, depth + 1)))
  }
  const isComputed: Judge = (value, depth) => {
    step()
    if (depth > MAX_DEPTH) return false
    switch (value.kind) {
      case 'operation':
        return (COUNTS.test(value.operator) || isComparison(value)) && constantOf(value) === undefined && !isEntered(value)
      case 'choice':
        if (value.test !== undefined && isComparison(value.test)) return !isEntered(value.test)
        return value.options.some((option) => isComputed(option, depth + 1))
      case 'reference': {
        const { binding } = value
        return binding !== undefined && once(binding, () => isNameComputed(binding, isConditional, depth, isComputed, step))
      }
      case 'call':
        return lastNameOf(value.callee) === 'reduce' ? !isEntered(value) : ofCall(value, depth)
      case 'member':
        return isCount(value) || isCounter(value, counted)
      default:
        return false
    }
  }
  return (value) => isComputed(value, 0)
}

const COUNTING = /^\+[+=]$/

/** `this.right++`, and nothing that the user has typed is added to it. */
function isCounter(value: Value, counted: ReadonlyMap<string | undefined, readonly Assignment[]>): boolean {
  const key = keyOf(value)
  const given = key === undefined ? undefined : counted.get(key)
  return given !== undefined && !given.some((one) => isEntered(one.value))
}

function isNameComputed(
  { definitions }: Binding,
  isConditional: (offset: number) => boolean,
  depth: number,
  isComputed: Judge,
  step: (count?: number) => void,
): boolean {
  step(definitions.length)
  const given = definitions.filter(({ kind }) => kind === 'init' || kind === 'assign')
  if (given.some(({ operator }) => COUNTING.test(operator)))
    return !given.some(({ value }) => value !== undefined && isEntered(value))
  // let right = 0; if (chosen.correct) right = 1
  const isDecided = given.filter(({ value }) => value !== undefined && constantOf(value) !== undefined).length > 1
  if (isDecided && given.some(({ start }) => isConditional(start))) return true
  return given.some(({ value }) => value !== undefined && isComputed(value, depth + 1))
}

const MAKES_NUMBER = /^(?:round|floor|ceil|min|max|Number|parseInt|parseFloat|String|toString)$/

/** `answers.filter((one) => one.right).length` */
function isCount(value: Value & { readonly kind: 'member' }): boolean {
  const list = value.name === 'length' ? resolveValue(value.object) : value
  return list.kind === 'call' && lastNameOf(list.callee) === 'filter'
}

/** What the user has typed is theirs to say, such as the marks that a teacher gives; not what it is compared with or divided by. */
function isEntered(value: Value): boolean {
  return [...judged(value, 0)].some((one) => findPart(one, (part) => part.kind === 'call' && isEntry(part)) !== undefined)
}

/** The parts that say what an operation is about: `marks` of `(marks / all) * 100 >= limit`. */
function* judged(value: Value, depth: number): Generator<Value> {
  if (value.kind !== 'operation' || depth > MAX_DEPTH) return yield value
  const [first, second] = value.operands
  if (first === undefined) return
  const isAboutOne = isComparison(value) || value.operator === '/' || value.operator === '%'
  const about = isAboutOne ? [first.kind === 'literal' ? (second ?? first) : first] : value.operands
  for (const part of about) yield* judged(part, depth + 1)
}

function isEntry(call: CallValue): boolean {
  const field = fieldIn(call)?.split(/[/>]/).at(-1) ?? ''
  return /^(?:getValue|val|getParameter)$/.test(lastNameOf(call.callee) ?? '') || GIVEN.test(splitWords(field).join(' '))
}

/** Marks that somebody gives, by the words of a field. */
const GIVEN =
  /^(?:(?:given|entered|new|teacher|my|input|i|o|s|n) )?(?:marks?|ratings?|punkte?|punktzahl|grades?)(?: (?:input|field|value))?$/
