import { groupBy } from '../../lists.ts'
import type { Place } from '../../types.ts'
import { htmlUses, type ControlName, type HtmlUses } from './html-uses.ts'
import type { Ui5App, Ui5Control, Ui5View } from './types.ts'

const TYPE = 'sap.ui.core.HTML'

/** The content of an HTML control in a view. */
export interface ViewHtml {
  readonly control: Ui5Control
  readonly view: Ui5View
}

/** The HTML controls of one app that nothing sanitizes. */
export interface HtmlControls {
  /** In productive views and fragments that are no scripts. */
  inViews(): ViewHtml[]
  /** Where scripts give content to such controls: constructors, `setContent`, `setProperty`, `bindProperty`. */
  inScripts(): Place[]
  /** Where scripts give content to a control that nothing tells, in an app with such controls. */
  mayBeInScripts(): Place[]
}

type ControlsById = ReadonlyMap<string | undefined, readonly Ui5Control[]>

/**
 * Joins an app's views and scripts: an id of a view is that of its controller, an id of a fragment anybody's. Needs the extract `htmlUses`.
 * @param derived names of the app's own controls that derive from the one of UI5
 */
export function createHtmlControls(app: Ui5App, derived: ReadonlySet<string>): HtmlControls {
  const isHtml = ({ type }: Ui5Control): boolean => type === TYPE || derived.has(type)
  const all = app.views.flatMap((view) => view.controls.filter(isHtml).map((control) => ({ view, control })))
  const toIds = (some: readonly ViewHtml[]): ControlsById =>
    groupBy(
      some.map(({ control }) => control),
      ({ id }) => id,
    )
  const inFragments = toIds(all.filter(({ view }) => view.kind === 'fragment'))
  const anywhere = toIds(all)
  const otherIds = new Set(
    app.views.flatMap(({ controls }) => controls.flatMap((control) => (isHtml(control) ? [] : (control.id ?? [])))),
  )
  // a controller knows the ids of its own view, and no others
  const hasView = new Set(
    app.views.flatMap(({ kind, language, controller }) =>
      kind === 'view' && language !== 'script' && controller !== undefined ? controller : [],
    ),
  )
  const byController = groupBy(
    all.filter(({ view }) => view.kind === 'view'),
    ({ view }) => view.controller,
  )
  const scripts = new Map(
    app.scripts
      .get(htmlUses)
      .map(({ file, value }) => [
        file,
        joinScript(value, [toIds(byController.get(file) ?? []), inFragments, ...(hasView.has(file) ? [] : [anywhere])]),
      ]),
  )
  const saidBy = (file: string | undefined): ReadonlyMap<string, boolean> | undefined =>
    file === undefined ? undefined : scripts.get(file)?.sanitizes
  const saidAnywhere = new Map([...scripts.values()].flatMap(({ sanitizes }) => [...sanitizes]))
  // a view that is a script has its controls' ids in common with its controller
  const owners = new Map(
    app.views.flatMap(({ language, file, controller }) =>
      language === 'script' && controller !== undefined ? [[file, controller] as const] : [],
    ),
  )
  return {
    inViews() {
      return all.filter(({ view, control: { id }, control }) => {
        if (view.test || view.language === 'script') return false
        if (id === undefined) return !declaresSanitizing(control)
        const set = (view.kind === 'fragment' ? saidAnywhere : saidBy(view.controller))?.get(id)
        return !(set ?? declaresSanitizing(control))
      })
    },
    inScripts: () =>
      [...scripts].flatMap(([file, { unsanitized }]) =>
        unsanitized(saidBy(owners.get(file))).map(({ at }) => ({ file, span: at })),
      ),
    mayBeInScripts: () => {
      const hasRaw =
        all.some(({ control }) => !declaresSanitizing(control)) || [...scripts.values()].some(({ makesRaw }) => makesRaw)
      if (!hasRaw) return []
      return [...scripts].flatMap(([file, { unnamed }]) =>
        unnamed(otherIds, hasView.has(file)).map(({ at }) => ({ file, span: at })),
      )
    },
  }
}

interface JoinedScript {
  /** What setters say about sanitizing the controls of views, by their ids; the last one counts. */
  readonly sanitizes: ReadonlyMap<string, boolean>
  /** What it gives to controls that aren't sanitized. `owned`: what the controller of a view in a script says of its controls. */
  unsanitized(owned: ReadonlyMap<string, boolean> | undefined): HtmlUses['contents']
  /** What it gives to controls that are not found, unless their ids are those of others. */
  unnamed(others: ReadonlySet<string>, hasView: boolean): HtmlUses['contents']
  /** It makes controls that nothing sanitizes. */
  readonly makesRaw: boolean
}

/** `views`: where the ids of views that the script can mean are looked up, in this order. */
function joinScript({ constructions, states, contents }: HtmlUses, views: readonly ControlsById[]): JoinedScript {
  const byStart = new Map(constructions.map((construction) => [construction.start, construction]))
  const find = (controls: readonly ControlName[]): ControlName | undefined =>
    controls.find((name) => typeof name === 'number' || views.some((ids) => ids.has(name)))
  const said = new Map<ControlName, boolean>()
  for (const { controls, sanitizes } of states) {
    const control = find(controls)
    if (control !== undefined) said.set(control, sanitizes)
  }
  const isSanitized = (control: ControlName, owned: ReadonlyMap<string, boolean> | undefined): boolean => {
    const construction = typeof control === 'number' ? byStart.get(control) : undefined
    const id = typeof control === 'string' ? control : construction?.id
    const set = said.get(control) ?? (id === undefined ? undefined : owned?.get(id))
    if (set !== undefined) return set
    if (typeof control === 'string') return views.flatMap((ids) => ids.get(control) ?? []).every(declaresSanitizing)
    return construction?.sanitizes === true
  }
  return {
    sanitizes: new Map([...said].flatMap(([control, state]) => (typeof control === 'string' ? [[control, state] as const] : []))),
    unnamed: (others, hasView) =>
      contents.filter(
        ({ controls }) =>
          find(controls) === undefined && !controls.some((name) => typeof name === 'string' && (hasView || others.has(name))),
      ),
    makesRaw: constructions.some(({ sanitizes }) => !sanitizes),
    unsanitized: (owned) =>
      contents.filter(({ controls }) => {
        const control = find(controls)
        return control !== undefined && !isSanitized(control, owned)
      }),
  }
}

function declaresSanitizing(control: Ui5Control): boolean {
  return control.properties.get('sanitizeContent')?.value.trim() === 'true'
}
