import {
  accessesOf,
  fieldOf,
  resolveValue,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { carriesOwnCredential } from '../frameworks/route-effects.ts'
import { REQUEST_FAULT } from '../tables/http-sinks.ts'
import { harmlessBy } from '../tables/harmless.ts'
import { isAddress, type NamedSink, type SinkRow } from '../tables/sinks.ts'
import { addressParts } from './addresses.ts'
import { addMadeFields, partsOf } from './sink-parts.ts'
import { nameOf } from '../graph/names.ts'
import type { Proof } from '../../conditions/constraint.ts'
import { isFollowed } from '../checks/proofs.ts'
import { appliesTo, asksForWindow, opensApart, isNamedCookie, isNamedSecret } from '../checks/sink-conditions.ts'
import { spreadItem } from '../values/arguments.ts'
import { ROWS, type SinkIndex } from './sink-index.ts'
import type { Span } from '../../types.ts'
import { CLEAN, FIELD, READ, ANY_FIELD, type FlowSink, type SinkConditions, type SinkDetail } from '../types.ts'
import { isOfOthers } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { guessedFrame, mayBeginWithTag, isOnlyRead, isSaved, tagOf } from './tags.ts'
import { isWrittenOut } from './text-parts.ts'
import { addRendered, templateOf } from './templates.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Adds the sinks that a call is, by the rows of the table. Constant arguments are none. */
export function addSinks(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const rows = ROWS[draft.realm]
  const name = call.callee.kind === 'member' ? (call.callee.name ?? '') : ''
  const own = rowsNamed('method', name, [], rows)
  const named = [
    ...rowsNamed('call', nameCalled(call), [...paths, ...tagPaths(call, draft)], rows),
    // what is called was kept in an object or a field: TEMPLATES.row(data)
    ...(call.callee.kind === 'member' && paths.some((path) => path.endsWith(' ()')) ? rowsNamed('call', '()', paths, rows) : []),
  ]
  const open = openRows(call, paths, rows)
  if (open.size > 0)
    addRows(
      call,
      open.keys(),
      (row) => ({ called: draft.use(call.callee), paths: open.get(row) ?? [] }),
      draft,
      [...open.values()].flat(),
    )
  if (rows.methods.length + own.length + named.length === 0 && !paths.some((path) => rows.byPath.has(path))) return
  const byPath = new Set([...paths.flatMap((path) => rows.byPath.get(path) ?? []), ...own, ...named])
  addRows(
    call,
    [...byPath, ...(call.callee.kind === 'member' ? rows.methods.filter((row) => !byPath.has(row)) : [])],
    (row) => byPath.has(row),
    draft,
    paths,
  )
}

/** What the call is by its access path, where the code has another name for it. */
function apiOf(row: SinkRow, call: CallValue, paths: readonly string[]): Pick<FlowSink, 'api'> {
  const path = paths.find((one) => row.calls?.includes(one) === true)
  const name = path?.replace(/^\w+:(?:node:)?/, '').replaceAll(/[ /]/g, '.')
  const isApart = row.as === 'either' ? asksForWindow(call) : row.as === 'window' && opensApart(call)
  if (!isApart && (name === undefined || name.endsWith(nameOf(call.callee)))) return {}
  // code in the address does not run in the user's session
  return { api: { ...(name !== undefined && { name }), ...(isApart && { effects: ['apart'] }) } }
}

/** Rows whose path has the name of what is called: what it is, a field or another file tells. */
function openRows({ callee, kind }: CallValue, paths: readonly string[], rows: SinkIndex): ReadonlyMap<SinkRow, string[]> {
  const found = new Map<SinkRow, string[]>()
  if (kind !== 'call' || (callee.kind !== 'member' && callee.kind !== 'reference') || callee.name === undefined) return found
  const own = rows.byName.get(callee.name)
  if (own === undefined || (paths.length > 0 && paths.every((path) => isOfOthers(path)))) return found
  for (const { path, row } of own) found.set(row, [...(found.get(row) ?? []), path])
  return found
}

/** As many as a function that runs or joins whatever it is given. */
const MANY_ARGUMENTS = 4

function addRows(
  call: CallValue,
  rows: Iterable<SinkRow>,
  isKnown: (row: SinkRow) => boolean | Required<SinkConditions>['whenCalled'],
  draft: FlowDraft,
  apis: readonly string[],
): void {
  for (const row of rows) {
    const receiver = receiverOf(call, row)
    const isCalled = isKnown(row)
    if ((receiver === undefined && isCalled === false) || !appliesTo(row, call, draft)) continue
    const raw = row.givesText === true ? row.args.flatMap((index) => addRendered(call, call.args[index], draft)) : []
    const known: Omit<FlowSink, 'node' | 'start' | 'end' | 'detail'> = {
      fault: row.fault,
      name: nameOf(call.callee),
      only: {
        ...(receiver !== undefined &&
          row.method !== undefined && { receiver: { node: draft.use(receiver), origin: row.method.origin } }),
        ...(typeof isCalled === 'object' && { whenCalled: isCalled }),
        ...(row.only?.isForeign === true && { unlessCalled: draft.use(call) }),
      },
      ...(row.needs !== undefined && { needs: row.needs }),
      ...(row.of !== undefined && { of: row.of }),
      ...(row.isDeep === true && raw.length === 0 && { isDeep: true }),
      ...(row.isForwarded === true && { isForwarded: true }),
      ...apiOf(row, call, apis),
      ...('object' in call.callee && frameOf(row, call.callee.name, call.callee.object)),
    }
    const spread = call.args.findIndex(({ kind }) => kind === 'spread')
    // `new Function(...names, body)`: what stands behind comes to a place that nobody knows
    const behind = spread >= 0 && row.args.length >= MANY_ARGUMENTS ? call.args.slice(spread + 1) : []
    for (const value of behind.flatMap((argument) => partsOf(argument, row)))
      addSink(value, row, { at: row.isWholeCall === true ? call : value, within: call.function }, known, draft)
    for (const index of row.args) {
      const argument = call.args[spread >= 0 && spread < index ? spread : index]
      if (argument?.kind === 'spread') {
        const given = spreadItem(argument, draft.use(argument), index - spread, draft.graph)
        if (partsOf(argument, row).length > 0)
          addSink(argument, row, { at: argument, within: call.function }, known, draft, given)
        continue
      }
      if (argument !== undefined && isNamedSecret(argument, row, call)) continue
      if (argument !== undefined) addMadeFields(argument, row, known.name, draft)
      const isChecked = argument !== undefined && row.fields !== undefined && addFieldsBehind(argument, row, known, draft)
      for (const value of argument === undefined ? [] : partsOf(argument, row)) {
        if (isChecked && value === argument) continue
        const site = { at: siteOf(value, argument, row, call, draft), within: call.function }
        for (const node of raw) addSink(value, row, site, known, draft, node)
        if (raw.length === 0) addSink(value, row, site, known, draft)
      }
    }
  }
}

/** The value itself, the whole call, or the template that writes it raw, where that is compiled in another function. */
function siteOf(value: Value, argument: Value | undefined, row: SinkRow, call: CallValue, draft: FlowDraft): Span {
  const compiled = row.only?.template === undefined ? undefined : templateOf(call, draft).compiled
  if (compiled !== undefined && compiled.function !== call.function) return compiled
  if (row.only?.behindOption !== undefined && argument !== undefined) return argument
  return row.isWholeCall === true ? call : writtenAt(value, argument)
}

const MAY_BE_OBJECT: ReadonlySet<string> = new Set('call new reference member choice await object'.split(' '))

/** `got(optionsFor(url))`: the fields of an object that was made elsewhere. Whether what the sink reads of it was checked before. */
function addFieldsBehind(
  argument: Value,
  { fields = [], as, calls, named, detail }: SinkRow,
  known: Pick<FlowSink, 'fault' | 'name' | 'needs'>,
  draft: FlowDraft,
): boolean {
  const made = resolveValue(argument)
  // of whatever has a method of that name nobody knows what it reads, unless it has a path as well
  if (named?.how === 'method' && calls === undefined) return false
  // written out, only what is spread into it may hold more
  const isFilledLater = made.kind === 'object' && argument.kind === 'reference' && argument.binding !== undefined
  const isOpen = made.kind === 'object' ? made.fields.some(({ value }) => value.kind === 'spread') : MAY_BE_OBJECT.has(made.kind)
  if (!isOpen && !isFilledLater) return false
  const { start, end } = argument
  const checked = new Set<string>()
  for (const field of fields) {
    // as it is written out, it counts by itself
    if ((isFilledLater && fieldOf(made, field) !== undefined) || field.includes('.')) continue
    const proofs = proofsOfField(argument, field, draft)
    if (!isFollowed(proofs) || harmlessBy(proofs).includes(known.fault)) checked.add(field)
    if (!isFollowed(proofs)) continue
    const node = draft.graph.derive(draft.use(argument), argument, FIELD, field)
    const told = as === 'path' ? 'later' : isAddress(as) ? 'begin' : detail
    draft.ends.sinks.push({
      node: cleaned(node, argument, harmlessBy(proofs), draft),
      start,
      end,
      ...(told !== undefined && { detail: told }),
      ...known,
    })
  }
  return [...checked].some((field) => {
    const other = OVERRULED.get(field)
    return other === undefined || !fields.includes(other) || checked.has(other)
  })
}

/**
 * What counts only where the other field is not there. Facts: axios 1, "Request Config" (`baseURL` is put in front of `url` unless that is absolute); Node.js, http.request
 * (`hostname` takes the place of `host`).
 */
const OVERRULED: ReadonlyMap<string, string> = new Map([
  ['baseURL', 'url'],
  ['baseUrl', 'url'],
  ['host', 'hostname'],
])

/** What conditions say of a field of the object: `if (!HOSTS.has(new URL(sub.endpoint).host)) return` before `sendNotification(sub)`. */
function proofsOfField(object: Value, name: string, { checks }: FlowDraft): readonly Proof[] {
  const { start, end } = object
  return checks.proofsOf({ kind: 'member', object, name, property: undefined, isOptional: false, start, end })
}

function cleaned(node: number, place: Value, rules: readonly string[], { graph }: FlowDraft): number {
  return rules.length === 0 ? node : graph.derive(node, place, CLEAN, rules.join(' '))
}

/** The value where it stands in the call; of an object that was made before the argument. */
export function writtenAt(value: Value, argument: Value | undefined): Span {
  return argument === undefined || isWithin(value, argument) ? value : argument
}

/** The last name of what is called; `()` where that is what another call gave. */
function nameCalled({ callee }: CallValue): string {
  const here = resolveValue(callee)
  if (here.kind === 'call') return '()'
  if (here.kind === 'import') return 'import'
  return lastNameOf(callee) ?? ''
}

export function rowsNamed(how: NamedSink['how'], name: string, paths: readonly string[], rows: SinkIndex): readonly SinkRow[] {
  return (rows.named.get(`${how} ${name}`) ?? []).filter(({ named }) => {
    const { on } = named ?? {}
    return on === undefined || paths.some((path) => on.test(path.replace(/ new$/, '')) || on.test(path))
  })
}

/** Adds what is assigned to a property that shows markup or leads to another page. */
export function addAssignedSinks(
  assignment: Pick<Assignment, 'target' | 'value' | 'function' | 'start' | 'end'>,
  draft: FlowDraft,
): void {
  const { target, value, function: within } = assignment
  const rows = ROWS[draft.realm]
  const { name } = target
  if (name === undefined || !rows.named.has(`set ${name}`)) return
  const paths = accessesOf(target).map(({ root, steps }) => [root, ...steps].join(' '))
  const written = [nameOf(target).replaceAll('…', '').replaceAll('.', ' '), `${tagOf(target.object, draft)} ${name}`]
  const found = rowsNamed('set', name, [...paths, ...written], rows)
  if (found.length > 0 && name === 'href' && isOnlyRead(target.object, draft)) return
  for (const row of found) {
    if (row.only?.unlessNamed === 'saved' && isSaved(target.object, draft)) continue
    if (row.only?.unlessNamed === 'stored' && isNamedCookie(value)) continue
    const known = { fault: row.fault, name: nameOf(target), ...needsOf(row), ...frameOf(row, name, target.object) }
    addSink(value, row, { at: row.isWholeCall === true ? assignment : value, within }, known, draft)
  }
}

/** A frame that only its id tells of. */
function frameOf({ named }: SinkRow, name: string | undefined, element: Value): Pick<FlowSink, 'api' | 'isGuess'> {
  const id = named?.on?.test(`iframe ${name}`) === true ? guessedFrame(element) : undefined
  return id === undefined ? {} : { isGuess: true, api: { subject: id } }
}

/** `iframe setAttribute` of what `document.createElement('iframe')` gave. */
function tagPaths({ callee }: CallValue, draft: FlowDraft): readonly string[] {
  const name = callee.kind === 'member' ? callee.name : undefined
  if (callee.kind !== 'member' || !/^(?:setAttribute|attr|prop)$/.test(name ?? '')) return []
  const tag = tagOf(callee.object, draft)
  return tag === '' ? [] : [`${tag} ${name}`]
}

/** Adds the attributes of elements in JSX that show markup. */
export function addElementSinks(draft: FlowDraft): void {
  const rows = ROWS[draft.realm]
  for (const { name: tag, attributes } of draft.facts.elements)
    for (const { name, value } of attributes) {
      // {...props}: the object may have them
      if (name === undefined && value !== undefined) draft.use(value)
      if (name === undefined || value === undefined) continue
      for (const row of rowsNamed('attribute', name, [`${tag} ${name}`], rows))
        for (const part of partsBehind(value, row, draft))
          addSink(
            part.value,
            row,
            { at: writtenAt(part.value, value), within: undefined },
            { fault: row.fault, name },
            draft,
            part.node,
          )
    }
}

/** The fields of an object that is written out, and those of one that is made elsewhere. */
function partsBehind(
  value: Value,
  row: SinkRow,
  { graph, use }: FlowDraft,
): readonly { readonly value: Value; readonly node: number | undefined }[] {
  const parts = partsOf(value, row)
  const made = resolveValue(value)
  if (parts.length > 0 || made.kind === 'object' || made.kind === 'literal')
    return parts.map((part) => ({ value: part, node: undefined }))
  return (row.fields ?? []).map((field) => {
    const node = graph.derive(use(value), value, READ, field)
    return { value, node }
  })
}

export function needsOf({ needs, isPassedOn, of, isDeep }: SinkRow): Pick<FlowSink, 'needs' | 'isPassedOn' | 'of' | 'isDeep'> {
  return {
    ...(needs !== undefined && { needs }),
    ...(isPassedOn === true && { isPassedOn }),
    ...(of !== undefined && { of }),
    ...(isDeep === true && { isDeep }),
  }
}

interface SinkSite {
  readonly at: Span
  readonly within: FunctionFact | undefined
}

/** Adds a value that arrives where a row of the table says. */
export function addSink(
  value: Value,
  row: SinkRow,
  { at, within }: SinkSite,
  known: Pick<FlowSink, 'fault' | 'name' | 'needs' | 'isPassedOn' | 'api' | 'isGuess'>,
  draft: FlowDraft,
  given?: number,
): void {
  if (value.kind === 'literal' || value.kind === 'function' || value.kind === 'regex') return
  const { start, end } = at
  if (row.only?.beginsWithTag === true && !mayBeginWithTag(value, draft)) return
  const add = (node: number, detail?: SinkDetail, api = known.api): void =>
    void draft.ends.sinks.push({
      node,
      start,
      end,
      ...known,
      ...(api !== undefined && { api }),
      ...(detail !== undefined && { detail }),
      // of an object that is written out as JSON, browsers read each text as markup, where a response is said to be that
      ...((draft.realm === 'browser' || detail === 'html' || detail === 'untyped') && isWrittenOut(value) && { isDeep: true }),
    })
  if (isAddress(row.as)) {
    const { detail, first, isBehindHost } = addressParts(value)
    // the same place twice: what the text begins with says more
    if (first !== undefined && row.as !== 'path') add(draft.use(first), 'begin')
    const told = row.as === 'path' && detail === 'begin' ? 'later' : detail
    const api = isBehindHost === true ? { ...known.api, effects: [...(known.api?.effects ?? []), 'behind' as const] } : known.api
    add(given ?? draft.use(value), isTrusted(row.fault, told, at, draft) ? 'trusted' : told, api)
  } else if (row.as === 'markup')
    add(given ?? draft.use(value), draft.checks.markupDetail(value, within && { start, around: within, by: known.name }))
  else if (value.kind === 'spread' && given === undefined) {
    // an item of a list of arguments: [...options, file]
    const item = draft.graph.derive(draft.use(value), value, READ, ANY_FIELD)
    add(item, row.detail)
  } else add(given ?? draft.use(value), row.detail)
}

/** A request with a token of the application, of whose address only what stands behind the host is chosen. */
function isTrusted(fault: string, detail: SinkDetail, at: Span, { facts, step }: FlowDraft): boolean {
  if (fault !== REQUEST_FAULT || (detail !== 'later' && detail !== 'fixed-host')) return false
  step(facts.calls.length)
  const call = facts.calls.find(({ args }) => args.some((span) => isWithin(at, span)))
  if (call === undefined || sendsFixedForm(call)) return false
  // the address sends nothing itself, whatever was asked for before to know it
  return call.args.some((argument) => (argument.start !== at.start || argument.end !== at.end) && carriesOwnCredential(argument))
}

/** `axios.post(address, { note }, …)`: what is written there has the form that the code gives it, which hardly any other resource takes. Fact: axios 1 (README, "Request method aliases"). */
function sendsFixedForm({ callee, args: [, body] }: CallValue): boolean {
  if (body === undefined || !/^(?:post|put|patch)$/.test(lastNameOf(callee) ?? '')) return false
  const made = resolveValue(body)
  return 'fields' in made && made.fields.every(({ key }) => key !== undefined)
}

function receiverOf({ callee }: CallValue, { method }: SinkRow): Value | undefined {
  if (method === undefined || callee.kind !== 'member' || !method.names.includes(callee.name ?? '')) return undefined
  return callee.object
}
