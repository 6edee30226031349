import {
  constantOf,
  fieldOf,
  findPart,
  isNullish,
  isOnTheWay,
  pathsOf,
  resolveValue,
  valuesOf,
  type Assignment,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isAround, isWithin } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { concerns, createPartReader, fieldName, type SentPart } from './sent-parts.ts'

/** A script, and which parts of requests its values are. */
export interface PartScript {
  readonly facts: ScriptFacts
  readonly text: string
  readonly partOf: (value: Value) => SentPart | undefined
  readonly valuesIn: (around: Span) => readonly Value[]
  readonly functionsIn: (around: Span) => readonly FunctionFact[]
  /** Conditions of a function and of those around it. */
  readonly guardsAround: (fact: FunctionFact) => readonly Guard[]
  readonly writesIn: (around: Span) => readonly Assignment[]
  /** Whether a name is defined by a value. */
  readonly isNamed: (value: Value) => boolean
  /** The `default:` of a switch that begins at an offset. */
  readonly defaultAt: (offset: number) => Span | undefined
  /** Blocks whose exceptions are caught for good. */
  readonly tried: readonly Span[]
}

/** Passes on what it caught. */
const RETHROWS = /\bthrow\s{1,5}[\w.]{1,60}\s{0,9};?\s{0,99}\}$/
/** Of the text of a `catch`: its last statement. */
const LAST_STATEMENT = 200

/**
 * @param requestOf the position of the request in a function that answers one
 * @param passesOn by the end of a `catch`, and the block whose exceptions it gets
 */
export function openPartScript(
  facts: ScriptFacts,
  text: string,
  requestOf: (fact: FunctionFact) => number | undefined,
  passesOn: (end: string, tried: Span) => boolean = (end) => RETHROWS.test(end),
): PartScript {
  return {
    facts,
    text,
    partOf: createPartReader(requestOf),
    valuesIn: createInnerIndex(valuesOf(facts).map(({ value }) => value)),
    functionsIn: createInnerIndex(facts.functions),
    guardsAround: createGuardIndex(facts),
    writesIn: createInnerIndex(facts.assignments),
    isNamed: createNameIndex(facts),
    defaultAt: createDefaultIndex(facts),
    tried: facts.partial.flatMap(({ tried, start, end }) =>
      tried === undefined || passesOn(text.slice(Math.max(start, end - LAST_STATEMENT), end), tried) ? [] : tried,
    ),
  }
}

function createNameIndex({ bindings }: ScriptFacts): PartScript['isNamed'] {
  let named: ReadonlySet<Value> | undefined
  return (value) => {
    named ??= new Set(bindings.flatMap(({ definitions }) => definitions.flatMap((definition) => definition.value ?? [])))
    return named.has(value)
  }
}

function createDefaultIndex({ partial }: ScriptFacts): PartScript['defaultAt'] {
  let byStart: ReadonlyMap<number, Span> | undefined
  return (offset) => {
    byStart ??= new Map(partial.map((span) => [span.start, span]))
    return byStart.get(offset)
  }
}

function createGuardIndex({ guards }: ScriptFacts): PartScript['guardsAround'] {
  const guardsOf = groupBy(guards, (guard) => guard.function)
  return (fact) => {
    const found: Guard[] = []
    for (let here: FunctionFact | undefined = fact; here !== undefined; here = here.parent)
      found.push(...(guardsOf.get(here) ?? []))
    return found
  }
}

/** Which calls throw for what they are given, by their access paths. */
export interface ThrowingCalls {
  /** For a text that has not the form that they read. */
  readonly malformed: RegExp
  /** For undefined. */
  readonly missing: RegExp
}

/** What a value needs of a part of the request, so that it does not throw: that it is there, or that its text has a form. */
export interface Needed {
  readonly part: SentPart
  readonly what: 'presence' | 'form'
}

/** What throws where a part of the request is missing, or has not the form that is read: `req.body.name.trim()`, `JSON.parse(req.body.plan)`. */
export function neededBy(value: Value, { partOf }: PartScript, calls: ThrowingCalls): Needed | undefined {
  const present = (part: SentPart | undefined): Needed | undefined => part && { part, what: 'presence' }
  if (value.kind === 'member' && !value.isOptional) return present(partOf(value.object))
  if (value.kind !== 'call' && value.kind !== 'new') return undefined
  const paths = pathsOf(value).map((path) => path.join(' '))
  const given = value.args[0]
  if (given === undefined) return undefined
  if (paths.some((path) => calls.missing.test(path))) return present(partOf(given))
  if (!paths.some((path) => calls.malformed.test(path)) || value.args.some((argument) => functionOf(argument) !== undefined))
    return undefined
  if (value.kind === 'new' && value.args.length > 1 && paths.some((path) => path.includes('URL'))) return undefined
  const part = textIn(given, partOf)
  return part && { part, what: 'form' }
}

/** The part of the request that a text is made of: `req.query.doc`, `req.body.x || '{}'`, `Buffer.from(token.split('.')[1], 'base64').toString()`. */
function textIn(value: Value, partOf: PartScript['partOf']): SentPart | undefined {
  let here: Value | undefined = value
  for (let hops = 0; hops < MAX_FORMS && here !== undefined; hops++) {
    const own = partOf(here)
    if (own !== undefined) return own
    const made = resolveValue(here)
    if ('options' in made) return made.options.map((it) => partOf(it)).find((it) => it !== undefined)
    here = cutFrom(made)
  }
  return undefined
}

const MAX_FORMS = 12
/** What gives a part of a text, or the text in another form, which may be any one again. */
const CUTS = /^(?:toString|trim|split|substring|substr|slice|replace|replaceAll|at|pop)$/

/** The text that another one is cut or decoded from. */
function cutFrom(made: Value): Value | undefined {
  if ('args' in made) {
    const { callee, args } = made
    const name = lastNameOf(callee) ?? ''
    if (/^(?:from|atob|decodeURIComponent)$/.test(name)) return args[0]
    return 'object' in callee && CUTS.test(name) ? callee.object : undefined
  }
  const isItem = 'object' in made && (made.property !== undefined || /^\d$/.test(made.name ?? ''))
  return isItem ? made.object : undefined
}

/** Which conditions count beside those that leave or stand around a place, by where it is. */
type Ends = (guard: Guard, at: number) => boolean

/** A condition in front of a place in a function asks for a part of the request: it may be there for sure. */
export function isAsked(part: SentPart, at: Span, fact: FunctionFact, script: PartScript, ends?: Ends): boolean {
  const { writesIn, partOf } = script
  const isPart = (value: Value): boolean => {
    const known = valueAsked(value, partOf)
    return known !== undefined && known.length >= 2 && concerns(known, part)
  }
  const isFile = (value: Value): boolean => valueAsked(value, partOf)?.join('.') === 'file' && part[0] === 'file'
  const isMet = (test: Value): boolean =>
    askedIn(test, script).some((value) => isPart(value) || isFile(value)) ||
    findPart(test, (value) => isHandedOn(value, part, partOf)) !== undefined
  return (
    isMetBefore(isMet, at, fact, script, ends) ||
    writesIn(fact).some(({ target, end }) => end <= at.start && isPart(target)) ||
    isVerified(part, at, fact, script)
  )
}

/** One of the conditions in front of a place in a function is such a one. */
export function isMetBefore(
  isMet: (test: Value) => boolean,
  at: Span,
  fact: FunctionFact,
  script: PartScript,
  ends?: Ends,
): boolean {
  return guardsBefore(at, fact, script, ends).some(({ test }) => isMet(test)) || choicesAround(at, fact, script).some(isMet)
}

/** What a condition looks at, also by a name, `const isNamed = typeof name === 'string'`; a row that was found by the part says nothing of it. */
export function askedIn(test: Value, { valuesIn }: PartScript): readonly Value[] {
  const own = [...valuesIn(test), ...discriminantsOf(test).flatMap((one) => valuesIn(one))]
  const named = own.flatMap((value) => {
    const resolved = definedBy(value)
    return resolved === value || resolved.kind === 'await' ? [] : valuesIn(resolved)
  })
  return [...own, ...named]
}

/** What a switch is about stands in front of its cases. */
function discriminantsOf(test: Value): readonly Value[] {
  return 'operands' in test ? test.operands.filter((one) => !isWithin(one, test)) : []
}

/** The value that a name always stands for, also as a part of what is written beside it: `const { found } = { found: row !== null }`. */
function definedBy(value: Value): Value {
  const resolved = resolveValue(value)
  const [definition, another] = 'binding' in resolved ? (resolved.binding?.definitions ?? []) : []
  const [key, ...more] = definition?.path ?? []
  if (key === undefined || another !== undefined || definition?.kind !== 'init' || more.length > 0) return resolved
  return fieldOf(definition.value, key)?.value ?? resolved
}

/** `req.body?.name` asks for it as `req.body.name` does. */
export function valueAsked(value: Value, partOf: PartScript['partOf']): SentPart | undefined {
  if (value.kind !== 'member') return partOf(value)
  const before = valueAsked(value.object, partOf)
  return before && [...before, value.name ?? fieldName(value.property)]
}

/** A function is asked about the part, or about all that holds it: `isValid(req.body)`. */
export function isHandedOn(value: Value, part: SentPart, partOf: PartScript['partOf']): boolean {
  if (value.kind !== 'call' || /auth|role|scope|permission|admin|tenant|transaction/i.test(lastNameOf(value.callee) ?? ''))
    return false
  return value.args.some((argument) => {
    const known = partOf(argument)
    return known !== undefined && concerns(known, part)
  })
}

/** Only who looks at the text itself knows that it can be read. */
export function isProven(part: SentPart, at: Span, fact: FunctionFact, script: PartScript, ends?: Ends): boolean {
  return (
    guardsBefore(at, fact, script, ends).some(
      ({ test }) => findPart(test, (value) => isHandedOn(value, part, script.partOf)) !== undefined,
    ) || isVerified(part, at, fact, script)
  )
}

/** `jwt.verify(token, key)` in front of a place throws for what is no token. */
function isVerified(part: SentPart, at: Span, fact: FunctionFact, { valuesIn, partOf }: PartScript): boolean {
  return valuesIn(fact).some(
    (value) =>
      'args' in value &&
      value.end <= at.start &&
      /^(?:jwt_?)?verif/i.test(lastNameOf(value.callee) ?? '') &&
      isHandedOn(value, part, partOf),
  )
}

function guardsBefore(at: Span, fact: FunctionFact, script: PartScript, ends: Ends = () => false): readonly Guard[] {
  return script
    .guardsAround(fact)
    .filter(
      (guard) =>
        guard.test.start < at.start &&
        (isOnTheWay(guard, at.start) ||
          (guard.inside.end <= at.start && (ends(guard, at.start) || isCaseWithout(guard, at.start, script)))),
    )
}

/** `case null: return …`: nothing comes from it to what follows; `case null: …; break` in front of `default:` to that alone. */
function isCaseWithout({ test, inside }: Guard, at: number, { text, defaultAt }: PartScript): boolean {
  if (discriminantsOf(test).length === 0 || !('operands' in test) || !test.operands.some(isPresence)) return false
  const [, word] = LEAVES.exec(text.slice(Math.max(inside.start, inside.end - MAX_CASE), inside.end)) ?? []
  if (word === undefined) return false
  if (word !== 'break') return true
  const between = /^\s{0,200}/.exec(text.slice(inside.end, inside.end + MAX_CASE))?.[0].length ?? 0
  const span = defaultAt(inside.end + between)
  return span !== undefined && isAround(span, at)
}

/** What a missing value is compared with, or the answer to a question about it. */
function isPresence(value: Value): boolean {
  const constant = constantOf(value)
  return isNullish(value) || typeof constant === 'boolean' || constant === '' || constant === 'undefined'
}

/** The last statement of a case. */
const LEAVES = /\b(return|throw|break)\b[^;{}\n]{0,120};?\s{0,99}\}?\s{0,99}$/
const MAX_CASE = 300

/** What `a && b`, `a ? b : c` ask before they come to a place. */
function choicesAround(at: Span, fact: FunctionFact, { valuesIn }: PartScript): readonly Value[] {
  return valuesIn(fact).flatMap((value) => {
    if (value.kind !== 'choice' || !isWithin(at, value)) return []
    const tests = [...(value.test === undefined ? [] : [value.test]), ...value.options]
    return tests.filter((test) => test.end <= at.start)
  })
}
