import { createHtmlControls, type Ui5App } from '../model/ui5/index.ts'
import { appControlsOf, withControlNames } from './control-classes.ts'
import type { Place } from '../types.ts'
import type { LinkedFile } from './links.ts'
import type { FlowSink } from './types.ts'
import { viewFlows } from './views.ts'

const HTML_CONTENT = 'ui5/xss-html-control'

/** What an app of UI5 is made of, as far as data flows through it: its views, and its scripts with the sinks that the app leaves open. */
export function ui5Files(app: Ui5App, scripts: readonly LinkedFile[]): LinkedFile[] {
  const controls = appControlsOf(scripts)
  // a page may hold views and scripts: modules are looked up among the last
  return [...viewFlows(app, scripts, controls), ...withControlNames(withOpenSinks(app, scripts), controls)]
}

/** Which sinks of scripts are any, the app tells: HTML controls may sanitize what they are given, and other things have a content too. */
function withOpenSinks(app: Ui5App, scripts: readonly LinkedFile[]): readonly LinkedFile[] {
  const faults = new Set(scripts.flatMap(({ flow }) => flow.sinks.map(({ fault }) => fault)))
  const controls = faults.has(HTML_CONTENT) ? createHtmlControls(app) : undefined
  const toKeys = (places: readonly Place[]): ReadonlySet<string> => new Set(places.map(({ file, span }) => `${file} ${span?.start}`))
  const open = toKeys(controls?.inScripts() ?? [])
  const perhaps = toKeys(controls?.mayBeInScripts() ?? [])
  return scripts.map((file) => {
    const sinks = file.flow.sinks.flatMap((sink): FlowSink[] => {
      const key = `${file.path} ${sink.start}`
      if (sink.fault !== HTML_CONTENT || open.has(key)) return [sink]
      // of what may be one only data that is traced counts
      const { isOpen, ...traced } = sink
      return isOpen === true && perhaps.has(key) ? [traced] : []
    })
    return { ...file, flow: { ...file.flow, sinks } }
  })
}
