import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, excerptOf, fieldOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { toBuilderSteps } from '../../flow/frameworks/query-builders.ts'
import { createServiceReader, type ScriptService } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { findHandledFunctions } from './_handled-functions.ts'
import { createExportReader } from './_handler-links.ts'

/** A call that changes data or acts outside of the application, and the handler that it runs in. */
export interface StateChange extends Span {
  /** The call as written: `DELETE.from(Orders)`. */
  readonly effect: string
  /** Names of the events that lead to it within the script; empty where another file may call the function around it. */
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
  /** The function around it as the script exports it, where no handler of the script leads to it. */
  readonly exported: string
}

/** What handlers of operations change, and what exported functions change that they may call. */
export const stateChanges: Extract<StateChange> = defineExtract({
  name: 'cap-state-changes',
  keywords: [
    'INSERT',
    'UPSERT',
    'UPDATE',
    'DELETE',
    'sendMail',
    '.create(',
    '.insert(',
    '.update(',
    '.delete(',
    '.post(',
    '.send(',
  ],
  prefilter: (text) => /\b(?:srv|cds|service|Service|req|INSERT|UPSERT|UPDATE|DELETE)\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findChanges(facts, text, step)],
})

function* findChanges(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<StateChange> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  const exportedAt = createExportReader(facts)
  const serviceOf = createServiceReader(facts)
  step(facts.calls.length)
  for (const call of facts.calls) {
    if (!isChange(call, serviceOf)) continue
    step(handlers.length)
    const handler = handlerOf(call)
    const exported = handler === undefined ? exportedAt(call) : undefined
    if (handler === undefined && exported === undefined) continue
    yield {
      start: call.start,
      end: call.end,
      effect: excerptOf(text, call),
      events: handler?.events.flatMap((event) => event ?? []) ?? [],
      entities: handler?.entities,
      service: handler?.service.name,
      isConnected: handler?.service.kind === 'connected',
      exported: exported ?? '',
    }
  }
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])
/** Facts: capire, "cds.Service" (CRUD-style and REST-style methods). */
const CRUD_STYLE = /^(?:create|insert|upsert|update|delete)$/
const REST_STYLE = /^(?:post|put|patch)$/
/** Tables of what was done or read: a row more in them is no deed. */
const RECORDS = /log(?:s|ging|Entr(?:y|ies))?$|audit|trace|cache|metric|counter|visit|telemetry/i

function isChange(call: CallValue, serviceOf: (value: Value) => ScriptService): boolean {
  const { kind, callee, args } = call
  const [first] = args
  if (kind !== 'call' || first === undefined) return false
  const steps = accessesOf(callee).map((access) => toBuilderSteps(access))
  // the call of a chain that names the entity
  if (steps.some((found) => found !== undefined && WRITES.has(found[0] ?? '') && !found.includes('()'))) return !isRecord(first)
  if (callee.kind !== 'member' || callee.name === undefined) return false
  if (callee.name === 'sendMail') return true
  const isRest = REST_STYLE.test(callee.name) || (callee.name === 'send' && isWriteMethod(first))
  if (!isRest && !CRUD_STYLE.test(callee.name)) return false
  const service = serviceOf(callee.object)
  if (isRest) return service.kind === 'connected'
  return (service.kind === 'connected' || service.kind === 'own' || service.kind === 'cds') && !isRecord(first)
}

/** `send('POST', …)`, `send({ method: 'POST' })`. */
function isWriteMethod(first: Value): boolean {
  const method = constantOf(fieldOf(first, 'method')?.value ?? first)
  return typeof method === 'string' && /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)
}

function isRecord(entity: Value): boolean {
  const text = constantOf(entity)
  return RECORDS.test(typeof text === 'string' ? text : (lastNameOf(entity) ?? ''))
}
