import { accessesOf, type CallValue, type Value } from '../../facts/index.ts'
import { PASSING } from '../tables/propagators.ts'
import { WEB_PASSING } from '../tables/web.ts'
import { CLEAN, COPY, DECODE } from '../types.ts'
import { cleanedInBrowser } from '../pages/browser.ts'
import { writtenPath } from './callees.ts'
import { ordersOf } from '../values/compositions.ts'
import { decodedBy } from '../checks/decoding.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'

/** The function that `pipe(trim, encodeXML, bold)` gives in a page, as `addComposition` does it for servers: each function gets what the one before gives. */
export function addBrowserComposition(call: CallValue, result: number, draft: FlowDraft): void {
  const { graph, madeFunctions, facts, objects } = draft
  const { start, end } = call
  const parameter = graph.add({ start, end })
  const given = graph.add({ start, end })
  for (const order of ordersOf(call)) {
    let from = parameter
    for (const step of order) from = run(step, from, call, draft)
    graph.connect(from, given, COPY)
  }
  const index = facts.functions.length + madeFunctions.length
  madeFunctions.push({ name: '', parameters: [parameter], result: given, start, end })
  objects.all.push({ node: result, methods: [['', index]] })
}

/** What a function gives: one of the language or of UI5 by the tables, another one by its body. */
function run(step: Value, from: number, call: CallValue, draft: FlowDraft): number {
  const { graph, owners } = draft
  const isNamed = step.kind === 'reference' || step.kind === 'member'
  if (!isNamed || owners.functionsBehind(step).length > 0) return invoke(step, [from], draft)
  const paths = accessesOf(step).map(writtenPath)
  const cleaned = cleanedInBrowser({ ...call, callee: step, args: [] }, paths)
  const decoded = decodedBy(paths)
  const isPassing = paths.some((path) => PASSING.has(path) || WEB_PASSING.some((pattern) => pattern.test(path)))
  if (cleaned === undefined && decoded === undefined && !isPassing) return invoke(step, [from], draft)
  const to = graph.add(step)
  if (cleaned !== undefined) graph.connect(from, to, CLEAN, cleaned.join(' '))
  else if (decoded !== undefined) graph.connect(from, to, DECODE, decoded.join(' '))
  else graph.connect(from, to, COPY)
  return to
}
