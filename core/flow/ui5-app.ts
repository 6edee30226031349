import { createHtmlControls, type Ui5App } from '../model/ui5/index.ts'
import { appControlsOf, withControlNames } from './control-classes.ts'
import type { LinkedFile } from './links.ts'
import type { FileFlow, FlowSink } from './types.ts'
import { htmlFormatters, viewFlows } from './views.ts'

const HTML_CONTENT = 'ui5/xss-html-control'
const FORMATTER = 'ui5/formatter-html'

/** What an app of UI5 is made of, as far as data flows through it: its views, and its scripts with the sinks that the app leaves open. */
export function ui5Files(app: Ui5App, scripts: readonly LinkedFile[]): LinkedFile[] {
  const controls = appControlsOf(scripts)
  // a page may hold views and scripts: modules are looked up among the last
  return [...viewFlows(app, scripts, controls), ...withControlNames(withOpenSinks(app, scripts), controls)]
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
