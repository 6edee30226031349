import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, stringConstantOf, pathOf, resolveValue } from '../../facts/index.ts'
import type { Assignment, CallValue, ReferenceValue, ScriptFacts, Value } from '../../facts/types.ts'
import { groupBy } from '../../lists.ts'
import type { Span } from '../../types.ts'
import { makesHtmlControls } from './concerns.ts'
import { fieldOf, idOf, settingsOf } from './constructions.ts'

const TYPE = 'sap.ui.core.HTML'
/** Names and fields followed to a control; real code needs three. */
const MAX_HOPS = 20
const MAX_WAYS = 8

/** A control as a script knows it: the offset of its construction, or the id of a view's. */
export type ControlName = number | string

/** What a script makes of HTML controls; which of them those of views are, the views tell. */
export interface HtmlUses {
  readonly constructions: readonly {
    readonly start: number
    readonly id: string | undefined
    readonly sanitizes: boolean
  }[]
  /** `setSanitizeContent`, in the order of the text. Of several controls the first that is one counts. */
  readonly states: readonly { readonly controls: readonly ControlName[]; readonly sanitizes: boolean }[]
  /** Without controls: whatever `setContent` is called on. */
  readonly contents: readonly {
    readonly at: Span
    readonly controls: readonly ControlName[]
  }[]
}

/** The HTML controls that a script makes, fills or sanitizes. One item, or none. */
export const htmlUses: Extract<HtmlUses> = defineExtract({
  name: 'ui5-html-uses',
  keywords: ['sap/ui/core/HTML', 'sap.ui.core.HTML', 'sanitizeContent'],
  prefilter: makesHtmlControls,
  withFlow: true,
  inPages: true,
  collect({ facts }) {
    const uses = usesIn(facts)
    return uses.contents.length + uses.states.length + uses.constructions.length > 0 ? [uses] : []
  },
})

/** `settings`: bindings are read from it as in a view · `path`: it is a binding's path or info · `text`: what it says is shown. */
export interface GivenContent {
  readonly value: Value
  /** A function that stands behind a path. */
  readonly formatter?: Value | undefined
  readonly as: 'settings' | 'path' | 'text'
}

function usesIn(facts: ScriptFacts): HtmlUses {
  const controlsOf = createControlFinder(facts)
  return {
    constructions: facts.calls.filter(isConstruction).map((call) => {
      const declared = fieldOf(settingsOf(call), 'sanitizeContent')
      return { start: call.start, id: idOf(call), sanitizes: declared !== undefined && constantOf(declared) === true }
    }),
    states: facts.calls.flatMap((call) => {
      const sanitizes = sanitizingOf(call)
      return sanitizes === undefined ? [] : [{ controls: controlsOf(receiverOf(call)), sanitizes }]
    }),
    contents: facts.calls.flatMap((call) => {
      const given = htmlContentOf(call)
      const controls = given === undefined ? [] : call.kind === 'new' ? [call.start] : controlsOf(receiverOf(call))
      if (given === undefined || (controls.length === 0 && !mayBeControl(call))) return []
      const { start, end } = given.value
      return [{ at: { start, end }, controls }]
    }),
  }
}

/** Finds the HTML controls that a value may be: through names, fields of `this`, ids and chains of setters. */
function createControlFinder(facts: ScriptFacts): (value: Value | undefined) => ControlName[] {
  const constructed = new Map<string, CallValue>()
  // what a control of the app's own keeps in an aggregation
  const aggregated = new Map<string, Value>()
  for (const call of facts.calls) {
    const [, kept] = call.args
    const aggregation = aggregationOf(call, 'setAggregation')
    if (aggregation !== undefined && kept !== undefined) aggregated.set(aggregation, kept)
    const id = isConstruction(call) ? idOf(call) : undefined
    if (id !== undefined) constructed.set(id, call)
  }
  // fields are asked for where a receiver is one, and only there
  let fields: ReadonlyMap<string | undefined, readonly Assignment[]> | undefined
  const fieldValues = (member: Value): readonly Value[] => {
    const path = pathOf(member)?.join(' ')
    if (path === undefined) return []
    fields ??= groupBy(facts.assignments, ({ target }) => pathOf(target)?.join(' '))
    return (fields.get(path) ?? []).slice(0, MAX_WAYS).map(({ value }) => value)
  }
  const find = function* (value: Value | undefined, hops: { left: number }): Generator<ControlName> {
    if (value === undefined || hops.left-- <= 0) return
    const id = askedId(value)
    if (id !== undefined) {
      const own = constructed.get(id)
      yield own === undefined ? id : own.start
      return
    }
    const kept = aggregationOf(value, 'getAggregation')
    if (value.kind === 'new') {
      if (isConstruction(value)) yield value.start
    } else if (value.kind === 'await') yield* find(value.value, hops)
    else if (value.kind === 'choice') for (const way of value.options.slice(0, MAX_WAYS)) yield* find(way, hops)
    else if (kept !== undefined) yield* find(aggregated.get(kept), hops)
    else if (value.kind === 'call') {
      if (CHAINED.test(calledName(value) ?? '')) yield* find(receiverOf(value), hops)
    } else if (value.kind === 'reference') for (const way of definedValues(value)) yield* find(way, hops)
    else if (value.kind === 'member') for (const way of fieldValues(value)) yield* find(way, hops)
  }
  return (value) => [...find(value, { left: MAX_HOPS })]
}

function definedValues({ binding }: ReferenceValue): readonly (Value | undefined)[] {
  return (binding?.definitions ?? []).slice(0, MAX_WAYS).map(({ path, value }) => (path.length === 0 ? value : undefined))
}

/** Setters and the like give the control itself. */
const CHAINED = /^(?:set|add|attach|bind|place|apply)[A-Z]|^placeAt$/u

/** `_text` of `this.setAggregation("_text", …)`. */
function aggregationOf(value: Value, method: 'getAggregation' | 'setAggregation'): string | undefined {
  if (value.kind !== 'call' || calledName(value) !== method || receiverOf(value)?.kind !== 'this') return undefined
  return stringConstantOf(value.args[0])
}

/** The id that `byId("…")` asks for; for `Fragment.byId(fragment, "…")` the second one. */
function askedId(value: Value): string | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.name !== 'byId') return undefined
  const last = value.args.at(-1)
  return stringConstantOf(last)
}

/** `setContent` of what a function is given or gives, of a field, of a control by a computed id: any control may be behind it. */
function mayBeControl(call: CallValue): boolean {
  const receiver = receiverOf(call)
  if (receiver === undefined || calledName(call) !== 'setContent') return false
  const here = resolveValue(receiver)
  const made = here.kind === 'await' ? resolveValue(here.value) : here
  if (made.kind === 'member' || made.kind === 'reference') return true
  if (made.kind !== 'call') return false
  const name = calledName(made) ?? ''
  return name === 'byId' || (receiverOf(made)?.kind === 'this' && !/^get(?:Model|View|OwnerComponent|Router)$/.test(name))
}

function isConstruction(call: CallValue): boolean {
  if (call.kind !== 'new') return false
  const path = pathOf(call.callee)?.join('.')
  return path === 'module:sap/ui/core/HTML' || path === `global:${TYPE}`
}

function receiverOf(call: CallValue): Value | undefined {
  return call.callee.kind === 'member' ? call.callee.object : undefined
}

function calledName(call: CallValue): string | undefined {
  return call.kind === 'call' && call.callee.kind === 'member' ? call.callee.name : undefined
}

/** `setSanitizeContent(true)`, `setProperty("sanitizeContent", true)`; what is not surely true counts as false. */
function sanitizingOf(call: CallValue): boolean | undefined {
  const [first, second] = call.args
  const name = calledName(call)
  if (name === 'setSanitizeContent') return first !== undefined && constantOf(first) === true
  if (name !== 'setProperty' || first === undefined || second === undefined) return undefined
  return constantOf(first) === 'sanitizeContent' ? constantOf(second) === true : undefined
}

/** What a call gives as the content of a control; whether that is an HTML control, its receiver tells. */
export function htmlContentOf(call: CallValue): GivenContent | undefined {
  return constructedContent(call) ?? givenContent(call)
}

function constructedContent(call: CallValue): GivenContent | undefined {
  const value = isConstruction(call) ? fieldOf(settingsOf(call), 'content') : undefined
  return value && { value, as: 'settings' }
}

function givenContent(call: CallValue): GivenContent | undefined {
  const [first, second, third] = call.args
  const name = calledName(call)
  if (name === 'setContent') return first && { value: first, as: 'text' }
  if (name === 'applySettings') {
    const settings = first && resolveValue(first)
    const content = settings?.kind === 'object' ? fieldOf(settings, 'content') : undefined
    return content && { value: content, as: 'settings' }
  }
  if (name === 'bindContent') return first && { value: first, as: 'path', formatter: second }
  if ((name !== 'setProperty' && name !== 'bindProperty') || first === undefined || second === undefined) return undefined
  if (constantOf(first) !== 'content') return undefined
  return name === 'setProperty' ? { value: second, as: 'text' } : { value: second, as: 'path', formatter: third }
}
