import type { FunctionFact, ObjectValue, ScriptFacts, Value } from '../../facts/types.ts'
import { holdsAt } from '../../keywords/index.ts'
import { fieldOf } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Renderers looked at per file: each is compared with all calls. */
const MAX_RENDERERS = 50
/** UI5 looks for the renderer of a control without one in a module of this name. */
const RENDERER_FILE = /Renderer\.[jt]s$/u
const MAY_RENDER = /\.extend\b|\bextends\b|\brender\b/
const WRITES = /\.write(?:[A-Z]\w{0,20})?\s{0,5}\(/y
/** A control that names its renderer; what makes none of its own, but has a version, is a renderer with one. */
const NAMES_RENDERER = /\brenderer["'`\]]{0,2}\s{0,5}[:=(,}]/
const HAS_VERSION = /^[ \t]{0,40}(?:[\w$.]{1,80}\.)?["']?apiVersion["']?\s{0,5}[:=]/m

/**
 * A control whose renderer composes its markup as text.
 * Facts: API of sap.ui.core.RenderManager: only with `apiVersion` 2 or 4 it builds elements and encodes values; `write` and the like are deprecated.
 * Impact: deprecated; a value that is not encoded is a fault of its own.
 */
export const rendererApiV1: Rule = defineRule({
  id: 'ui5/renderer-api-v1',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [477],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.RenderManager',
  keywords: ['renderer', 'writeControlData', 'writeEscaped', 'writeClasses', 'writeAttribute', '.write('],
  words: ['.write'],
  prefilter: (text, hits) =>
    holdsAt(text, hits.places(text, ['.write']), WRITES) &&
    MAY_RENDER.test(text) &&
    (NAMES_RENDERER.test(text) || !HAS_VERSION.test(text)),
  on: 'script',

  *check(file) {
    const { facts } = file.content
    let remaining = MAX_RENDERERS
    for (const { at, value } of renderersIn(facts)) {
      if (remaining-- <= 0) return
      const writer = writerOf(value)
      if (writer !== undefined && writes(facts, writer))
        yield { at: { file: file.path, span: at }, groupKey: appFolderOf(file.path) }
    }
    if (!RENDERER_FILE.test(file.path)) return
    for (const { at, renderer } of ownRenderers(facts))
      if (remaining-- > 0 && writes(facts, renderer))
        yield { at: { file: file.path, span: at }, groupKey: appFolderOf(file.path) }
  },

  text: () => ({
    en: {
      title: 'Control renderer without automatic encoding',
      message: 'This renderer has no apiVersion and writes markup as text, with RenderManager.write or similar methods.',
      why: 'Every value has to be encoded by hand: if one is left unencoded, now or in a later change, a script in it runs in the user’s session (XSS).',
      fix: 'Make the renderer an object with apiVersion: 2 and render: function (oRm, oControl) {…} (UI5 1.67+). Replace write and writeControlData with openStart("div", oControl), attr, class, style, openEnd, text and close. Remove encodeXML: attr, class and text encode.',
    },
    fr: {
      title: 'Moteur de rendu d’un contrôle sans encodage automatique',
      message:
        'Ce moteur de rendu n’a pas d’apiVersion et écrit le balisage sous forme de texte, avec RenderManager.write ou des méthodes semblables.',
      why: 'Chaque valeur doit être encodée à la main : en cas d’oubli, maintenant ou plus tard, un script contenu dans la valeur s’exécute dans la session de l’utilisateur (XSS).',
      fix: 'Définissez le moteur de rendu comme un objet avec apiVersion: 2 et render: function (oRm, oControl) {…} (à partir d’UI5 1.67). Remplacez write et writeControlData par openStart("div", oControl), attr, class, style, openEnd, text et close. Supprimez encodeXML : attr, class et text encodent les valeurs.',
    },
  }),
})

/** One finding per app or library: the folder that its controls lie in. */
function appFolderOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  const root = folders.findLastIndex((name) => name === 'webapp' || name === 'src')
  return root === -1
    ? folders.filter((name) => !/^(?:controls?|libs?|utils?)$/iu.test(name)).join('/')
    : folders.slice(0, root + 1).join('/')
}

/** A renderer in a file of its own: an object that it makes with `render`, or `ShopRenderer.render = …`; one that names a version anywhere is none. */
function* ownRenderers({ functions, assignments, bindings }: ScriptFacts): Generator<{ at: Span; renderer: FunctionFact }> {
  if (assignments.some(({ target }) => target.name === 'apiVersion')) return
  const objects = functions.flatMap(({ owner }) => (owner !== undefined && 'kind' in owner ? [owner] : []))
  const declared = bindings.flatMap(({ definitions }) =>
    definitions.flatMap(({ value }) => (value?.kind === 'object' ? [value] : [])),
  )
  if ([...objects, ...declared].some(hasVersion)) return
  for (const { target, value } of assignments)
    if (target.name === 'render' && value.kind === 'function')
      yield { at: { start: target.start, end: target.end }, renderer: value.function }
  for (const object of new Set(objects)) {
    const field = object.fields.findLast(({ key }) => key === 'render')
    if (field?.value.kind === 'function') yield { at: { start: field.start, end: field.end }, renderer: field.value.function }
  }
}

function* renderersIn(facts: ScriptFacts): Generator<{ at: Span; value: Value }> {
  for (const { callee, args } of facts.calls) {
    const [, members] = args
    if (callee.kind !== 'member' || callee.name !== 'extend' || members?.kind !== 'object') continue
    const field = members.fields.findLast(({ key }) => key === 'renderer')
    if (field !== undefined) yield { at: { start: field.start, end: field.end }, value: field.value }
  }
  for (const { members } of facts.classes) {
    for (const { name, isStatic, value, start } of members)
      if (name === 'renderer' && isStatic && value !== undefined)
        yield { at: { start, end: value.start > start ? value.start : value.end }, value }
  }
}

/** The function of a renderer without apiVersion; an object without `render` takes that of its parent. */
function writerOf(value: Value): FunctionFact | undefined {
  const renderer = resolve(value)
  if (renderer?.kind === 'function') return renderer.function
  if (renderer?.kind !== 'object' || hasVersion(renderer)) return undefined
  const render = fieldOf(renderer, 'render')
  return render?.kind === 'function' ? render.function : undefined
}

function resolve(value: Value): Value | undefined {
  if (value.kind !== 'reference') return value
  const [definition, ...others] = value.binding?.definitions ?? []
  return others.length === 0 && value.binding?.additions.length === 0 ? definition?.value : undefined
}

function hasVersion(renderer: ObjectValue): boolean {
  return renderer.fields.some(({ key }) => key === 'apiVersion' || key === undefined)
}

/** Whether it writes text at all: elements built without a declared version are no danger. */
function writes(facts: ScriptFacts, { start, end }: FunctionFact): boolean {
  return facts.calls.some(
    (call) =>
      call.start >= start &&
      call.end <= end &&
      call.callee.kind === 'member' &&
      /^write(?:[A-Z]\w{0,20})?$/u.test(call.callee.name ?? ''),
  )
}
