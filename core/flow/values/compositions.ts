import { accessesOf, isOfPackage, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { COMPOSING, COMPOSING_IN_PAGES, PASSING } from '../tables/propagators.ts'
import { COPY, CLEAN, DECODE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { WEB_PASSING } from '../tables/web.ts'
import { cleanedInBrowser } from '../pages/browser.ts'
import { writtenPath } from '../calls/callees.ts'
import { decodedBy } from '../checks/decoding.ts'
import { addMade, invoke } from './objects.ts'

/** What may be a function, where it stands. */
const FUNCTIONS: ReadonlySet<Value['kind']> = new Set<Value['kind']>(['function', 'reference', 'member', 'call'])

/**
 * Adds the function that `pipe(read, check, run)` gives: it calls each function with what the one before gives. The project's own `pipe` is not looked at, since all
 * that it is ever given would mix there. False: it is no such call.
 */
export function addComposition(call: CallValue, result: number, draft: FlowDraft): boolean {
  const { graph, environment } = draft
  if (!isComposition(call, environment.calls.composing)) return false
  const parameter = graph.add(call)
  const given = graph.add(call)
  for (const order of ordersOf(call)) {
    let from = parameter
    for (const step of order) from = environment.calls.addStep(step, from, call, draft)
    graph.connect(from, given, COPY)
  }
  addMade(result, call, { name: lastNameOf(call.callee) ?? '', parameters: [parameter], result: given }, draft)
  return true
}

/** In which order the functions run. */
function ordersOf({ callee, args }: CallValue): readonly (readonly Value[])[] {
  const name = lastNameOf(callee) ?? ''
  if (COMPOSING.get(name) === 'left' || COMPOSING_IN_PAGES.has(name)) return [args]
  // what the project calls so may begin at either end
  return isOfPackage(callee) ? [args.toReversed()] : [args, args.toReversed()]
}

/** `further`: names that mean it in this environment as well. */
export function isComposition({ callee, args, kind }: CallValue, further?: ReadonlySet<string>): boolean {
  const name = lastNameOf(callee) ?? ''
  if (kind !== 'call' || args.length < 2) return false
  if (!COMPOSING.has(name) && further?.has(name) !== true) return false
  if (args.some((argument) => !FUNCTIONS.has(argument.kind))) return false
  // content.pipe(parser, options) is a stream
  return callee.kind === 'reference' || accessesOf(callee).some(({ root }) => root.startsWith('module:'))
}

/** What a function gives in a page: one of the language or of UI5 by the tables, another one by its body. */
export function addStepInPage(step: Value, from: number, call: CallValue, draft: FlowDraft): number {
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
