import {
  constantOf,
  pathOf,
  resolveValue,
  type Assignment,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { groupBy } from '../../lists.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { holdsRemote } from './addresses.ts'
import { fieldOf } from './constructions.ts'

/** A script or a style sheet that a script adds to its page, by a constant address. */
export interface ScriptLoad {
  readonly url: Span
  readonly address: string
  readonly style: boolean
  readonly integrity: boolean
  readonly crossorigin: boolean
  /** What loads it: UI5 with attributes, in its settings or behind the URL, an element that the script makes, or what takes no hash. */
  readonly via: 'include' | 'second' | 'element' | 'getScript' | 'import'
}

/** Facts: API of sap/ui/dom/includeScript, sap/ui/dom/includeStylesheet, jQuery.sap.include*, jQuery.getScript. */
const INCLUDES: ReadonlySet<string> = new Set([
  'module:sap/ui/dom/includeScript',
  'module:sap/ui/dom/includeStylesheet',
  'global:jQuery sap includeScript',
  'global:$ sap includeScript',
  'global:jQuery sap includeStyleSheet',
  'global:jQuery getScript',
  'global:$ getScript',
  'module:sap/ui/thirdparty/jquery getScript',
  // modules of old that give jQuery
  'module:jquery.sap.global sap includeScript',
  'module:jquery.sap.global sap includeStyleSheet',
  'module:sap/ui/thirdparty/jquery sap includeScript',
  'module:sap/ui/thirdparty/jquery sap includeStyleSheet',
])

/** Words of which a script that loads another one has at least one. */
export const LOADS: RegExp =
  /include(?:Script|Style[sS]heet)\b|\bgetScript\b|createElement\(\s{0,8}["'`](?:script|link)\b|\b(?:from|import)\b[ (]{0,3}["'](?:https?:)?\/\//iu

/** What one script loads, in the order of the text by kind; each element that it makes once. */
export function* loadsOf(facts: ScriptFacts): Generator<ScriptLoad> {
  for (const call of facts.calls) {
    const load = includedBy(call)
    if (load !== undefined) yield load
  }
  // modules of the browser take addresses, and no hash
  for (const { source, start, end } of facts.imports)
    if (/^(?:https?:)?\/\//iu.test(source))
      yield { url: { start, end }, address: source, style: false, integrity: false, crossorigin: false, via: 'import' }
  let set: ReadonlyMap<Value, readonly Assignment[]> | undefined
  for (const call of facts.calls) {
    const tag = madeTag(call)
    if (tag !== 'script' && tag !== 'link') continue
    set ??= groupBy(facts.assignments, ({ target }) => resolveValue(target.object))
    const own = set.get(call) ?? []
    const given = (name: string): Value | undefined => own.findLast(({ target }) => target.name === name)?.value
    const url = given(tag === 'link' ? 'href' : 'src')
    const address = url && constantOf(url)
    if (url === undefined || typeof address !== 'string') continue
    const relation = given('rel')
    if (tag === 'link' && (relation === undefined || constantOf(relation) !== 'stylesheet')) continue
    const [integrity, crossorigin] = [given('integrity'), given('crossOrigin')].map((value) => value !== undefined)
    yield {
      url,
      address,
      style: tag === 'link',
      integrity: integrity ?? false,
      crossorigin: crossorigin ?? false,
      via: 'element',
    }
  }
}

/** Scripts and style sheets that scripts load from other hosts. */
export const scriptLoads: Extract<ScriptLoad> = defineExtract({
  name: 'ui5-script-loads',
  keywords: [
    'includeScript',
    'includeStylesheet',
    'includeStyleSheet',
    'getScript',
    'createElement',
    'from "https://',
    "from 'https://",
  ],
  prefilter: (text) => holdsRemote(text) && LOADS.test(text),
  inPages: true,
  *collect({ facts }) {
    for (const { url, ...load } of loadsOf(facts)) yield { ...load, url: { start: url.start, end: url.end } }
  },
})

function includedBy(call: CallValue): ScriptLoad | undefined {
  const name = pathOf(call.callee)?.join(' ') ?? ''
  const [first, second] = call.args
  if (!INCLUDES.has(name) || first === undefined) return undefined
  const settings = first.kind === 'object' ? first : undefined
  const url = settings === undefined ? first : fieldOf(settings, 'url')
  const address = url && constantOf(url)
  if (url === undefined || typeof address !== 'string') return undefined
  const written = settings === undefined ? second : fieldOf(settings, 'attributes')
  const attributes = written && resolveValue(written)
  const given = attributes?.kind === 'object' ? new Set(attributes.fields.map(({ key }) => key?.toLowerCase())) : new Set()
  return {
    url,
    address,
    style: /style/iu.test(name),
    integrity: given.has('integrity'),
    crossorigin: given.has('crossorigin'),
    via: name.endsWith('getScript') ? 'getScript' : settings === undefined ? 'second' : 'include',
  }
}

/** `script` of `document.createElement("script")`. */
function madeTag({ callee, args }: CallValue): string | undefined {
  if (callee.kind !== 'member' || callee.name !== 'createElement') return undefined
  const tag = args[0] && constantOf(args[0])
  return typeof tag === 'string' ? tag.toLowerCase() : undefined
}
