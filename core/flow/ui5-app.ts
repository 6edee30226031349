import { createHtmlControls, declaredModelsOf, isConstantModel, type Ui5App } from '../model/ui5/index.ts'
import { appControlsOf, withControlNames } from './control-classes.ts'
import type { LinkedFile } from './links.ts'
import type { FileFlow, FlowSink } from './types.ts'
import { manifestFlow } from './manifest.ts'
import { htmlFormatters, viewFlows } from './views.ts'

const HTML_CONTENT = 'ui5/xss-html-control'
const FORMATTER = 'ui5/formatter-html'
const MODEL = 'model '

/** What an app of UI5 is made of, as far as data flows through it: its manifest, its views, and its scripts with the sinks that the app leaves open. */
export function ui5Files(app: Ui5App, scripts: readonly LinkedFile[]): LinkedFile[] {
  const manifest = manifestFlow(app)
  const controls = appControlsOf(scripts)
  // a page may hold views and scripts: modules are looked up among the last
  const files = [
    ...(manifest === undefined ? [] : [manifest]),
    ...viewFlows(app, scripts, controls),
    ...withControlNames(withOpenSinks(app, scripts), controls),
  ]
  const isKnown = knownModels(app, files)
  return files.map((file) => ({ ...file, flow: withUndeclared(file.flow, isKnown) }))
}

/** Which sinks of scripts are any, the app tells: HTML controls may sanitize what they are given, other things have a content too, and not every function is a formatter. */
function withOpenSinks(app: Ui5App, scripts: readonly LinkedFile[]): readonly LinkedFile[] {
  const faults = new Set(scripts.flatMap(({ flow }) => flow.sinks.map(({ fault }) => fault)))
  const open = new Set(
    faults.has(HTML_CONTENT)
      ? createHtmlControls(app)
          .inScripts()
          .map(({ file, span }) => `${file} ${span?.start}`)
      : [],
  )
  const formatters = faults.has(FORMATTER) ? htmlFormatters(app, scripts) : new Map<string, 'raw' | 'sanitized'>()
  return scripts.map((file) => {
    const sinks = file.flow.sinks.flatMap((sink): FlowSink[] => {
      if (sink.fault === HTML_CONTENT) return open.has(`${file.path} ${sink.start}`) ? [sink] : []
      if (sink.fault !== FORMATTER) return [sink]
      const used = formatters.get(`${file.path} ${functionAround(sink, file.flow)}`)
      return used === undefined ? [] : [used === 'raw' ? sink : { ...sink, detail: 'sanitized' }]
    })
    return { ...file, flow: { ...file.flow, sinks } }
  })
}

/** The last name of the innermost function around a sink. */
function functionAround({ start, end }: FlowSink, { functions }: FileFlow): string {
  const around = functions.filter((own) => own.start <= start && own.end >= end)
  const [inner] = around.toSorted((a, b) => b.start - a.start)
  return inner === undefined ? '' : inner.name.slice(inner.name.lastIndexOf('.') + 1)
}

/** Models that the app fills, or that hold what nobody writes. */
function knownModels(app: Ui5App, files: readonly LinkedFile[]): (store: string) => boolean {
  const declared = declaredModelsOf(app)
  const names = new Set(declared.map(({ name }) => `${MODEL}${name}`))
  for (const { flow } of files)
    for (const { access, store, path } of flow.ports)
      // a script makes the model itself; what a control writes back is a part of it
      if (access === 'write' && path.length === 0) names.add(store)
  return (store) => names.has(store) || isConstantModel(store.slice(MODEL.length), declared)
}

/** What nothing in the app puts into a model is not known. */
function withUndeclared(flow: FileFlow, isKnown: (store: string) => boolean): FileFlow {
  const reads = flow.ports.filter(({ access, store }) => access === 'read' && store.startsWith(MODEL) && !isKnown(store))
  return reads.length === 0 ? flow : { ...flow, unresolved: [...flow.unresolved, ...reads.map(({ node }) => node)] }
}
