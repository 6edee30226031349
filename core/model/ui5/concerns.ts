/** Words of scripts that make or fill HTML controls, and of those that a formatter may encode in. */
export const MARKUP_KEYWORDS: readonly string[] = [
  'sap/ui/core/HTML',
  'sap.ui.core.HTML',
  'setContent',
  'bindContent',
  'sanitizeContent',
  'setSanitizeContent',
  'encodeXML',
  'encodeHTML',
  'sanitizeHTML',
  'DOMPurify',
  'encodeURI',
  '"<',
  "'<",
  '`<',
]
const HTML_CONTROL = /sap[./]ui[./]core[./]HTML\b|\b(?:s|setS)anitizeContent\b/
const ENCODES = /\b(?:encode(?:XML|HTML)|sanitizeHTML|DOMPurify)\b/
/** Without one of these words the expression finds nothing: to look for a word takes a tenth of the time. */
const OF_CONTROLS = ['core/HTML', 'core.HTML', 'anitizeContent'] as const
const OF_ENCODERS = ['encodeXML', 'encodeHTML', 'sanitizeHTML', 'DOMPurify'] as const
const FILLS_BY_ID = /\.(?:set|bind)Content\b/
/** A text of markup, given back or put into a name that is, as a formatter does; what controls render they write themselves. */
const TAGS = /\breturn\b[^;{}]{0,200}["'`]<[a-zA-Z/]|[\w$]\s{0,3}\+?=\s{0,3}["'`]<[a-zA-Z/]/
const TAG_BEGINNINGS = ['"<', "'<", '`<'] as const
const RENDERS = /\bapiVersion\b|\brenderer\b|RenderManager/

const HAS_ID = /\bbyId\b/

/** Whether a text may hold code that fills HTML controls, or a formatter for them. */
export function mayHoldMarkup(text: string): boolean {
  return mayMakeMarkup(text) || encodes(text) || text.includes('encodeURI') || FILLS_BY_ID.test(text)
}

/** The same where there are many scripts: most controls have some `setContent`, so that alone is none without an id of a view beside it, and what encodes for addresses alone is no formatter of markup. */
export function holdsMarkup(text: string): boolean {
  return mayMakeMarkup(text) || (FILLS_BY_ID.test(text) && HAS_ID.test(text))
}

/** Whether what a text puts into controls may come to one of HTML: it makes them, or finds controls by their ids in a view. */
export function mayFillHtmlControls(text: string): boolean {
  return HAS_ID.test(text) || makesHtmlControls(text)
}

/** Whether a text may make HTML controls, or say of one that it sanitizes; what it fills them with is a matter of the data flow. */
export function makesHtmlControls(text: string): boolean {
  return holdsAny(text, OF_CONTROLS) && HTML_CONTROL.test(text)
}

function mayMakeMarkup(text: string): boolean {
  return makesHtmlControls(text) || formatsMarkup(text)
}

/** Whether a text may hold a formatter of markup: one that encodes, or one that puts tags around what it is given. Renderers do both for what they write themselves. */
export function formatsMarkup(text: string): boolean {
  return (encodes(text) || (holdsAny(text, TAG_BEGINNINGS) && TAGS.test(text))) && !RENDERS.test(text)
}

function encodes(text: string): boolean {
  return holdsAny(text, OF_ENCODERS) && ENCODES.test(text)
}

function holdsAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word))
}
