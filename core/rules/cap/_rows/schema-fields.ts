import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type CallValue, type ImportedName, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { resolveModule } from '../../../flow/index.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Project } from '../../subjects.ts'

/** A field of a schema in a script, with the values that it may have. */
interface SchemaField {
  readonly name: string
  /** undefined: any, or not known. */
  readonly choices: readonly string[] | undefined
}

/**
 * Fields of schemas: `new Schema({ role: { type: String, enum: ['reader', 'guest'] } })`, `sequelize.define('User', { role: DataTypes.ENUM('reader', 'guest') })`.
 * Facts: Mongoose 8, "SchemaTypes" and "Validation" (`enum` rejects what is not in the list; updates validate with `runValidators` alone); Sequelize 6, "DataTypes.ENUM".
 */
export const schemaFields: Extract<SchemaField> = defineExtract({
  name: 'cap-schema-fields',
  keywords: ['mongoose', 'sequelize'],
  prefilter: (text) => MAKES.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    if (!MAKES.test(text)) return
    step(facts.calls.length)
    const textsOf = createTextsReader(step)
    // many schemas may be made of one object
    const seen = new Set<Value>()
    for (const call of facts.calls) {
      const made = schemaOf(call)
      const fields = made && resolveValue(made)
      if (fields?.kind !== 'object' || seen.has(fields)) continue
      seen.add(fields)
      step(fields.fields.length)
      for (const { key, value } of fields.fields) if (key !== undefined) yield { name: key, choices: choicesOf(value, textsOf) }
    }
  },
})

const MAKES = /\bSchema\s?\(|\.define\s?\(/

function schemaOf({ callee, args, kind }: CallValue): Value | undefined {
  const name = lastNameOf(callee)
  if (name === 'Schema') return args[0]
  return name === 'define' && kind !== 'new' && args.length > 1 ? args[1] : undefined
}

type TextsReader = (values: readonly Value[]) => readonly string[] | undefined

/** Types of types: two constants may name each other. */
const MAX_TYPES = 4

function choicesOf(value: Value, textsOf: TextsReader, depth: number = 0): readonly string[] | undefined {
  const made = resolveValue(value)
  if (made.kind === 'call' && lastNameOf(made.callee) === 'ENUM') return textsOf(made.args)
  const given = fieldOf(made, 'enum')?.value
  if (given === undefined) {
    const type = fieldOf(made, 'type')?.value
    return type === undefined || depth === MAX_TYPES ? undefined : choicesOf(type, textsOf, depth + 1)
  }
  const list = resolveValue(given)
  const values = fieldOf(list, 'values')?.value
  const items = values === undefined ? list : resolveValue(values)
  return items.kind === 'array' ? textsOf(items.items) : undefined
}

/** All of them, or nothing. Each list is read once: fields share it. */
function createTextsReader(step: (count?: number) => void): TextsReader {
  const known = new Map<readonly Value[], readonly string[] | undefined>()
  return (values) => {
    if (known.has(values)) return known.get(values)
    step(values.length)
    const texts = values.map((value) => constantOf(value)).filter((one) => typeof one === 'string')
    const found = texts.length > 0 && texts.length === values.length ? texts : undefined
    known.set(values, found)
    return found
  }
}

/** Roles that one gets from others. */
const RANKS =
  /admin|super|root|owner|manager|moderator|editor|approver|director|operator|auditor|officer|doctor|teacher|(?:^| )(?:staff|employee|hr|lead|head|boss|agent|mod|dev|developer)(?: |$)/

/** The fields of the schema that a script gets from another one, and whether their schema lets nothing into them but names of ordinary roles. */
export type ModelReader = (from: string, model: ImportedName) => ReadonlyMap<string, boolean>

/** Reads the schemas of each file once. Needs the extract `schemaFields`. */
export function createModelReader({ scripts, files, step }: Pick<Project, 'scripts' | 'files' | 'step'>): ModelReader {
  const known = new Map<string, ReadonlyMap<string, boolean>>()
  const isOrdinary = createOrdinaryReader(step)
  return (from, { source }) => {
    step()
    const target = resolveModule(from, source, files)?.path
    if (target === undefined) return new Map()
    const before = known.get(target)
    if (before !== undefined) return before
    const fields = new Map<string, boolean>()
    for (const { name, choices } of scripts.of(target, schemaFields)) {
      step()
      fields.set(name, fields.get(name) !== false && choices !== undefined && isOrdinary(choices))
    }
    known.set(target, fields)
    return fields
  }
}

/** Whether a list has names of ordinary roles alone. Each is read once: fields share it. */
function createOrdinaryReader(step: (count?: number) => void): (choices: readonly string[]) => boolean {
  const known = new Map<readonly string[], boolean>()
  return (choices) => {
    const before = known.get(choices)
    if (before !== undefined) return before
    step(choices.length)
    const answer = !choices.some((role) => RANKS.test(toWords(role)))
    known.set(choices, answer)
    return answer
  }
}
