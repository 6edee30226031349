import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type Binding, type Definition, type ObjectField, type Value } from '../../../facts/index.ts'
import { isNothing } from '../../../facts/values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { groupBy } from '../../../lists.ts'
import { isDeployedCode } from '../../../model/script/index.ts'

/**
 * Names of variables that hold how far some work has come, for display, and nothing else anywhere in the script: `let job = { running: false, progress: 0, step: '' }`. What is written later
 * has the fields that the object begins with, and no lists or objects.
 */
export const statusObjects: Extract<string> = defineExtract({
  name: 'cap-status-objects',
  keywords: ['progress', 'percent', 'running'],
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const { bindings, assignments, calls } = facts
    const status = bindings.filter(holdsStatus)
    if (status.length === 0) return
    step(bindings.length + assignments.length + calls.length)
    const others = new Set(bindings.filter((one) => isVariable(one) && !status.includes(one)).map(({ name }) => name))
    // Object.assign(job, changes)
    for (const {
      callee,
      args: [first],
    } of calls)
      if (first?.kind === 'reference' && lastNameOf(callee) === 'assign') others.add(first.name)
    const written = groupBy(assignments, ({ target: { object } }) => (object.kind === 'reference' ? object.binding : undefined))
    for (const binding of status) {
      const keys = new Set(fieldsOf(binding).flatMap(({ key }) => key ?? []))
      const isPlainly = (written.get(binding) ?? []).every(({ target: { name }, value }) => isKnown(name, value, keys))
      if (!others.has(binding.name) && isPlainly && binding.definitions.every((one) => isStatus(one, binding, keys)))
        yield binding.name
    }
  },
})

function isVariable({ kind }: Binding): boolean {
  return kind === 'let' || kind === 'const' || kind === 'var'
}

function fieldsOf({ definitions: [first] }: Binding): readonly ObjectField[] {
  return first?.kind === 'init' && first.path.length === 0 && first.value?.kind === 'object' ? first.value.fields : []
}

/** It begins as an object of flags, numbers and texts; most of their names are words of progress. */
function holdsStatus(binding: Binding): boolean {
  const fields = fieldsOf(binding)
  const told = fields.filter(({ key }) => STATUS.test(key ?? '')).length
  return (
    isVariable(binding) &&
    fields.length > 2 &&
    told * 2 >= fields.length &&
    fields.some(({ key }) => PROGRESS.test(key ?? '')) &&
    fields.every(isPlain)
  )
}

/** What it is given later: nothing, or an object of the same fields; `{ ...job, progress: 5 }` keeps the others. */
function isStatus({ kind, value, path }: Definition, binding: Binding, keys: ReadonlySet<string>): boolean {
  if (kind === 'init' || isNothing(value)) return true
  if (kind !== 'assign' || path.length > 0 || value?.kind !== 'object') return false
  return value.fields.every(({ key, value: part }) => {
    const spread = part.kind === 'spread' ? part.value : part
    return key === undefined ? spread.kind === 'reference' && spread.binding === binding : isKnown(key, part, keys)
  })
}

/** A field that it begins with, or a word of progress, and no list, object, rows or what a function gives, unless it makes a text. */
function isKnown(key: string | undefined, value: Value, keys: ReadonlySet<string>): boolean {
  if (key === undefined || DATA.test(key) || !(keys.has(key) || STATUS.test(key))) return false
  const made = resolveValue(value)
  return made.kind !== 'object' && made.kind !== 'array' && made.kind !== 'await'
}

/** A flag, a number, a text or nothing, and no list that rows may be put into. */
function isPlain({ key, value }: ObjectField): boolean {
  if (key === undefined || DATA.test(key)) return false
  const made = resolveValue(value)
  return constantOf(made) !== undefined || (made.kind === 'reference' && made.name === 'undefined')
}

const PROGRESS = /progress|percent|^(?:is)?running$/i
const STATUS =
  /progress|percent|^(?:is_?)?(?:running|busy|done|finished|cancell?ed|paused)$|^(?:error_?state|has_?errors?|last_?error|errors?|failed|status|state|step|steps|phase|stage|topic|message|total|count|current|processed|remaining|started_?at|start_?time|finished_?at|end_?time|updated_?at)$/i
const DATA = /result|row|data|record|password|token|secret|mail|customer|employee|person/i
