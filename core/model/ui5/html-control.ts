import { constantOf, pathOf } from '../../facts/index.ts'
import type { Assignment, CallValue, ReferenceValue, ScriptFacts, Value } from '../../facts/types.ts'
import type { Span } from '../../types.ts'
import { fillsHtmlControls } from './concerns.ts'
import { fieldOf, idOf, settingsOf } from './constructions.ts'
import { groupBy } from '../../lists.ts'
import { isKeptBy } from '../kept-scripts.ts'
import type { Ui5App, Ui5Control, Ui5Script, Ui5View } from './types.ts'

const TYPE = 'sap.ui.core.HTML'
/** Names and fields followed to a control; real code needs three. */
const MAX_HOPS = 20
const MAX_WAYS = 8

/** Something that a script gives an HTML control as content. */
export interface HtmlContent {
  readonly at: Span
  readonly value: Value
  /** `settings`: bindings are read from it as in a view · `path`: it is a binding's path or info · `text`: what it says is shown. */
  readonly as: 'settings' | 'path' | 'text'
}

/** The content of an HTML control in a view. */
export interface ViewHtml {
  readonly control: Ui5Control
  readonly view: Ui5View
}

/** The HTML controls of one app that nothing sanitizes. */
export interface HtmlControls {
  /** In productive views and fragments that are no scripts. */
  inViews(): ViewHtml[]
  /** What a script gives to such controls: constructors, `setContent`, `setProperty`, `bindProperty`. */
  inScript(script: Ui5Script): HtmlContent[]
}

/** A control as a script knows it: by its construction, or by an id of a view. */
type Control = CallValue | string

type ControlsById = ReadonlyMap<string | undefined, readonly Ui5Control[]>

/** Joins an app's views and scripts: an id of a view is that of its controller, an id of a fragment anybody's. */
export function createHtmlControls(app: Ui5App): HtmlControls {
  const all = app.views.flatMap((view) => view.controls.filter(({ type }) => type === TYPE).map((control) => ({ view, control })))
  const toIds = (some: readonly ViewHtml[]): ControlsById =>
    groupBy(
      some.map(({ control }) => control),
      ({ id }) => id,
    )
  const inFragments = toIds(all.filter(({ view }) => view.kind === 'fragment'))
  const byController = groupBy(
    all.filter(({ view }) => view.kind === 'view'),
    ({ view }) => view.controller,
  )
  const scriptViews = new Set(app.views.flatMap(({ language, file }) => (language === 'script' ? [file] : [])))
  const speaking = new Set(
    app.scripts.filter((script) => !script.test && (isKeptBy(script, fillsHtmlControls) || scriptViews.has(script.file))),
  )
  const readerOf = (script: Ui5Script, facts: ScriptFacts): ScriptReader =>
    createReader(facts, [toIds(byController.get(script) ?? []), inFragments])
  // a view that is a script has its controls' ids in common with its controller
  const owners = new Map(
    app.views.flatMap(({ language, file, controller }) =>
      language === 'script' && controller !== undefined ? [[file, controller] as const] : [],
    ),
  )
  // of most scripts nobody asks: only ids are kept, since a construction would hold all facts of its script
  const said = new Map<Ui5Script, ReadonlyMap<string, boolean>>()
  const saidBy = (script: Ui5Script | undefined): ReadonlyMap<string, boolean> | undefined => {
    if (script === undefined || !speaking.has(script)) return undefined
    const known = said.get(script) ?? new Map(idsOf(readerOf(script, script.facts).sanitizes))
    said.set(script, known)
    return known
  }
  let anywhere: ReadonlyMap<string, boolean> | undefined
  const saidAnywhere = (): ReadonlyMap<string, boolean> =>
    (anywhere ??= new Map([...speaking].flatMap((script) => [...(saidBy(script) ?? [])])))

  return {
    inViews() {
      return all.filter(({ view, control: { id }, control }) => {
        if (view.test || view.language === 'script') return false
        if (id === undefined) return !declaresSanitizing(control)
        const set = (view.kind === 'fragment' ? saidAnywhere() : saidBy(view.controller))?.get(id)
        return !(set ?? declaresSanitizing(control))
      })
    },
    inScript(script) {
      if (!speaking.has(script)) return []
      const { facts } = script
      const reader = readerOf(script, facts)
      const owned = saidBy(owners.get(script.file))
      return facts.calls.flatMap((call) => reader.contentOf(call, owned) ?? [])
    },
  }
}

function* idsOf(states: ReadonlyMap<Control, boolean>): Generator<[string, boolean]> {
  for (const [control, state] of states) if (typeof control === 'string') yield [control, state]
}

interface ScriptReader {
  /** What setters say about sanitizing, by control; the last one counts. */
  readonly sanitizes: ReadonlyMap<Control, boolean>
  /** What a call gives to a control that isn't sanitized. `owned`: what the controller of a view in a script says of its controls. */
  contentOf(call: CallValue, owned: ReadonlyMap<string, boolean> | undefined): HtmlContent | undefined
}

/** `views`: where the ids of views that the script can mean are looked up, in this order. */
function createReader(facts: ScriptFacts, views: readonly ControlsById[]): ScriptReader {
  const controlOf = createControlFinder(facts, views)
  const sanitizes = new Map<Control, boolean>()
  for (const call of facts.calls) {
    const state = sanitizingOf(call)
    const control = state === undefined ? undefined : controlOf(receiverOf(call))
    if (control !== undefined && state !== undefined) sanitizes.set(control, state)
  }
  const isSanitized = (control: Control, owned: ReadonlyMap<string, boolean> | undefined): boolean => {
    const id = typeof control === 'string' ? control : idOf(control)
    const set = sanitizes.get(control) ?? (id === undefined ? undefined : owned?.get(id))
    if (set !== undefined) return set
    if (typeof control === 'string') return views.flatMap((ids) => ids.get(control) ?? []).every(declaresSanitizing)
    const declared = fieldOf(settingsOf(control), 'sanitizeContent')
    return declared !== undefined && constantOf(declared) === true
  }
  return {
    sanitizes,
    contentOf(call, owned) {
      const content = constructedContent(call) ?? givenContent(call)
      if (content === undefined) return undefined
      const control = call.kind === 'new' ? call : controlOf(receiverOf(call))
      return control === undefined || isSanitized(control, owned) ? undefined : content
    },
  }
}

/** Finds the HTML control that a value is: through names, fields of `this`, ids and chains of setters. */
function createControlFinder(
  facts: ScriptFacts,
  views: readonly ControlsById[],
): (value: Value | undefined) => Control | undefined {
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
  const find = (value: Value | undefined, hops: { left: number }): Control | undefined => {
    if (value === undefined || hops.left-- <= 0) return undefined
    const id = askedId(value)
    if (id !== undefined) return constructed.get(id) ?? (views.some((ids) => ids.has(id)) ? id : undefined)
    if (value.kind === 'new') return isConstruction(value) ? value : undefined
    if (value.kind === 'await') return find(value.value, hops)
    const own = aggregationOf(value, 'getAggregation')
    if (own !== undefined) return find(aggregated.get(own), hops)
    if (value.kind === 'call') return CHAINED.test(calledName(value) ?? '') ? find(receiverOf(value), hops) : undefined
    for (const way of value.kind === 'reference' ? definedValues(value) : value.kind === 'member' ? fieldValues(value) : []) {
      const control = find(way, hops)
      if (control !== undefined) return control
    }
    return undefined
  }
  return (value) => find(value, { left: MAX_HOPS })
}

function definedValues({ binding }: ReferenceValue): readonly (Value | undefined)[] {
  return (binding?.definitions ?? []).slice(0, MAX_WAYS).map(({ path, value }) => (path.length === 0 ? value : undefined))
}

/** Setters and the like give the control itself. */
const CHAINED = /^(?:set|add|attach|bind|place|apply)[A-Z]|^placeAt$/u

/** `_text` of `this.setAggregation("_text", …)`. */
function aggregationOf(value: Value, method: 'getAggregation' | 'setAggregation'): string | undefined {
  if (value.kind !== 'call' || calledName(value) !== method || receiverOf(value)?.kind !== 'this') return undefined
  const name = value.args[0] && constantOf(value.args[0])
  return typeof name === 'string' ? name : undefined
}

/** The id that `byId("…")` asks for; for `Fragment.byId(fragment, "…")` the second one. */
function askedId(value: Value): string | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.name !== 'byId') return undefined
  const last = value.args.at(-1)
  const id = last && constantOf(last)
  return typeof id === 'string' ? id : undefined
}

function declaresSanitizing(control: Ui5Control): boolean {
  return control.properties.get('sanitizeContent')?.value.trim() === 'true'
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

function constructedContent(call: CallValue): HtmlContent | undefined {
  const value = isConstruction(call) ? fieldOf(settingsOf(call), 'content') : undefined
  return value && { at: value, value, as: 'settings' }
}

function givenContent(call: CallValue): HtmlContent | undefined {
  const [first, second] = call.args
  const name = calledName(call)
  if (name === 'setContent') return first && { at: first, value: first, as: 'text' }
  if (name === 'bindContent') return first && { at: first, value: first, as: 'path' }
  if ((name !== 'setProperty' && name !== 'bindProperty') || first === undefined || second === undefined) return undefined
  return constantOf(first) === 'content' ? { at: second, value: second, as: name === 'setProperty' ? 'text' : 'path' } : undefined
}
