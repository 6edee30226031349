import { holdsAt, wordsOf, type WordPlaces } from '../../keywords/index.ts'

/** Words of scripts that make or fill HTML controls, and of those that a formatter may encode in. */
export const MARKUP_KEYWORDS: readonly string[] = [
  'core/HTML',
  'core.HTML',
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
const OF_CONTROLS = ['core/HTML', 'core.HTML', 'sanitizeContent', 'setSanitizeContent'] as const
const OF_ENCODERS = ['encodeXML', 'encodeHTML', 'sanitizeHTML', 'DOMPurify'] as const
const FILLS_BY_ID = /\.(?:set|bind)Content\b/
/** A text of markup, given back or put into a name that is, as a formatter does; what controls render they write themselves. */
const TAG = /["'`]<[a-zA-Z/]/y
const BEFORE_TAG = /(?:\breturn\b[^;{}]{0,200}|[\w$]\s{0,3}\+?=\s{0,3})$/
const LONGEST_BEFORE = 207
const TAG_BEGINNINGS = ['"<', "'<", '`<'] as const
const RENDERS = /\bapiVersion\b|\brenderer\b|RenderManager/

const HAS_ID = /\bbyId\b/

/** Whether a text may hold code that fills HTML controls, or a formatter for them. */
export function mayHoldMarkup(text: string, words: WordPlaces): boolean {
  return mayMakeMarkup(text, words) || encodes(text, words) || words.has('encodeURI') || fillsById(text, words)
}

/** The same where there are many scripts: most controls have some `setContent`, so that alone is none without an id of a view beside it, and what encodes for addresses alone is no formatter of markup. */
export function holdsMarkup(text: string, words: WordPlaces): boolean {
  return mayMakeMarkup(text, words) || (fillsById(text, words) && HAS_ID.test(text))
}

function fillsById(text: string, { has }: WordPlaces): boolean {
  return (has('setContent') || has('bindContent')) && FILLS_BY_ID.test(text)
}

/** Whether what a text puts into controls may come to one of HTML: it makes them, or finds controls by their ids in a view. */
export function mayFillHtmlControls(text: string): boolean {
  return HAS_ID.test(text) || makesHtmlControls(text)
}

/** Whether a text may make HTML controls, or say of one that it sanitizes; what it fills them with is a matter of the data flow. */
export function makesHtmlControls(text: string, { has }: WordPlaces = wordsOf(text)): boolean {
  return OF_CONTROLS.some(has) && HTML_CONTROL.test(text)
}

function mayMakeMarkup(text: string, words: WordPlaces): boolean {
  return makesHtmlControls(text, words) || formatsMarkup(text, words)
}

/** Whether a text may hold a formatter of markup: one that encodes, or one that puts tags around what it is given. Renderers do both for what they write themselves. */
export function formatsMarkup(text: string, words: WordPlaces = wordsOf(text)): boolean {
  return (encodes(text, words) || putsTags(text, words.places(text, TAG_BEGINNINGS))) && !RENDERS.test(text)
}

function encodes(text: string, { has }: WordPlaces): boolean {
  return OF_ENCODERS.some(has) && ENCODES.test(text)
}

function putsTags(text: string, places: readonly number[]): boolean {
  return places.some(
    (place) => holdsAt(text, [place], TAG) && BEFORE_TAG.test(text.slice(Math.max(0, place - LONGEST_BEFORE), place)),
  )
}
