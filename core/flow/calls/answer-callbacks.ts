import { withoutBind } from '../../facts/callbacks.ts'
import { accessesOf, fieldOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CALLBACK_CALLS, CALLBACK_FIELDS } from '../tables/web.ts'
import { ANSWERED, FAILING_CALLBACKS, OF_CHANGE, OF_ROW } from '../tables/own-changes.ts'
import { WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/members.ts'
import { isLocalResource } from '../sinks/addresses.ts'
import { invoke } from '../values/objects.ts'
import { markOfAnswer } from '../sources/own-changes.ts'
import { addParameter } from '../sources/requests.ts'

/** What settings, and the functions behind the address, are called with. */
export function addAnswerCallbacks(call: CallValue, draft: FlowDraft): void {
  const { callee, args } = call
  if (!CALLBACK_CALLS.has(lastNameOf(callee) ?? '') && !asksByChosenName(call, draft)) return
  for (const argument of args) {
    const settings = resolveValue(argument)
    const url = fieldOf(settings, 'url')?.value
    if (url !== undefined && isLocalResource(url)) continue
    const callbacks =
      settings.kind === 'object'
        ? settings.fields.flatMap(({ key, value }) => (CALLBACK_FIELDS.has(key ?? '') ? [{ key, value }] : []))
        : args.indexOf(argument) > 0 && settings.kind !== 'literal' && settings.kind !== 'array'
          ? [{ key: '', value: argument }]
          : []
    for (const { key = '', value } of callbacks) addCallback(value, key, call, draft)
  }
}

/** `model[method](path, { success, error })`: models and jQuery take such settings in each of their methods. Objects of the app call back with what they like. */
function asksByChosenName({ callee, args }: CallValue, draft: FlowDraft): boolean {
  if (callee.kind !== 'member' || callee.name !== undefined || callee.object.kind === 'this') return false
  if (!args.some((argument) => fieldOf(resolveValue(argument), 'success') !== undefined)) return false
  return !behindFields(callee.object, draft).some(isOfTheApp)
}

const QUERY = /jquery/i

/** An object, a class, or what another module gives. */
function isOfTheApp(value: Value): boolean {
  const { kind } = resolveValue(value)
  if (kind === 'object' || kind === 'array' || kind === 'class') return true
  return accessesOf(value).some(({ root, steps }) => root.startsWith('module:') && steps.length === 0 && !QUERY.test(root))
}

/** A function that gets what a backend sends: of this file, or whatever arrives there. */
function addCallback(value: Value, key: string, of: CallValue, draft: FlowDraft): void {
  const facts = draft.owners.functionsBehind(value)
  const mark = markOfAnswer(of, draft)
  const isRefusal = (mark === OF_CHANGE || mark === OF_ROW) && FAILING_CALLBACKS.has(key)
  const cleaned = mark && [isRefusal ? ANSWERED : mark]
  addRequestAddress(of, facts, draft)
  for (const fact of facts) addParameter(fact, 0, 'backend', draft, cleaned)
  const hook = ownMethod(value, draft)
  if ((facts.length > 0 && hook === undefined) || value.kind === 'literal') return
  const answer = draft.graph.add(value)
  draft.ends.sources.push({ node: answer, origin: 'backend', weak: false, ...(cleaned !== undefined && { cleaned }) })
  draft.show(answer, hook === undefined ? value : of)
  if (facts.length === 0) invoke(value, [answer], draft)
  if (hook === undefined) return
  // classes that extend this one may have another method of that name
  const call = draft.calling.calls.push({ result: draft.graph.add(value), args: [answer], targets: [] }) - 1
  draft.calling.ownCalls.push({ call, ...hook })
}

/** `(data, response) => response.requestUri`: the path that was asked for, as it was put together. Fact: API of sap.ui.model.odata.v2.ODataModel, `read`. */
function addRequestAddress({ callee, args: [path] }: CallValue, facts: readonly FunctionFact[], draft: FlowDraft): void {
  if (path === undefined || lastNameOf(callee) !== 'read') return
  for (const fact of facts) {
    const response = fact.parameters.length > 1 ? draft.parameters.nodeOf(fact, 1) : undefined
    if (response !== undefined) draft.graph.connect(draft.use(path), response, WRITE, 'requestUri')
  }
}

/** `render` of `this.render`, `this.render.bind(this)`. */
function ownMethod(value: Value, { owners }: FlowDraft): { readonly owner: object; readonly method: string } | undefined {
  const method = withoutBind(resolveValue(value))
  const owner = method.kind === 'member' ? owners.ownerBehind(method.object) : undefined
  return owner === undefined || method.kind !== 'member' || method.name === undefined ? undefined : { owner, method: method.name }
}
