import {
  type Definition,
  type ScriptFacts,
  type Value,
  constantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
} from '../../facts/index.ts'
import { ENTRY_NAMES, ENTRY_NAMES_OF, UNPACKERS, LOADING_WORKBOOK, WORKBOOKS } from '../tables/archives.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { WRITE, COPY } from '../types.ts'
import { PARSING_UPLOADS } from '../tables/calling.ts'
import { writeInto } from '../values/writes.ts'

/** What scripts call an entry of an archive. */
const OF_ENTRY = /^(?:e|f|it|entry|file|header|item|member|record|\w{1,30}(?:Entry|File))$/i

/** `entry.entryName` in a script that unpacks archives: whoever made the archive chose it. */
export function isEntryName({ name, object }: Value & { readonly kind: 'member' }, { facts }: FlowDraft): boolean {
  if (name === undefined || object.kind !== 'reference' || !facts.imports.some(({ source }) => UNPACKERS.has(source)))
    return false
  return isNamed(name, facts) || (name === 'path' || name === 'name' ? OF_ENTRY.test(object.name) : false)
}

/** `({ entryName }) => …`, `const { path: name } = entry`, `zip.forEach((relativePath) => …)`. */
export function isEntryPattern({ path, value, parameter }: Definition, { facts }: FlowDraft): boolean {
  const name = path.at(-1)
  if (name === undefined || !facts.imports.some(({ source }) => UNPACKERS.has(source))) return false
  if (isNamed(name, facts)) return true
  if ((name !== 'path' && name !== 'name') || path.length > 2) return false
  return parameter === undefined ? value?.kind === 'reference' && OF_ENTRY.test(value.name) : path.length === 1
}

function isNamed(name: string, { imports }: ScriptFacts): boolean {
  const only = ENTRY_NAMES_OF.get(name)
  return ENTRY_NAMES.has(name) || (only !== undefined && imports.some(({ source }) => source === only))
}

/**
 * `busboy({ preservePath: true }).on('file', (name, stream, { filename }) => …)`: the client chose the whole path. Fact: busboy 1 (README): otherwise folders are cut off
 * before the listener gets the name.
 */
export function addUploadNames({ callee, args: [event, listener] }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member' || callee.name !== 'on' || event === undefined || constantOf(event) !== 'file') return
  const fact = functionOf(listener)
  const made = resolveValue(callee.object)
  if (fact === undefined || (made.kind !== 'call' && made.kind !== 'new')) return
  if (pathOf(made.callee)?.[0] !== PARSING_UPLOADS) return
  const [settings] = made.args
  const whole = fieldOf(settings && resolveValue(settings), 'preservePath')?.value
  const info = draft.parameters.nodeOf(fact, 2)
  if (whole === undefined || constantOf(whole) !== true || info === undefined) return
  const name = draft.graph.add(fact)
  draft.ends.sources.push({ node: name, origin: 'request', weak: false })
  draft.show(name, 'filename')
  draft.graph.connect(name, info, WRITE, 'filename')
}

/** What sheets, rows and cells are asked for. Fact: documentation of exceljs 4, "Interface". */
const PARTS: ReadonlySet<string> = new Set(['getWorksheet', 'getRow', 'getCell', 'getColumn', 'getRows'])
const EACH: ReadonlySet<string> = new Set(['eachSheet', 'eachRow', 'eachCell'])

/** `workbook.xlsx.load(upload)`, `sheet.eachRow((row) => row.getCell(1).text)`: whoever sends the file chose what its cells hold. */
export function addSpreadsheet(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return
  const { graph, use, facts } = draft
  const [content] = args
  if (content !== undefined && callee.object.kind === 'member' && paths.some((path) => LOADING_WORKBOOK.test(path)))
    return writeInto(callee.object.object, use(content), draft)
  const isPart = PARTS.has(callee.name)
  if ((!isPart && !EACH.has(callee.name)) || !facts.imports.some(({ source }) => source === WORKBOOKS)) return
  if (isPart) return graph.connect(use(callee.object), result, COPY)
  const each = functionOf(args.at(-1))
  const item = each && draft.parameters.nodeOf(each, 0)
  if (item !== undefined) graph.connect(use(callee.object), item, COPY)
}
