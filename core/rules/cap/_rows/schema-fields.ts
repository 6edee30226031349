import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { resolveModule } from '../../../flow/index.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Project } from '../../subjects.ts'
import type { ModuleName } from '../_callers/handed-apps.ts'

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
    for (const call of facts.calls) {
      const made = schemaOf(call)
      const fields = made && resolveValue(made)
      if (fields?.kind !== 'object') continue
      for (const { key, value } of fields.fields) if (key !== undefined) yield { name: key, choices: choicesOf(value) }
    }
  },
})

const MAKES = /\bSchema\s?\(|\.define\s?\(/

function schemaOf({ callee, args, kind }: CallValue): Value | undefined {
  const name = lastNameOf(callee)
  if (name === 'Schema') return args[0]
  return name === 'define' && kind !== 'new' && args.length > 1 ? args[1] : undefined
}

function choicesOf(value: Value): readonly string[] | undefined {
  const made = resolveValue(value)
  if (made.kind === 'call' && lastNameOf(made.callee) === 'ENUM') return textsOf(made.args)
  const given = fieldOf(made, 'enum')?.value
  if (given === undefined) {
    const type = fieldOf(made, 'type')?.value
    return type === undefined || made === type ? undefined : choicesOf(type)
  }
  const list = resolveValue(given)
  const values = fieldOf(list, 'values')?.value
  const items = values === undefined ? list : resolveValue(values)
  return items.kind === 'array' ? textsOf(items.items) : undefined
}

/** All of them, or nothing. */
function textsOf(values: readonly Value[]): readonly string[] | undefined {
  const texts = values.map((value) => constantOf(value)).filter((one) => typeof one === 'string')
  return texts.length > 0 && texts.length === values.length ? texts : undefined
}

/** The fields of the schema that a script gets from another one. Needs the extract `schemaFields`. */
export function fieldsOfModel(
  from: string,
  { source }: ModuleName,
  { scripts, files }: Pick<Project, 'scripts' | 'files'>,
): readonly SchemaField[] {
  const target = resolveModule(from, source, files)?.path
  return target === undefined ? [] : scripts.of(target, schemaFields)
}

/** Roles that one gets from others. */
const RANKS =
  /admin|super|root|owner|manager|moderator|editor|approver|director|operator|auditor|officer|doctor|teacher|(?:^| )(?:staff|employee|hr|lead|head|boss|agent|mod|dev|developer)(?: |$)/

/** Whether a schema lets nothing into a field but names of ordinary roles. */
export function isOrdinaryChoice(
  from: string,
  model: ModuleName,
  field: string,
  project: Pick<Project, 'scripts' | 'files'>,
): boolean {
  const found = fieldsOfModel(from, model, project).filter(({ name }) => name === field)
  return (
    found.length > 0 && found.every(({ choices }) => choices !== undefined && !choices.some((role) => RANKS.test(toWords(role))))
  )
}
