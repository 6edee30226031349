import { constantOf, fieldOf, pathOf } from '../../facts/index.ts'
import type { CallValue } from '../../facts/types.ts'
import { leadingTextOf } from '../script/index.ts'

/** Methods of OData models that change data on the server by their name alone. */
const SUBMITS: ReadonlySet<string> = new Set(['submitChanges', 'submitBatch', 'callFunction'])
/** Methods of an OData V2 model that do so when a path of the service comes first. */
const OPERATIONS: ReadonlySet<string> = new Set(['create', 'update', 'remove'])
const REQUESTS = /^global:fetch$|^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery)\.ajax$/u
const CHANGING = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/iu

/** Words of scripts that change data by an OData model. */
export const MODEL_WRITE_KEYWORDS: readonly string[] = [
  'submitChanges',
  'submitBatch',
  'callFunction',
  '.create(',
  '.update(',
  '.remove(',
]

/** Whether a call changes data on a server: of an OData model, or a request written by hand. */
export function isDataWrite({ callee, args }: CallValue): boolean {
  const [first, second] = args
  const name = callee.kind === 'member' ? (callee.name ?? '') : ''
  if (SUBMITS.has(name)) return true
  if (OPERATIONS.has(name) && first !== undefined) return leadingTextOf(first).text.startsWith('/')
  const written = [first, second].flatMap((settings) => (settings?.kind === 'object' ? settings : []))
  if (written.length === 0 || !REQUESTS.test(pathOf(callee)?.join('.') ?? '')) return false
  return written.some((settings) => {
    const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
    return method !== undefined && CHANGING.test(String(constantOf(method) ?? ''))
  })
}
