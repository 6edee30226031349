import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  accessesOf,
  constantOf,
  findPart,
  pathOf,
  resolveValue,
  valuesOf,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isRequestData } from '../../../flow/request-data.ts'
import { ACCOUNT_PASSWORD_KEYWORDS, isAccountPassword, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { entityOf } from '../_handlers/query-chains.ts'

/** A password by its name, and none of its hash. */
export const isPassword = (name: string): boolean => isAccountPassword(name, ENTERED)
const ENTERED = ['old', 'current']

export interface PlainPassword extends Span {
  readonly variant?: 'condition' | 'stored' | 'constant' | 'xs' | 'middleware' | 'encrypted'
  /** What is stored. */
  readonly name: string
  /** What was sent. */
  readonly value: Value
}

export type SentReader = (value: Value) => boolean

/** Tells whether a value is a password of the request, under whatever name, that nothing has changed. */
export function createSentReader(facts: ScriptFacts): SentReader {
  const callbacks = findCallbacks(facts)
  // req.body.password = await bcrypt.hash(req.body.password, 12)
  const isReplaced = facts.assignments.some(({ target }) => isPassword(target.name ?? '') && isOfRequest(target.object))
  return (value) =>
    isXsParameter(value) ||
    isGivenXsParameter(value, facts) ||
    ((value.kind === 'member' || (value.kind === 'reference' && value.binding?.definitions.length === 1)) &&
      !isReplaced &&
      accessesOf(value).some(
        (access) =>
          isPassword(access.steps.at(-1) ?? '') &&
          isRequestData(access, callbacks) &&
          !access.steps.includes('()') &&
          !access.steps.includes('headers'),
      ))
}

/** `$.request.parameters.get("password")`. Fact: SAP HANA XS JavaScript API Reference, $.request.parameters. */
function isXsParameter(value: Value): boolean {
  const made = resolveValue(value)
  if (!('callee' in made) || pathOf(made.callee)?.join(' ') !== 'global:$ request parameters get') return false
  const [name] = made.args
  return name !== undefined && isPassword(String(constantOf(name)))
}

/** The parameter of a function that is called with one: `login($.request.parameters.get("user"), $.request.parameters.get("password"))`. */
function isGivenXsParameter(value: Value, { calls }: ScriptFacts): boolean {
  const binding = 'binding' in value ? value.binding : undefined
  const index = binding?.function.parameters.indexOf(binding) ?? -1
  if (binding === undefined || index === -1) return false
  return calls.some(({ callee, args }) => {
    const given = functionOf(callee) === binding.function ? args[index] : undefined
    return given !== undefined && isXsParameter(given)
  })
}

function isOfRequest(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root.startsWith('parameter:') && /^(?:body|data)$/.test(steps.at(-1) ?? ''))
}

/** `user.password !== req.body.password` */
export function* comparisons(facts: ScriptFacts, isSent: SentReader): Generator<PlainPassword> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator) || value.operands.length !== 2) continue
    for (const [index, own] of value.operands.entries()) {
      const sent = value.operands[1 - index]
      if (sent === undefined || !isSent(sent) || isSent(own)) continue
      const name = storedName(own)
      if (name !== undefined) yield { start: value.start, end: value.end, name, value: sent }
    }
  }
}

/** `row.password`, `const stored = row.password || ''`: a column by its name, and no part of the environment or of what a client sends. */
function storedName(value: Value): string | undefined {
  const made = resolveValue(value)
  const parts = made.kind === 'choice' ? made.options : [made]
  for (const part of parts) {
    if (part.kind !== 'member' || !isPassword(part.name ?? '')) continue
    const isOfProgram = accessesOf(part).some(({ root, steps }) => root.startsWith('global:') || steps.includes('env'))
    if (!isOfProgram) return part.name
  }
  return undefined
}

/** Methods of queries that take conditions. */
export const ASKS: RegExp = /^(?:where|find|findOne|findFirst|findUnique|findAll|read|one)$/
const MAX_DEPTH = 2

export interface NamedField extends Span {
  readonly key: string
  readonly value: Value
}

export function fieldsIn(given: Value, depth = 0): readonly NamedField[] {
  const made = resolveValue(given)
  if (made.kind === 'array') return made.items.flatMap((item) => fieldsIn(item, depth))
  if (made.kind !== 'object' || depth > MAX_DEPTH || constantOf(made) !== undefined) return []
  return made.fields.flatMap(({ key, value, start, end }) =>
    key === undefined ? [] : key === 'where' ? fieldsIn(value, depth + 1) : [{ key, value, start, end }],
  )
}

/** A column whose value a script compares with a password of the request, as it is. */
interface ComparedPassword {
  readonly column: string
  /** The last part of the name of the entity of the query; undefined: that of a row. */
  readonly entity: string | undefined
}

/** `db.read(Members).where({ name, password })`, `member.password === req.data.password`. */
export const comparedPasswords: Extract<ComparedPassword> = defineExtract({
  name: 'cap-compared-passwords',
  keywords: ACCOUNT_PASSWORD_KEYWORDS,
  prefilter: (text) => /[!=]==?|\b(?:where|find\w{0,10}|read|one)\b/.test(text) && /\b(?:body|data|req|request)\b/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    const isSent = createSentReader(facts)
    step(facts.calls.length)
    for (const { name } of comparisons(facts, isSent)) yield { column: name, entity: undefined }
    for (const call of facts.calls) {
      if (!ASKS.test(lastNameOf(call.callee) ?? '') || !('object' in call.callee)) continue
      const entity = askedEntity(call.callee.object)
      for (const { key, value } of call.args.flatMap((given) => fieldsIn(given)))
        if (isPassword(key) && isSent(value)) yield { column: key, entity }
    }
  },
})

/** `Members` of `db.read(Members)`, `SELECT.one.from('my.shop.Members')`. */
function askedEntity(query: Value): string | undefined {
  const from = findPart(query, (part) => 'callee' in part && FROM.test(lastNameOf(part.callee) ?? '') && part.args.length > 0)
  return from !== undefined && 'callee' in from ? entityOf(from.args[0]) : undefined
}

const FROM = /^(?:from|one|read|SELECT)$/
