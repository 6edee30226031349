import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { changedRow, isAnswer } from '../../../flow/frameworks/route-rights.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Rows of a table that a function with a request changes by what the client names (`key`), or all of them, which it answers with. */
export interface ClientChange extends Span {
  readonly table: string
  readonly key?: string
}

/** Facts: Mongoose 8 (Document `deleteOne`, `updateOne`, `replaceOne`: the document's own `_id` chooses the row; Model `find`), Sequelize 6 (`findAll`, `destroy`), Prisma 6 (`findMany`). */
export const clientChanges: Extract<ClientChange> = defineExtract({
  name: 'cap-client-changes',
  keywords: ['.find', '.delete', '.update', '.destroy', '.remove', '.replace', '.query(', '.execute('],
  prefilter: (text) => /\b(?:params|body|query)\b/.test(text) || /\.find/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    step(facts.calls.length)
    for (const call of facts.calls) {
      const { start, end } = call.callee
      const changed = changedDocument(call) ?? changedRow(call)
      if (changed !== undefined) yield { ...changed, start, end }
      const table = changed === undefined ? listedTable(call, text) : undefined
      if (table !== undefined && isAnswered(call, facts, step)) yield { table, start, end }
    }
  },
})

/** `new Person(req.body).deleteOne()` */
function changedDocument({ callee }: CallValue): { readonly table: string; readonly key: string } | undefined {
  if (callee.kind !== 'member' || !/^(?:deleteOne|updateOne|replaceOne|remove)$/.test(callee.name ?? '')) return undefined
  const made = resolveValue(callee.object)
  if (made.kind !== 'new') return undefined
  const [given] = made.args
  const table = lastNameOf(made.callee) ?? ''
  const named = given === undefined ? undefined : (fieldOf(resolveValue(given), '_id')?.value ?? given)
  const key = named && sentPart(named)
  return key === undefined || !MODEL.test(table) ? undefined : { table, key }
}

const MODEL = /^[A-Z][a-z]/

/** `req.body`, `req.params.id` */
function sentPart(value: Value): string | undefined {
  for (const { root, steps } of accessesOf(value))
    if (isContextRoot(root) && steps.length <= 2 && /^(?:params|body|query)$/.test(steps[0] ?? ''))
      return `req.${steps.join('.')}`
  return undefined
}

/** `Person.find(req.query)`, `Person.findAll()`: all columns of what the client may choose, or of all rows. */
function listedTable({ callee, args, end }: CallValue, text: string): string | undefined {
  if (callee.kind !== 'member' || !/^find(?:All|Many)?$/.test(callee.name ?? '') || args.length > 1) return undefined
  const table = lastNameOf(callee.object) ?? ''
  const [first] = args
  const made = first && resolveValue(first)
  const isWhole =
    made === undefined ||
    sentPart(made) !== undefined ||
    ('fields' in made && made.fields.every(({ key = '' }) => /^(?:order|limit|offset|skip|take|orderBy)$/.test(key)))
  const isCut = /^\s{0,40}\.(?:select|where|projection)\(/.test(text.slice(end, end + 60))
  return isWhole && !isCut && MODEL.test(table) ? table : undefined
}

/** `res.send(found)` */
function isAnswered(
  { start, end, function: around }: CallValue,
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  step(calls.length)
  const isFound = (part: Value): boolean => part.start === start && part.end === end
  return calls.some(
    (call) => call.function === around && isAnswer(call) && call.args.some((given) => findPart(given, isFound) !== undefined),
  )
}

/** The fields of a table, as `mongoose.model('Person', { … })` and `sequelize.define('Person', { … })` tell them. */
export interface TableFields {
  readonly table: string
  readonly fields: readonly string[]
}

export const tableFields: Extract<TableFields> = defineExtract({
  name: 'cap-table-fields',
  keywords: ['.model(', '.define('],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts: { calls }, step }) {
    step(calls.length)
    for (const { callee, args } of calls) {
      const [name, shape] = args
      const table = stringConstantOf(name)
      if (!/^(?:model|define)$/.test(lastNameOf(callee) ?? '') || table === undefined || shape === undefined) continue
      const made = resolveValue(shape)
      const [inner] = 'args' in made && lastNameOf(made.callee) === 'Schema' ? made.args : []
      const fields = inner === undefined ? made : resolveValue(inner)
      if (fields.kind !== 'object') continue
      step(fields.fields.length)
      yield { table, fields: fields.fields.flatMap(({ key }) => key ?? []) }
    }
  },
})
