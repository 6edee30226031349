import {
  accessesOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
  directCall,
} from '../../facts/index.ts'
import type { Callback } from '../../facts/callbacks.ts'
import { isCds } from '../frameworks/cap-receivers.ts'
import { FOLLOWED_DRIVERS, SENDING } from '../tables/drivers.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'

/** A statement of SQL as a whole; where something is put in stands a question mark. */
const STATEMENT =
  /^[\s("]*(?:select\s[^]*?\sfrom\s|insert\s+into\s|upsert\s|merge\s+into\s|update\s[^]*?\sset\s|delete\s+from\s|truncate\s+table\s|call\s+["\w.:?]+|with\s+[\w"]+\s+as\s*\()/i
/** The first piece of one, as code writes it that puts it together. */
const BEGINNING = /^[\s(]*(?:SELECT\s|INSERT\s+INTO(?:\s|$)|DELETE\s+FROM(?:\s|$)|UPSERT\s|UPDATE\s+["A-Z?]|MERGE\s+INTO(?:\s|$))/
/** Nothing of the application is in these. */
const OF_SYSTEM = /\bfrom\s+(?:dummy|sys\.|m_|"?public"?\."?m_|sqlite_|pg_|information_schema)|^\s*select\s+1\b/i
const MAX_TEXT = 2000

/** Adds where a statement of SQL is written: `UPDATE STOCK SET …`, also with parts of others. */
export function addStatement(value: Value, to: number, draft: FlowDraft): void {
  const text = textOf(value)
  if (text === undefined || text.length < 7 || OF_SYSTEM.test(text)) return
  if (!STATEMENT.test(text) && !BEGINNING.test(text)) return
  draft.ends.sources.push({ node: to, origin: 'statement', weak: false })
  draft.show(to, value)
}

function textOf(value: Value): string | undefined {
  if (value.kind === 'literal') return typeof value.value === 'string' ? value.value.slice(0, MAX_TEXT) : undefined
  if (value.kind === 'template') return value.texts.join('?').slice(0, MAX_TEXT)
  if (value.kind !== 'concat') return undefined
  return value.parts
    .map((part) => (part.kind === 'template' ? part.texts.join('?') : String(constantOf(part) ?? '?')))
    .join('')
    .slice(0, MAX_TEXT)
}

/** Adds what runs a query for a service: a text of SQL passes by the conditions of the model. */
export function addNativeSql(written: CallValue, callbacks: ReadonlyMap<FunctionFact, Callback>, draft: FlowDraft): void {
  const call = directCall(written)
  const { callee, args, kind } = call
  const [text] = args
  if (kind === 'call' && callee.kind === 'member' && SENDING.has(callee.name ?? '') && text !== undefined)
    addSent(call, callee, text, draft)
  if (kind !== 'call' || callee.kind !== 'member' || callee.name !== 'run' || text === undefined) return
  if (text.kind === 'object' || text.kind === 'function' || text.kind === 'tagged' || startsServer(call.function, callbacks))
    return
  if (isFixedWrite(args)) return
  addFound(FOUND_SINKS.nativeStatement, text, draft, { name: nameOf(callee), at: callee })
}

/** `pool.query(text)` of a connection that another function or file made. */
function addSent(call: CallValue, callee: Value & { readonly kind: 'member' }, text: Value, draft: FlowDraft): void {
  const paths = accessesOf(callee).map(({ root }) => root)
  // of what the file makes itself the rule knows by the file alone
  const isKnown = paths.some((root) => /^(?:module|global):/.test(root) && !root.startsWith('module:.'))
  const isNamed = textOf(text) !== undefined && /^(?:client|connection|conn|pool|db)$/.test(nameOf(callee.object))
  const isOfImport = draft.facts.imports.some(({ source }) => FOLLOWED_DRIVERS.includes(source))
  if (isKnown || (isNamed && isOfImport) || text.kind === 'object' || text.kind === 'array') return
  const sent = {
    name: nameOf(callee),
    only: {
      whenCalled: { called: draft.use(call.callee), paths: FOLLOWED_DRIVERS.map((source) => `module:${source} *`) },
    },
  }
  addFound(FOUND_SINKS.nativeStatement, text, draft, { ...sent, at: callee })
  if (textOf(text) === undefined) addFound(FOUND_SINKS.sentText, text, draft, sent)
}

/** `run('UPDATE COUNTERS SET N = N + 1 WHERE NAME = ?', ['orders'])`: the same for every client, and nothing is read. */
function isFixedWrite([text, values]: readonly Value[]): boolean {
  const statement = stringConstantOf(text)
  if (statement === undefined || !/^\s*(?:update|insert|upsert|delete)\b/i.test(statement)) return false
  const given = values && resolveValue(values)
  return given === undefined || (given.kind === 'array' && given.items.every((item) => constantOf(item) !== undefined))
}

/** Code of the file itself, and what runs when the server starts: no client asks for it. */
function startsServer(from: FunctionFact, callbacks: ReadonlyMap<FunctionFact, Callback>): boolean {
  for (let fact: FunctionFact | undefined = from; fact !== undefined; fact = fact.parent) {
    if (fact.kind === 'file') return fact === from
    const callee = callbacks.get(fact)?.call.callee
    const isEvent = callee?.kind === 'member' && /^(?:on|once)$/.test(callee.name ?? '')
    if (isEvent && accessesOf(callee.object).some((access) => isCds(access) && access.steps.length === 0)) return true
  }
  return false
}
