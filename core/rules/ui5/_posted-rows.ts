import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowHit } from '../../flow/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import type { Ui5App, Ui5Control } from '../../model/ui5/index.ts'
import type { FlowStep, Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { answeredRows, rowsAnswered } from './_answered-rows.ts'
import { appAround, doUsersFillSet, setAsked, setOfQuery } from './_row-writers.ts'
import { isAround } from '../../facts/span-index.ts'

interface NamedPlace {
  readonly name: string
  readonly at: number
  /** In the code of an event attribute: `onclick="open('${row.name}')"`. */
  readonly isOfHandler?: true
}

/** Rows that a script reads of an entity set: `model.read("/Orders", { success: … })`. */
interface RowRead extends Span {
  readonly set: string
  /** The whole address, where the page itself asks for it; undefined: a model of the app does. */
  readonly address?: string
  /** A function gets the address and may ask for it. */
  readonly isHanded?: boolean
  /** Functions elsewhere in the file that get the answer by their name: `{ success: fill }`. */
  readonly answered?: readonly Span[]
  /** Names after a dot in the script, and where: the fields of the rows are among them. */
  readonly names: readonly NamedPlace[]
}

/** A row that a script creates or changes: `model.create("/Orders", { Note: data.note })`. */
interface RowWrite {
  readonly set: string
  /** The fields that hold a text as it is: what is typed into a control, or a property by its name. */
  readonly texts: readonly { readonly field: string; readonly property?: string }[]
}

const WRITES: ReadonlySet<string | undefined> = new Set(['create', 'update'])
const SET = /^\/(\w{1,100})(?:$|[?(])/
const NAME = /\.([A-Za-z_]\w{1,59})\b/g
const MAX_NAMES = 5000
const MAX_VALUES = 500

/** What is typed into a control: `this.byId("note").getValue().trim()`, with what stands in for nothing. */
const TYPED = /\.getValue\(\)(?:\.(?:trim|toString|toUpperCase)\(\))?(?:\s{0,9}\|\|[^\n]{0,60})?$/
const MEMBER =
  /^[\w$]{1,60}(?:\.[\w$]{1,60}){0,4}\.([A-Za-z_]\w{0,59})(?:\.(?:trim|toString|toUpperCase)\(\))?(?:\s{0,9}\|\|[^\n]{0,60})?$/
const PROPERTY =
  /\.getProperty\(["'][^"'\n]{0,100}?(\w{1,60})["']\)(?:\.(?:trim|toString|toUpperCase)\(\))?(?:\s{0,9}\|\|[^\n]{0,60})?$/
const LONGEST = 300
/** Of the signed-in user alone. */
const OWN_ROWS = /Filter\(\s{0,9}["'](?:created_?by|user|owner|e_?mail|uname|pernr|employee)/i

export const rowReads: Extract<RowRead> = defineExtract({
  name: 'ui5-row-reads',
  keywords: ['.read('],
  prefilter: (text) => /\.read\(/.test(text),
  *collect({ facts, text }) {
    let names: readonly NamedPlace[] | undefined
    for (const { call, set } of requestsIn(facts, (name) => name === 'read')) {
      if (OWN_ROWS.test(text.slice(call.start, call.end))) continue
      names ??= namesIn(text)
      const answered = [...functionsNamed(call)]
      yield { set, start: call.start, end: call.end, names, ...(answered.length > 0 && { answered }) }
    }
  },
})

/** Functions that stand before or behind a call and are among its settings by their name. */
function* functionsNamed({ args, start, end }: CallValue): Generator<Span> {
  for (const given of args) {
    const settings = resolveValue(given)
    for (const { key, value } of 'fields' in settings ? settings.fields : []) {
      const named = key === 'error' ? undefined : resolveValue(value)
      if (named === undefined || !('function' in named) || isAround({ start, end }, named.start)) continue
      yield { start: named.function.start, end: named.function.end }
    }
  }
}

/** `Object.create(…)` stands in most libraries, and a path somewhere in each script that writes rows. */
const WRITES_ROW = /(?<!\bObject)\.(?:create|update)\(\s{0,40}[^)\s,][^(),]{0,300}[(,]/
const HOLDS_PATH = /["'`]\/\w{1,100}(?:["'`?(]|\$\{)/

function namesIn(text: string): readonly NamedPlace[] {
  return [...text.matchAll(NAME)].slice(0, MAX_NAMES).map(({ index, 1: name = '' }) => ({
    name,
    at: index,
    ...(IN_HANDLER.test(text.slice(Math.max(0, index - HANDLER_REACH), index)) && { isOfHandler: true as const }),
  }))
}

/** Where the marks of the attribute are those of the text, only the ones with a backslash end it. */
const IN_HANDLER = /\bon[a-z]{3,20}=(?:"[^"<>]{0,200}|'[^'<>]{0,200}|\\"(?:[^<>\\]|\\[^"]){0,200}|\\'(?:[^<>\\]|\\[^']){0,200})$/
const HANDLER_REACH = 230

/** The names in what becomes markup, also in another script; where it is a name itself, all of the script that asks for the rows by itself. */
function namesShown(
  { names, isHanded }: RowRead,
  { at: { file, span }, steps, marks }: FlowHit,
  scripts: Project['scripts'],
): readonly string[] {
  const named = steps[0]?.at.file === file ? names : scripts.of(file, markupNames).flat()
  const at = span === undefined ? [] : named.filter(({ at: place }) => place >= span.start && place < span.end)
  const inside = at.length > 0 || isHanded !== true ? at : namesJoined(named, steps, file)
  const shown = inside.length > 0 || isHanded === true ? inside : names
  // what stands beside the attribute may be encoded well enough
  const told = marks.has('handler') && inside.length > 0 ? shown.filter(({ isOfHandler }) => isOfHandler) : shown
  return [...new Set(told.map(({ name }) => name))]
}

/** In the texts that rows became a part of on the way, where the file makes them that shows them. */
function namesJoined(names: readonly NamedPlace[], steps: FlowHit['steps'], file: string): readonly NamedPlace[] {
  const spans = steps.flatMap(({ step, at }) => (step === 'join' && at.file === file && at.span !== undefined ? [at.span] : []))
  return spans.length === 0 ? [] : names.filter(({ at }) => spans.some(({ start, end }) => at >= start && at < end))
}

const ASKS: ReadonlySet<string | undefined> = new Set(['fetch', 'get', 'getJSON'])
const ASKS_SET = /["'`](?:[^"'`\n?]{0,200}\/\w|[A-Za-z]\w{0,99}\?)/

/** The same without a model, of the scripts whose data flow is read alone: `fetch("/odata/v4/shop/Orders?$top=50")`, and a function of the app that gets the address, `load("/odata/v4/shop/Orders")`, or what it puts behind that of the app’s service, `load("Orders?$top=50")`. */
export const addressReads: Extract<RowRead> = defineExtract({
  name: 'ui5-address-reads',
  keywords: [],
  withFlow: true,
  inPages: true,
  prefilter: (text) => ASKS_SET.test(text),
  *collect({ facts, text }) {
    let names: readonly NamedPlace[] | undefined
    for (const { callee, args, start, end } of facts.calls) {
      const [path] = args
      if (path === undefined) continue
      const { text: address, isWhole } = leadingTextOf(path)
      const isHanded = !ASKS.has(lastNameOf(callee))
      const bare = isHanded ? setOfQuery(address) : undefined
      const set = bare ?? setAsked(address, isWhole)
      if (set === undefined || (isHanded && bare === undefined && !address.startsWith('/'))) continue
      names ??= namesIn(text)
      yield { set, ...(bare === undefined && { address }), start, end, names, ...(isHanded && { isHanded }) }
    }
  },
})

export const rowWrites: Extract<RowWrite> = defineExtract({
  name: 'ui5-row-writes',
  keywords: ['.create(', '.update('],
  prefilter: (text) => WRITES_ROW.test(text) && HOLDS_PATH.test(text),
  *collect({ facts, text }) {
    for (const { call, set } of requestsIn(facts, (name) => WRITES.has(name))) {
      const [, row] = call.args
      const texts = row === undefined ? [] : [...textsIn(row, text)]
      if (texts.length > 0) yield { set, texts }
    }
  },
})

/** Names after a dot in a script that asks for whole rows of a list in its view: `list.getBinding("items").getContexts()[0].getObject()`. */
const rowObjects: Extract<readonly NamedPlace[]> = defineExtract({
  name: 'ui5-row-objects',
  keywords: ['.getObject('],
  withFlow: true,
  // with the flow it is asked of scripts without the keyword as well
  collectText: (text) => (text.includes('.getObject(') ? [namesIn(text)] : []),
})

const WRITES_MARKUP = /\b(?:innerHTML|outerHTML|insertAdjacentHTML)\b|\.(?:html|append)\(/

/** Names after a dot in a script that writes markup, which may show rows that another one has asked for. */
const markupNames: Extract<readonly NamedPlace[]> = defineExtract({
  name: 'ui5-markup-names',
  keywords: [],
  withFlow: true,
  inPages: true,
  collectText: (text) => (WRITES_MARKUP.test(text) ? [namesIn(text)] : []),
})

export const ROW_EXTRACTS: readonly Extract[] = [rowReads, addressReads, rowWrites, rowObjects, markupNames, answeredRows]

function* requestsIn(
  { calls }: ScriptFacts,
  isWanted: (name: string | undefined) => boolean,
): Generator<{ readonly call: CallValue; readonly set: string }> {
  for (const call of calls) {
    const [path] = call.args
    if (path === undefined || !('object' in call.callee) || !isWanted(lastNameOf(call.callee))) continue
    const [, set] = SET.exec(leadingTextOf(path).text) ?? []
    if (set !== undefined) yield { call, set }
  }
}

/** Fields of a row and of the rows in it: `{ Note: data.note, Items: data.items.map((item) => ({ Text: item.text })) }`. */
function* textsIn(row: Value, text: string): Generator<RowWrite['texts'][number]> {
  const open = new Set([resolveValue(row)])
  // what is added on the way is visited too
  for (const here of open) {
    if (open.size > MAX_VALUES) return
    if ('fields' in here)
      for (const { key, value } of here.fields) {
        const whole = resolveValue(value)
        const written = text.slice(whole.start, Math.min(whole.end, whole.start + LONGEST))
        if (key === undefined) continue
        if (TYPED.test(written)) yield { field: key }
        else {
          const [, property] = MEMBER.exec(written) ?? PROPERTY.exec(written) ?? []
          if (property === undefined) open.add(whole)
          else yield { field: key, property }
        }
      }
    else if ('args' in here) for (const one of here.args) open.add(resolveValue(one))
    else if ('function' in here) for (const one of here.function.returns) open.add(resolveValue(one))
  }
}

/** Rows that set an application up: that all of its users write them, the project would have to show. */
const OF_ADMINISTRATORS = /Config(?:uration)?s?(?![a-z])|Customi[sz]ing|^Admins?(?![a-z])/
/** Configurations that users make for themselves: of their own work, or of what they order. */
const OF_USERS = /^(?:User|My|Own|Personal|Profile|Order|Quot|Product|Item|Car|Vehicle|Cart)[A-Za-z]{0,40}Config/

/**
 * Whether the app itself lets its users write the text that a page shows: a script creates rows of the entity set that another one reads, with a field that is typed in, and that
 * the script which reads them names.
 */
export function doUsersPost(hit: FlowHit, { ui5Apps, scripts }: Pick<Project, 'ui5Apps' | 'scripts'>): boolean {
  const { at } = hit
  const read = readBehind(hit, scripts) ?? boundRows(hit, scripts)
  if (read === undefined || (OF_ADMINISTRATORS.test(read.set) && !OF_USERS.test(read.set))) return false
  const app = appAround(at.file, ui5Apps)
  if (app === undefined) return false
  const shown = new Set(read.names.map(({ name }) => name))
  let typed: ReadonlySet<string> | undefined
  return app.scripts
    .get(rowWrites)
    .some(
      ({ value: { set, texts } }) =>
        set === read.set &&
        texts.some(
          ({ field, property }) => shown.has(field) && (property === undefined || (typed ??= typedProperties(app)).has(property)),
        ),
    )
}

/** Whether the answer of a read is what a page shows, and a CAP service of the project lets all users write those rows. */
export function doUsersFillRead(hit: FlowHit, project: Pick<Project, 'ui5Apps' | 'capRoots' | 'scripts' | 'reach'>): boolean {
  const found = readBehind(hit, project.scripts)
  if (found === undefined) return false
  const written = found.isHanded === true && found.address === undefined ? addressWritten(hit.part) : undefined
  const read = written === undefined ? found : { ...found, address: written }
  const { file } = hit.at
  const names = namesShown(read, hit, project.scripts)
  if (doUsersFillSet(file, { ...read, names }, project)) return true
  // an operation, whose handler passes rows on
  return rowsAnswered(read.set, names, project).some((rows) => doUsersFillSet(file, { ...read, ...rows }, project))
}

/** What a request says of its address beside what its function gets: `/odata/v4/shop/` of `fetch('/odata/v4/shop/' + path)`. */
function addressWritten(request: string): string | undefined {
  const texts = [...request.matchAll(QUOTED)].map(([, text = '']) => text.replace(PLACEHOLDER, ''))
  const address = texts.join('')
  return /\w\/|\/\w/.test(address) ? address : undefined
}

const QUOTED = /["'`]([^"'`]{1,300})(?:["'`]|$)/g
const PLACEHOLDER = /\$\{[^{}]{0,100}\}/g

/** The read in whose answer a value came. */
function readBehind({ origin, steps }: FlowHit, scripts: Project['scripts']): RowRead | undefined {
  const [source] = steps
  // what a browser keeps its own user has filled
  if (origin !== 'backend' || source === undefined || steps.some(isOfStorage)) return undefined
  const { file, span } = source.at
  if (span === undefined) return undefined
  const reads = [...scripts.of(file, addressReads), ...scripts.of(file, rowReads)]
  const read = reads.findLast((one) => one.isHanded !== true && isAround(one, span.start))
  return read ?? reads.find(({ answered }) => answered?.some((one) => isAround(one, span.start))) ?? handedRead(steps, scripts)
}

/** `{/Orders}`, to which a view binds a list. */
const BOUND_SET = /^\{\/(\w{1,100})\}$/

/** The rows of a list, of which a script makes markup. */
function boundRows({ origin, part, at }: FlowHit, scripts: Project['scripts']): Pick<RowRead, 'set' | 'names'> | undefined {
  const [, set] = origin === 'backend' ? (BOUND_SET.exec(part) ?? []) : []
  const names = set === undefined ? [] : scripts.of(at.file, rowObjects).flat()
  // what becomes markup says which elements those are; a name elsewhere is one of something else
  const inside = names.filter((one) => at.span !== undefined && one.at >= at.span.start && one.at < at.span.end)
  return set === undefined || names.length === 0 ? undefined : { set, names: inside.length > 0 ? inside : names }
}

/** `load("/odata/v4/shop/Orders")`, where a function that got the address gives what it asked for. */
function handedRead(steps: FlowHit['steps'], scripts: Project['scripts']): RowRead | undefined {
  for (const { step, at } of steps.slice(1, MAX_STEPS)) {
    if (step !== 'return' || at.span === undefined) continue
    const { start } = at.span
    const read = scripts.of(at.file, addressReads).findLast((one) => one.isHanded === true && isAround(one, start))
    if (read !== undefined) return read
  }
  return undefined
}

const MAX_STEPS = 5

function isOfStorage({ step, args }: FlowStep): boolean {
  return step === 'store' && args?.['name']?.startsWith('storage') === true
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(['sap.m.Input', 'sap.m.TextArea', 'sap.m.SearchField', 'sap.m.ComboBox'])
const NO_TEXT = /^(?:Number|Date|Tel|Time|Datetime)/i

/** The last names of the paths that fields for any text are bound to. */
function typedProperties({ views }: Ui5App): ReadonlySet<string> {
  return new Set(views.flatMap(({ test, controls }) => (test ? [] : controls.filter(takesText).flatMap(boundNames))))
}

function takesText({ type, properties }: Ui5Control): boolean {
  return (
    TEXT_FIELDS.has(type) &&
    properties.get('editable')?.value !== 'false' &&
    properties.get('enabled')?.value !== 'false' &&
    !NO_TEXT.test(properties.get('type')?.value ?? '')
  )
}

function boundNames({ properties }: Ui5Control): readonly string[] {
  const binding = properties.get('value')?.binding
  if (binding === undefined || !('parts' in binding)) return []
  return binding.parts.flatMap((part) => ('path' in part ? (part.path.split('/').at(-1) ?? []) : []))
}
