import { QUOTED } from '../models/escaped.ts'
import {
  constantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
  directCall,
} from '../../facts/index.ts'
import type { CapFile } from '../frameworks/cap-receivers.ts'
import { isQueryResult, querySinkOf, type QuerySink, isOnlyInspected, builderBehind } from '../frameworks/query-sinks.ts'
import { ANY_FIELD, READ, type FlowSink } from '../types.ts'
import { append } from '../../lists.ts'
import { calledIn } from '../calls/called.ts'
import { isPiped } from '../frameworks/decorated-classes.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addNames, addNamesOfParts, addShortcutName } from './query-names.ts'
import { isList } from './token-lists.ts'
import { spreadItem } from '../values/arguments.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { spreadValue } from '../frameworks/registrations.ts'
import { replacementIn } from '../checks/replacements.ts'

const SQL = /\b(?:select|insert|upsert|update|delete|merge|call|truncate|drop|alter|create|set|with|from|where)\b/i
/** Of what may be a name or a query this makes it a query. */
const NO_NAME = /[\s({[=']/
/** Remote services take such a text as a request. */
const HTTP = /^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+\//
/** What begins a statement of SQL, and hardly a sentence. */
const STATEMENT =
  /^[\s("]*(?:select\s[^]*?\sfrom\s|insert\s+into\s|upsert\s|merge\s+into\s|update\s[^]*?\sset\s|delete\s+from\s|call\s|truncate\s+table\s|(?:drop|alter|create)\s+(?:table|view|schema|user|role)\s|set\s+schema\s)/i

/** Adds the texts of queries that the calls of a script take: put together they are read as a query, and some are taken as a whole. */
export function addQueries(cap: CapFile, handled: ReadonlySet<FunctionFact>, draft: FlowDraft): void {
  const callers = createCallerReader(draft)
  const seen = new Set<Value>()
  addNamesOfParts(draft)
  for (const written of draft.facts.calls) {
    const call = directCall(written)
    addShortcutName(call, cap, draft)
    const sink = querySinkOf(call, draft.facts, cap)
    if (sink === undefined) continue
    if (sink.name.startsWith('cds.parse.') && isOnlyInspected(call, draft.facts, draft.step)) continue
    if (sink.takesNames && !sink.isGuess) addNames(sink, draft)
    // where({ [name]: value })
    else if (!sink.isGuess && sink.language === 'cql')
      addNames({ ...sink, texts: call.args.filter(({ kind }) => kind === 'object'), isOfColumns: true }, draft)
    if (sink.isElsewhere === true && calledIn(call.callee, draft).length > 0) continue
    for (const text of sink.texts) addText(text, sink, call, callers, seen, draft)
    if (sink.takesTokens === true) for (const condition of sink.texts) addTokens(condition, sink, callers, draft)
  }
  if (draft.ends.sinks.some(({ ofUnknown }) => ofUnknown === true)) addUnknown(cap, handled, draft)
}

/**
 * `where(['name', '=', text])`, and what was pushed to the list before.
 * Facts: @sap/cds 9.9 lib/ql/Whereable.js; @cap-js/db-service 2 writes texts among the tokens into the SQL as they are (tried with @cap-js/sqlite 2).
 */
function addTokens(condition: Value, { name }: QuerySink, callers: CallerReader, { ends, graph, use }: FlowDraft): void {
  for (const list of 'options' in condition ? condition.options : [condition]) {
    if (!isList(list, callers)) continue
    const node = graph.derive(use(list), list, READ, ANY_FIELD)
    ends.sinks.push({ ...FOUND_SINKS.queryText, name, start: list.start, end: list.end, node, detail: 'tokens' })
  }
}

type CallerReader = (parameter: Binding) => readonly Value[]

function addText(text: Value, sink: QuerySink, call: CallValue, callers: CallerReader, seen: Set<Value>, draft: FlowDraft): void {
  // what a caller gets from elsewhere is put together there
  const through = textsThrough(text, callers).map((value) => (value.kind === 'call' || value.kind === 'member' ? text : value))
  for (const value of through) {
    if (seen.has(value) || value.kind === 'literal' || value.kind === 'object' || value.kind === 'function' || isBuilt(value))
      continue
    seen.add(value)
    addSink(value, sink, call, value === text ? {} : { runsAt: { start: text.start, end: text.end } }, draft)
  }
  // functions of other files may hand their texts to this one as well
  if (through.length > 0 && !through.includes(text)) addSink(text, sink, call, { isOfOthers: true }, draft)
}

/** `SELECT.from(Books).where({ ID })`: a query is no text, whatever its rows hold. */
function isBuilt(value: Value): boolean {
  return value.kind === 'call' && builderBehind(value) !== undefined
}

function addSink(
  value: Value,
  sink: QuerySink,
  call: CallValue,
  { runsAt, isOfOthers }: Pick<FlowSink, 'runsAt'> & { readonly isOfOthers?: true },
  draft: FlowDraft,
): void {
  const written = writtenIn(value)
  const isHidden = sink.isNamed === true && written.replaceAll('\0', '').trim() === ''
  if (!isHidden && !isQueryText(sink, written)) return
  // 'my.' + name: whatever is put in names an entity
  if (sink.takesNames && sink.isOfColumns !== true && !NO_NAME.test(written)) return
  const { start, end } = value
  const known: Omit<FlowSink, 'needs' | 'detail' | 'ofUnknown'> = {
    ...FOUND_SINKS.queryText,
    name: sink.name,
    start,
    end,
    node: textNode(value, sink, draft),
    ...(runsAt !== undefined && { runsAt }),
    ...(sink.isGuess || sink.isHandedIn === true ? { isGuess: true } : {}),
    ...(sink.isElsewhere === true ? { only: { unlessCalled: draft.use(call) } } : {}),
  }
  const detail = sink.language === 'sql' ? 'sql' : sink.isOfColumns === true ? 'columns' : undefined
  // `${namespace}.Books` is a name put together, which is another fault
  const ofUnknown =
    !isHidden &&
    sink.isElsewhere !== true &&
    sink.isHandedIn !== true &&
    isOfOthers !== true &&
    (!sink.takesNames || NO_NAME.test(written))
  draft.ends.sinks.push({
    ...known,
    needs: 'concatenated',
    ...(detail !== undefined && { detail }),
    ...(ofUnknown && { ofUnknown: true }),
  })
  if (sink.takesWhole && !sink.isGuess) draft.ends.sinks.push({ ...known, needs: 'whole', detail: 'whole' })
  if (sink.takesCondition === true) draft.ends.sinks.push({ ...known, needs: 'whole', detail: 'condition' })
}

/** Of `with(...parts)` the first item is the text; what `SELECT.from(...args)` passes on is most often a name. */
function textNode(value: Value, { takesNames }: QuerySink, { use, graph }: FlowDraft): number {
  if (value.kind !== 'spread' || takesNames) return use(value)
  const list = resolveValue(value.value)
  const [first] = list.kind === 'array' ? list.items : []
  return first === undefined ? spreadItem(value, use(value), 0, graph) : use(first)
}

function isQueryText(sink: QuerySink, written: string): boolean {
  if (sink.language === 'sql' && HTTP.test(written)) return false
  if (sink.isUnknown === true) return STATEMENT.test(written.replaceAll('\0', ' '))
  return !sink.isGuess || SQL.test(written)
}

const MAX_VISITS = 300

/** What stands in a text, as far as it is written out; pieces are set apart by NUL. */
function writtenIn(text: Value): string {
  const pieces: string[] = []
  const open: Value[] = [text]
  const seen = new Set<Value>()
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const value = open[visits]
    if (value === undefined) break
    if (seen.has(value)) continue
    seen.add(value)
    if (value.kind === 'literal') pieces.push(String(value.value).slice(0, 200))
    else if (value.kind === 'template') {
      for (const [index, piece] of value.texts.entries())
        pieces.push(piece.slice(0, 200), ...(index < value.parts.length ? [''] : []))
      open.push(...value.parts)
    } else if (value.kind === 'concat') {
      for (const part of value.parts) pieces.push(String(constantOf(part) ?? '').slice(0, 200))
      open.push(...value.parts.filter((part) => constantOf(part) === undefined))
    } else if (value.kind === 'choice') open.push(...value.options)
    else if (value.kind === 'tagged') pieces.push(...(value.texts ?? []))
    else if (value.kind === 'await') open.push(value.value)
    else if (value.kind === 'call')
      open.push(value.callee.kind === 'member' ? value.callee.object : value.callee, ...value.args.slice(0, MAX_VISITS))
    else if (value.kind === 'function') open.push(...value.function.returns.slice(0, MAX_VISITS))
    else if (value.kind === 'member') open.push(resolveValue(value.object))
    else if (value.kind === 'object') open.push(...value.fields.slice(0, MAX_VISITS).map(({ value: field }) => field))
    else if (value.kind === 'array') open.push(...value.items.slice(0, MAX_VISITS))
    else if (value.kind === 'reference')
      open.push(...(value.binding?.definitions.slice(0, MAX_VISITS) ?? []).flatMap(({ value: given }) => given ?? []))
  }
  return pieces.join('\0')
}

const MAX_TEXTS = 200

/** The texts that a function of the file hands on: what its callers in the file write for the parameter, else the text itself. */
function textsThrough(text: Value, callers: CallerReader): readonly Value[] {
  const found: Value[] = []
  const seen = new Set<Binding>()
  const open = [text]
  for (let visits = 0; visits < MAX_TEXTS; visits++) {
    const here = open[visits]
    if (here === undefined) break
    const binding = here.kind === 'reference' ? here.binding : undefined
    const [definition] = binding?.definitions ?? []
    const isPlain = binding?.kind === 'parameter' && binding.definitions.length === 1 && definition?.path.length === 0
    const given = isPlain ? callers(binding) : []
    if (given.length === 0) found.push(here)
    else if (binding !== undefined && !seen.has(binding)) {
      seen.add(binding)
      open.push(...given.slice(0, MAX_TEXTS))
    }
  }
  return found
}

/** What calls within the file give a parameter. */
function createCallerReader(draft: FlowDraft): CallerReader {
  let calls: Map<FunctionFact, CallValue[]> | undefined
  return ({ function: owner, definitions: [definition] }) => {
    if (calls === undefined) {
      calls = new Map()
      draft.step(draft.facts.calls.length)
      for (const call of draft.facts.calls)
        for (const called of call.kind === 'call' ? calledIn(call.callee, draft) : []) append(calls, called, call)
    }
    return (calls.get(owner) ?? []).flatMap(({ args }) => {
      const argument = args[definition?.parameter ?? -1]
      return argument === undefined || argument.kind === 'spread' ? [] : [argument]
    })
  }
}

/** Values whose origin the project does not tell: parameters that nobody fills, rows of the database. */
function addUnknown(cap: CapFile, handled: ReadonlySet<FunctionFact>, draft: FlowDraft): void {
  const { facts, ends, parameters } = draft
  const known = new Set(ends.sources.map(({ node }) => node))
  for (const fact of facts.functions) {
    // who calls a callback, knows what it gets
    if (!handled.has(fact) && (cap.callbacks.has(fact) || cap.implementations.has(fact))) continue
    for (const [index, binding] of fact.parameters.entries()) {
      const node = parameters.nodeOf(fact, index)
      if (node === undefined || known.has(node) || binding?.name === 'next' || isPiped(fact, index)) continue
      if (binding !== undefined && isAlwaysDefault(fact, index, binding, draft)) continue
      ends.sources.push({ node, origin: 'unknown', weak: true })
      if (binding !== undefined)
        draft.show(node, {
          kind: 'reference',
          start: binding.start,
          end: binding.start + binding.name.length,
          name: binding.name,
          binding,
        })
    }
  }
  for (const call of facts.calls) {
    const quoted = isQuoted(call)
    if (!quoted && !isQueryResult(call, cap)) continue
    const node = draft.use(call)
    ends.sources.push({ node, origin: 'unknown', weak: false, ...(quoted && { cleaned: [QUOTED] }) })
    draft.show(node, quoted && call.callee.kind === 'member' ? call.callee.object : call)
  }
}

/** `(rows, top = 5)` of a function that nothing does but call it in this file, never with a value for it. */
function isAlwaysDefault(fact: FunctionFact, index: number, binding: Binding, draft: FlowDraft): boolean {
  const { name } = fact
  const [definition, ...others] = binding.definitions
  const fallback = definition?.fallback
  if (fallback === undefined || others.length > 0 || constantOf(fallback) === undefined || !/^[\w$]{1,60}$/.test(name))
    return false
  draft.step(draft.facts.calls.length)
  const own = draft.facts.calls.filter(({ callee }) => 'binding' in callee && calledIn(callee, draft).includes(fact))
  const isLeftOut = own.every(({ args }) => args.length <= index && args.every((given) => spreadValue(given) === given))
  return own.length > 0 && isLeftOut && timesNamed(name, draft.text) === own.length + 1
}

/** In quotes it names something else, such as an event. */
function timesNamed(name: string, text: string): number {
  let times = 0
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    if (!/[\w$"'`]/.test(text[at - 1] ?? '') && !/[\w$"'`]/.test(text[at + name.length] ?? '')) times++
  return times
}

/** The same of values that another file checks, once all values are connected. */
export function addCheckedElsewhere({ ends: { sinks, sources }, checks: { handed: handedToChecks }, show }: FlowDraft): void {
  if (!sinks.some(({ ofUnknown }) => ofUnknown === true)) return
  for (const { value, node } of handedToChecks) {
    sources.push({ node, origin: 'unknown', weak: false })
    show(node, value)
  }
}

/** `x.replace(/'/g, "''")`: right between quotes, and easily forgotten elsewhere. */
function isQuoted(call: CallValue): boolean {
  const { found, isPattern, isAll, written } = replacementIn(call) ?? {}
  return found === "'" && (isAll === true || isPattern === false) && written === "''"
}
