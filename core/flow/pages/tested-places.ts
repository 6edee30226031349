import { methodOf } from '../../conditions/asked.ts'
import { proves } from '../../conditions/constraint.ts'
import { constantOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import type { TestedPlaces } from '../check-types.ts'
import { provedAt } from '../checks/proofs.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { HTML_FAULTS } from '../tables/web.ts'
import { isPlainWhole } from '../values/captures.ts'
import { idAsked } from './shown.ts'

/** A method is called by few others. */
const MAX_CALLS = 8

/**
 * `if (!/^[A-Z]{2}\d{4}$/.test(data.plate)) return`, then `this.print()`, which reads `plate` again and writes markup: by method with such a sink what all calls of it have tested before. Only of
 * methods that the file names where it calls them, and nowhere else.
 */
export function testedPlaces(draft: FlowDraft): readonly TestedPlaces[] {
  const { ends, facts, owners, step } = draft
  if (facts.guards.length === 0) return []
  const markup = ends.sinks.filter(({ fault }) => HTML_FAULTS.includes(fault))
  if (markup.length === 0) return []
  step(facts.functions.length)
  return facts.functions.flatMap((fact): readonly TestedPlaces[] => {
    const owner = owners.holderOf(fact)
    const method = lastName(fact.name)
    if (owner === undefined || method === '') return []
    step(markup.length)
    if (!markup.some(({ start }) => isAround(fact, start))) return []
    const calls = callsOf(fact, owner, draft)
    if (calls.length === 0 || calls.length > MAX_CALLS || timesNamed(method, draft) !== calls.length + 1) return []
    const [first = [], ...others] = calls.map((call) => namesTested(call, draft))
    const names = first.filter((name) => others.every((other) => other.includes(name)))
    return names.length === 0 ? [] : [{ start: fact.start, end: fact.end, method, names }]
  })
}

function callsOf(fact: FunctionFact, owner: object, { facts, owners, step }: FlowDraft): readonly CallValue[] {
  step(facts.calls.length)
  const name = lastName(fact.name)
  return facts.calls.filter((call) => {
    const object = lastNameOf(call.callee) === name ? receiverOf(call) : undefined
    return object !== undefined && owners.ownerBehind(object) === owner
  })
}

/** How often a script names something, texts and comments included. */
function timesNamed(name: string, { text, step }: FlowDraft): number {
  step(1 + (text.length >> 10))
  let times = 0
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    if (!/[\w$]/.test(`${text[at - 1] ?? ''}${text[at + name.length] ?? ''}`)) times++
  return times
}

/** Names of what has only letters and digits where a call is reached. */
function namesTested(call: CallValue, { checks, facts, step }: FlowDraft): readonly string[] {
  const guards = checks.guardsAt(call.start)
  if (guards.length === 0) return []
  step(facts.calls.length)
  const tested = facts.calls.flatMap((test) => (guards.some((guard) => isAround(guard.test, test.start)) ? plainOf(test) : []))
  const isProved = (value: Value): boolean =>
    proves(provedAt({ ...value, start: call.start, end: call.start }, guards, checks.parts), 'form')
  return tested.flatMap((value) => (isProved(value) ? (nameKept(value) ?? []) : []))
}

/** What is given to the test of a pattern that lets letters and digits through alone. */
function plainOf(call: CallValue): readonly Value[] {
  const { name, object, args: [given] = [] } = methodOf(call) ?? {}
  const regex = name === 'test' && object !== undefined ? regexOf(object) : undefined
  return given !== undefined && regex !== undefined && isPlainWhole(regex.pattern) ? [given] : []
}

/** The property or control that a value is read from: `plate` of `data.plate`, `const { plate } = data` and `model.getProperty('/plate')`, `#plate` of `byId('plate').getValue()`. */
function nameKept(value: Value): string | undefined {
  const [definition, other] = bindingOf(value)?.definitions ?? []
  const field = other === undefined ? definition?.path.at(-1) : undefined
  if (typeof field === 'string') return field
  const here = resolveValue(value)
  if ('object' in here) return here.name
  const { name, object, args: [path] = [] } = methodOf(here) ?? {}
  if (object === undefined) return undefined
  if (name === 'trim') return nameKept(object)
  const id = name === 'getValue' ? idAsked(object) : undefined
  if (id !== undefined) return `#${id}`
  const written = name === 'getProperty' && path !== undefined ? constantOf(path) : undefined
  return typeof written === 'string' ? /\/(\w{1,100})$/.exec(written)?.[1] : undefined
}
