import { constantOf, fieldOf, pathOf } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { CallValue } from '../../facts/types.ts'
import { leadingTextOf } from '../script/index.ts'

/** Methods of OData models that change data on the server by their name alone. */
const SUBMITS: ReadonlySet<string> = new Set(['submitChanges', 'submitBatch', 'callFunction'])
/** Methods of an OData V2 model that do so when a path of the service comes first. */
const OPERATIONS: ReadonlySet<string> = new Set(['create', 'update', 'remove'])
const REQUESTS = /^global:fetch$|^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery)\.ajax$/u
const CHANGING = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/iu

/** Methods of models have common names: the path that comes first tells them apart. One expression for all would be ten times as slow. */
const MODEL_WRITES: readonly RegExp[] = [
  /\b(?:submit(?:Changes|Batch)|callFunction)\b/,
  /\.(?:create|update|remove)\(\s{0,40}["'`]\//,
]
const METHOD = /["'`](?:POST|PUT|PATCH|DELETE|MERGE)["'`]/i

function mayWrite(text: string): boolean {
  // many things can be deleted; by hand a request is sent by these alone
  const mayRequest = text.includes('fetch') || text.includes('ajax')
  return MODEL_WRITES.some((pattern) => pattern.test(text)) || (mayRequest && METHOD.test(text))
}

/** Words of scripts that change data by an OData model. */
export const MODEL_WRITE_KEYWORDS: readonly string[] = [
  'submitChanges',
  'submitBatch',
  'callFunction',
  '.create(',
  '.update(',
  '.remove(',
]

/** A mark for each productive script that changes data on a server: what a click or a forged request in a user's session may do. */
export const dataWrites: Extract<true> = defineExtract({
  name: 'ui5-data-writes',
  keywords: [...MODEL_WRITE_KEYWORDS, '"POST"', "'POST'", '"PUT"', "'PUT'", '"PATCH"', "'PATCH'", '"DELETE"', "'DELETE'"],
  prefilter: mayWrite,
  inPages: true,
  collect: ({ facts }) => (facts.calls.some(isDataWrite) ? [true] : []),
})

/** Whether a call changes data on a server: of an OData model, or a request written by hand. */
export function isDataWrite({ callee, args }: CallValue): boolean {
  const [first, second] = args
  const name = callee.kind === 'member' ? (callee.name ?? '') : ''
  if (SUBMITS.has(name)) return true
  if (OPERATIONS.has(name) && first !== undefined) return leadingTextOf(first).text.startsWith('/')
  if (!REQUESTS.test(pathOf(callee)?.join('.') ?? '')) return false
  return [first, second].some((settings) => {
    if (settings?.kind !== 'object') return false
    const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
    return method !== undefined && CHANGING.test(String(constantOf(method) ?? ''))
  })
}
