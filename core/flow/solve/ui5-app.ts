import { createHtmlControls, type Ui5App, type Ui5Control } from '../../model/ui5/index.ts'
import { actionFlow, unboundLists } from '../views/app-models.ts'
import { appControlsOf, derivedFrom, withControlNames, type AppControl } from '../views/control-classes.ts'
import type { Place } from '../../types.ts'
import type { LinkedFile } from '../app/links.ts'
import { CHOICE_TYPES, HTML_TYPE } from '../tables/controls.ts'
import type { FlowSink, FlowSource, PageFlow } from '../types.ts'
import { handlersOf } from '../views/view-functions.ts'
import { viewFlows } from '../views/views.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

const HTML_CONTENT: string = FOUND_SINKS.htmlContent.fault
/** Faults of what may be the content of an HTML control. */
const HTML_FAULTS: ReadonlySet<string> = new Set([HTML_CONTENT, FOUND_SINKS.formattedMarkup.fault])

/** What an app of UI5 is made of, as far as data flows through it: its views, its scripts with the sinks that the app leaves open, and those that it loads from libraries. */
export function ui5Files(app: Ui5App, own: readonly LinkedFile[], imported: readonly LinkedFile[]): LinkedFile[] {
  const scripts = [...own, ...imported]
  const controls = appControlsOf(scripts)
  // a page may hold views and scripts: modules are looked up among the last
  const views = viewFlows(app, scripts, controls)
  const given = [actionFlow(app), unboundLists(views, scripts)].flatMap((file) => file ?? [])
  return [...views, ...given, ...withControlNames([...withOpenSinks(app, own, controls), ...imported], controls)]
}

/** Which sinks of scripts are any, the app tells: HTML controls may sanitize what they are given, and other things have a content too. */
export function withOpenSinks(
  app: Ui5App,
  scripts: readonly LinkedFile[],
  own: ReadonlyMap<string, AppControl> = appControlsOf(scripts),
): readonly LinkedFile[] {
  const faults = new Set(scripts.flatMap(({ flow }) => flow.sinks.map(({ fault }) => fault)))
  const controls = faults.has(HTML_CONTENT) ? createHtmlControls(app, derivedFrom(HTML_TYPE, own)) : undefined
  const toKeys = (places: readonly Place[]): ReadonlySet<string> =>
    new Set(places.map(({ file, span }) => `${file} ${span?.start}`))
  const open = toKeys(controls?.inScripts() ?? [])
  const perhaps = toKeys(controls?.mayBeInScripts() ?? [])
  const views = createViewFacts(app)
  return scripts.map((file) => {
    const constrained = new Set(file.flow.sources.flatMap(({ node, askedControl }) => (views.isChoice(askedControl) ? node : [])))
    const sources = file.flow.sources.filter(({ node }) => !constrained.has(node))
    const unresolved = file.flow.unresolved.filter((node) => !constrained.has(node))
    const sinks = file.flow.sinks.flatMap((sink): FlowSink[] => {
      const key = `${file.path} ${sink.start}`
      if (views.validates(sink)) return []
      if (!HTML_FAULTS.has(sink.fault) || sink.detail === 'sanitized' || open.has(key)) return [sink]
      // of what may be one only data that is traced counts
      const { isOpen, ...traced } = sink
      return isOpen === true && perhaps.has(key) ? [traced] : []
    })
    const page = file.flow.page && withTested(file.flow.page, views)
    return { ...file, flow: { ...file.flow, sinks, sources, unresolved, ...(page !== undefined && { page }) } }
  })
}

/** What a view calls itself, is called without what other methods test before. */
function withTested(page: PageFlow, views: ViewFacts): PageFlow {
  return page.tested === undefined ? page : { ...page, tested: page.tested.filter(({ method }) => !views.isHandler(method)) }
}

/** What the views of an app say of what scripts ask controls for, and hand to them. */
interface ViewFacts {
  /** The control that is asked, or whose event it is, has no text that somebody typed. */
  isChoice(asked: FlowSource['askedControl']): boolean
  /** The control checks the addresses that it gets. */
  validates(sink: FlowSink): boolean
  /** A view names the method for an event. */
  isHandler(method: string): boolean
}

function createViewFacts({ views }: Ui5App): ViewFacts {
  const byId = new Map<string, Ui5Control[]>()
  const byHandler = new Map<string, Ui5Control[]>()
  const add = (known: Map<string, Ui5Control[]>, key: string, control: Ui5Control): void =>
    void known.set(key, [...(known.get(key) ?? []), control])
  for (const { controls } of views)
    for (const control of controls) {
      if (control.id !== undefined) add(byId, control.id, control)
      for (const handler of handlersOf(control)) add(byHandler, handler, control)
    }
  return {
    isHandler: (method) => byHandler.has(method),
    isChoice(asked) {
      if (asked === undefined) return false
      if ('type' in asked) return CHOICE_TYPES.has(asked.type)
      const found = 'control' in asked ? byId.get(asked.control) : byHandler.get(asked.handler)
      return found?.every(({ type }) => CHOICE_TYPES.has(type)) === true
    },
    validates: ({ fault, control }) =>
      fault === FOUND_SINKS.linkAddress.fault &&
      control !== undefined &&
      byId.get(control)?.every(({ properties }) => properties.get('validateUrl')?.value.trim() === 'true') === true,
  }
}
