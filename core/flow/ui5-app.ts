import { createHtmlControls, declaredModelsOf, isConstantModel, type Ui5App } from '../model/ui5/index.ts'
import type { LinkedFile } from './links.ts'
import type { FileFlow } from './types.ts'
import { manifestFlow } from './manifest.ts'
import { viewFlows } from './views.ts'

const HTML_CONTENT = 'ui5/xss-html-control'
const MODEL = 'model '

/** What an app of UI5 is made of, as far as data flows through it: its manifest, its views, and its scripts with the sinks that the app leaves open. */
export function ui5Files(app: Ui5App, scripts: readonly LinkedFile[]): LinkedFile[] {
  const manifest = manifestFlow(app)
  // a page may hold views and scripts: modules are looked up among the last
  const files = [...(manifest === undefined ? [] : [manifest]), ...viewFlows(app, scripts), ...withOpenSinks(app, scripts)]
  const isKnown = knownModels(app, files)
  return files.map((file) => ({ ...file, flow: withUndeclared(file.flow, isKnown) }))
}

/** HTML controls that sanitize what they are given are no sinks, wherever that is said; and other things have a content too. */
function withOpenSinks(app: Ui5App, scripts: readonly LinkedFile[]): readonly LinkedFile[] {
  if (!scripts.some(({ flow }) => flow.sinks.some(({ fault }) => fault === HTML_CONTENT))) return scripts
  const open = new Set(
    createHtmlControls(app)
      .inScripts()
      .map(({ file, span }) => `${file} ${span?.start}`),
  )
  return scripts.map((file) => {
    const sinks = file.flow.sinks.filter(({ fault, start }) => fault !== HTML_CONTENT || open.has(`${file.path} ${start}`))
    return sinks.length === file.flow.sinks.length ? file : { ...file, flow: { ...file.flow, sinks } }
  })
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
