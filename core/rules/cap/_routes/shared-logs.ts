import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { receiverOf } from '../../../facts/asked-values.ts'
import { directParts } from '../../../facts/values.ts'
import { accessesOf, resolveValue, type Binding, type Value } from '../../../facts/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'

/** Names of logs of a whole app, `activityLog`, and those of what all of its users see, `systemSettings`. */
const LOGS =
  /^(?:global|app(?:lication)?|system|server|site)_?(?:logs?|history)$|^(?:activity|activities|audit|event|access|request|error|login)_?(?:logs?|history|trail)$/i
const SETTINGS = /^(?:global|app(?:lication)?|system|server|site)_?(?:settings|config(?:uration)?)$/i

/** Whether a name says that all users are to have what is kept there. Of a log, `fullLogs` says whether it holds more. */
export function isForAll(name: string, full: readonly string[]): boolean {
  return SETTINGS.test(name) || (LOGS.test(name) && !full.includes(name))
}

/** Logs, by their names, into which more is put than texts of the code, times and ids. */
export const fullLogs: Extract<string> = defineExtract({
  name: 'cap-full-logs',
  keywords: ['log', 'Log', 'history', 'History', 'trail', 'Trail'],
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    step(facts.bindings.length)
    for (const binding of facts.bindings) {
      if (!LOGS.test(binding.name)) continue
      const put = [...binding.definitions.map(({ value }) => value), ...binding.additions, ...(binding.nested ?? [])]
      step(put.length)
      if (put.some((value) => value !== undefined && !isTrace(value, binding))) yield binding.name
    }
  },
})

/** Names of ids and times, and of what a request is about. */
const ID = /^(?:id|ID|Id|uuid|UUID|guid|timestamp|time|date|now|event|method|entity|length)$|_(?:id|at)$|[a-z](?:Id|ID|UUID|At)$/
/** What gives times and ids. */
const MADE = /^(?:global:(?:Date|Math|crypto|cds)\b|module:(?:node:)?(?:crypto|uuid)\b)/
const MAX_DEPTH = 8

function isTrace(given: Value, log: Binding, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const further = (part: Value): boolean => isTrace(part, log, depth + 1)
  const value = resolveValue(given)
  if ('name' in value && ID.test(value.name ?? '')) return true
  if ('binding' in value) return value.binding === log || isTaken(value.binding)
  if ('callee' in value) {
    const isMade = accessesOf(value.callee).some(({ root }) => MADE.test(root))
    const receiver = receiverOf(value)
    return value.args.every(further) && (isMade || (receiver !== undefined && further(receiver)))
  }
  if ('object' in value) return false
  const parts = directParts(value)
  return parts.length > 0 ? parts.every(further) : EMPTY.has(value.kind)
}

/** What is made of nothing else. */
const EMPTY: ReadonlySet<Value['kind']> = new Set(['literal', 'regex', 'template', 'array', 'object'])

/** `const { shipId } = req.data` */
function isTaken(binding: Binding | undefined): boolean {
  return (
    binding !== undefined && binding.definitions.length > 0 && binding.definitions.every(({ path }) => ID.test(path.at(-1) ?? ''))
  )
}
