import type { CallValue } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { writeInto } from '../values/writes.ts'
import { LOADING_WORKBOOK, WORKBOOKS } from '../tables/archives.ts'

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
