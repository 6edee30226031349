import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type Binding, type ObjectField } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'

/** Names of variables that hold how far some work has come, for display: `let job = { running: false, progress: 0, step: '' }`. */
export const statusObjects: Extract<string> = defineExtract({
  name: 'cap-status-objects',
  keywords: ['progress', 'percent', 'running'],
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
  *collect({ facts: { bindings } }) {
    for (const binding of bindings) if (holdsStatus(binding)) yield binding.name
  },
})

/** It begins as an object of flags, numbers and texts; most of their names are words of progress. */
function holdsStatus({ kind, definitions: [first] }: Binding): boolean {
  if ((kind !== 'let' && kind !== 'const' && kind !== 'var') || first?.kind !== 'init' || first.path.length > 0) return false
  if (first.value?.kind !== 'object') return false
  const { fields } = first.value
  const told = fields.filter(({ key }) => STATUS.test(key ?? '')).length
  return (
    fields.length > 2 && told * 2 >= fields.length && fields.some(({ key }) => PROGRESS.test(key ?? '')) && fields.every(isPlain)
  )
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
