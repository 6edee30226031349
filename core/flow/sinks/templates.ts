import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { COMPILERS, rawFieldsOf, MAX_FIELDS, PLAIN_NAME, SERVER_TEMPLATES } from '../tables/templates.ts'
import { ANY_FIELD, CONCAT } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { makeFunction } from '../values/objects.ts'

/** Adds the text that a template makes of its data: of the fields that it writes raw, which are given back, or of any where nobody can read it. */
export function addRendered(call: CallValue, given: Value | undefined, draft: FlowDraft): readonly number[] {
  if (given === undefined) return []
  const { graph, use } = draft
  const raw = rawFieldsOf(templateOf(call, draft).text).map((path) => graph.read(use(given), path, given))
  for (const node of raw.length > 0 ? raw : [graph.read(use(given), [ANY_FIELD], given)]) graph.connect(node, use(call), CONCAT)
  return raw
}

/** The template that is rendered: compiled before, or handed over with the data. */
export function templateOf(
  call: CallValue,
  draft: FlowDraft,
): { readonly text: string; readonly compiled: CallValue | undefined } {
  const compiled = compiledBehind(call.callee, draft)
  const [template] = compiled === undefined ? call.args : compiled.args
  return { text: template === undefined ? '' : String(constantOf(template) ?? ''), compiled }
}

/** `render`, `TEMPLATES.row`, `this.render`: the call that compiled what is called. */
function compiledBehind(callee: Value, draft: FlowDraft): CallValue | undefined {
  const here = resolveValue(callee)
  if (here.kind === 'call') return here
  if (here.kind !== 'member' || here.name === undefined) return undefined
  const object = resolveValue(here.object)
  const owner = draft.owners.ownerBehind(here.object)
  const values =
    object.kind === 'object'
      ? [fieldOf(object, here.name)?.value]
      : owner === undefined
        ? []
        : draft.classes.fieldValues(owner, here.name)
  for (const value of values) {
    const made = value && resolveValue(value)
    if (made?.kind === 'call') return made
  }
  return undefined
}

/** Adds what a template engine compiles as a function of the app: wherever it is called, the fields that it writes raw are in what it gives. */
export function addCompiled(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  if (!paths.some((path) => COMPILERS.test(path))) return
  const [template] = call.args
  const fields = rawFieldsOf(String((template && constantOf(template)) ?? ''))
  if (fields.length === 0) return
  const { graph, ends, objects } = draft
  const { start, end } = call
  const [data, text] = [graph.add(call), graph.add(call)]
  for (const path of fields) {
    const here = graph.read(data, path, call)
    graph.connect(here, text, CONCAT)
    ends.sinks.push({ node: here, ...FOUND_SINKS.rawTemplateField, name: nameOf(call.callee), start, end })
  }
  const index = makeFunction({ name: 'template', parameters: [data], result: text, start, end }, draft)
  objects.all.push({ node: result, methods: RENDERING.map((name) => [name, index] as const) })
}

/** What is compiled is called itself, or has a method. Facts: documentation of Handlebars, Lodash, Hogan.js. */
const RENDERING: readonly string[] = ['', 'render']

/** Adds the text that a template engine gives: of the data the fields that the template, a constant, writes as they are. */
export function addServerTemplate(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  if (!paths.some((path) => path.startsWith('module:'))) return
  const engine = SERVER_TEMPLATES.find(({ renders }) => paths.some((path) => renders.test(path)))
  const given = engine && call.args[engine.data]
  if (engine === undefined || given === undefined) return
  const { text } = templateOf(call, draft)
  const { graph, use } = draft
  for (const [, name = ''] of [...text.matchAll(engine.raw)].slice(0, MAX_FIELDS)) {
    const path = PLAIN_NAME.test(name) ? name.split('.') : [ANY_FIELD]
    graph.connect(graph.read(use(given), path, call), result, CONCAT)
  }
}
