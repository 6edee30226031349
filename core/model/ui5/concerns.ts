import { pathOf } from '../../facts/index.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'

/** Functions whose result is harmless as markup, by their last name. Facts: `sap/base/security/*`, `jQuery.sap.encode*`, DOMPurify. */
export const ENCODERS: ReadonlySet<string> = new Set(
  'encodeXML encodeHTML encodeJS encodeURL encodeURLParameters encodeCSS sanitizeHTML sanitize sanitizeWithPolicy encodeURIComponent escapeHtml escapeHTML'.split(
    ' ',
  ),
)
/** Words of scripts that make or fill HTML controls, and of those that a formatter may encode in. */
export const MARKUP_KEYWORDS: readonly string[] = [
  'sap/ui/core/HTML',
  'sap.ui.core.HTML',
  'setContent',
  'bindContent',
  'sanitizeContent',
  'encodeXML',
  'encodeHTML',
  'sanitizeHTML',
  'DOMPurify',
  'encodeURI',
  '"<',
  "'<",
  '`<',
]
const HTML_CONTROL = /sap[./]ui[./]core[./]HTML\b|\bsanitizeContent\b/
const ENCODES = /\b(?:encode(?:XML|HTML|URI\w{0,10})|sanitizeHTML|DOMPurify)\b/
const FILLS_BY_ID = /\.(?:set|bind)Content\b/
/** A text of markup, given back or put into a name that is, as a formatter does; what controls render they write themselves. */
const TAGS = /\breturn\b[^;{}]{0,200}["'`]<[a-zA-Z/]|[\w$]\s{0,3}\+?=\s{0,3}["'`]<[a-zA-Z/]/
const RENDERS = /\bapiVersion\b|\brenderer\b|RenderManager/

/** Whether a text may hold code that fills HTML controls, or a formatter for them. */
export function mayHoldMarkup(text: string): boolean {
  return (
    HTML_CONTROL.test(text) ||
    ENCODES.test(text) ||
    (!RENDERS.test(text) && TAGS.test(text)) ||
    (FILLS_BY_ID.test(text) && text.includes('byId'))
  )
}

const FILLS: ReadonlySet<string | undefined> = new Set(['setContent', 'bindContent', 'setSanitizeContent'])
const FILLS_BY_NAME: ReadonlySet<string | undefined> = new Set(['setProperty', 'bindProperty'])

/**
 * Whether a script may make, fill or sanitize an HTML control. Facts are eleven times their text: those of the many other scripts with such a word are
 * not kept until the views are known.
 */
export function fillsHtmlControls(facts: ScriptFacts): boolean {
  if (facts.imports.some(({ source }) => source === 'sap/ui/core/HTML')) return true
  if (facts.calls.some((call) => nameOf(call) === 'byId') && facts.calls.some(fills)) return true
  return facts.globals.has('sap') && facts.calls.some((call) => pathOf(call.callee)?.join('.') === 'global:sap.ui.core.HTML')
}

/** Whether a script may hold a formatter that encodes for HTML controls, or that makes markup. */
export function formatsMarkup(facts: ScriptFacts): boolean {
  const names = new Set(facts.calls.map(nameOf))
  return (encodes(facts, names) || facts.functions.some(givesMarkup)) && holdsFormatters(facts)
}

/** By whatever name the file calls the module of an encoder. */
function encodes({ imports }: ScriptFacts, names: ReadonlySet<string | undefined>): boolean {
  if ([...ENCODERS].some((name) => names.has(name))) return true
  return imports.some(({ source }) => ENCODERS.has(source.slice(source.lastIndexOf('/') + 1)))
}

/** A function that puts what it gets between tags, as formatters of HTML controls do. */
function givesMarkup({ returns }: FunctionFact): boolean {
  const open = returns.slice(0, MAX_LOOKS)
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const value = open.pop()
    if (value === undefined) return false
    if (textsOf(value).some((text) => /<[a-z/]/iu.test(text))) return true
    for (const part of partsOf(value)) open.push(part)
  }
  return false
}

const MAX_LOOKS = 200

function textsOf(value: Value): readonly string[] {
  if (value.kind === 'template') return value.texts
  return value.kind === 'literal' && typeof value.value === 'string' ? [value.value] : []
}

function partsOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case 'concat':
      return value.parts
    case 'choice':
      return value.options
    // text.replace(/\n/g, '<br>'), lines.join('</li><li>')
    case 'call':
      return value.callee.kind === 'member' ? [value.callee.object, ...value.args] : []
    case 'reference':
      return (value.binding?.definitions ?? []).flatMap((given) => given.value ?? [])
    default:
      return []
  }
}

function fills(call: CallValue): boolean {
  const name = nameOf(call)
  if (FILLS.has(name)) return true
  const [first] = call.args
  return FILLS_BY_NAME.has(name) && first?.kind === 'literal' && (first.value === 'content' || first.value === 'sanitizeContent')
}

function nameOf({ callee }: CallValue): string | undefined {
  if (callee.kind === 'member') return callee.name
  return callee.kind === 'reference' ? callee.name : undefined
}

/** Not the code of controls: what their renderers encode they write themselves. */
function holdsFormatters(facts: ScriptFacts): boolean {
  return (
    !facts.functions.some(({ name }) => /(?:^|\.)(?:render|apiVersion|init|onAfterRendering)\w{0,40}$/.test(name)) ||
    isController(facts)
  )
}

function isController(facts: ScriptFacts): boolean {
  return facts.imports.some(({ source }) => source.endsWith('Controller'))
}
