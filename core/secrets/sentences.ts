import type { Read } from './assignments.ts'
import { isAboutCredential } from './names.ts'
import { isMadeUp, isSaid } from './made-up.ts'

/** What stands between the name and the value: further words, then a sign or a verb. `password of the technical user: `, `secret (QAS) is `, `token → ` */
const SAID =
  /[*_`"'\u2019\u201d\u00bb]{0,3}((?:[ \t]{1,2}(?!(?:is|are|ist|lautet|est|=|\u2192|->|=>|[-\u2013\u2014])[ \t])[^\s:=?|`"*]{1,24}){0,6})[*_]{0,3}(?:[ \t\u00a0]{0,3}(?:::?|\?|=|\u2192|->|=>)|[ \t]{1,2}(?:[-\u2013\u2014]|is|are|ist|lautet|est|to)(?=[ \t]))(?:[ \t]{1,2}(?:currently|now|still|aktuell|derzeit|actuellement|set to|just))?[*_]{0,3}[ \t\u00a0]{0,8}(?!\/\/)(?:[*_]{0,2}["'`\u00ab\u201e\u201c][ \u00a0]?)?([^\s"'`\u00ab\u00bb\u201e\u201c\u201d<>{}|()]{8,200})(?![({<])/y

/** `(currently value)`, `(ist value)` */
const IN_PARENTHESES =
  /(?:[ \t]{1,2}[^\s:=|`"()]{1,24}){0,4}[ \t]{1,2}\((?:currently|now|still|is|ist|aktuell|derzeit|est|actuellement)[ \t:]{1,2}["'`]?([^\s"'`<>{}|()]{8,200})["'`]?\)/y

/** Below a heading: `### Client secret`, then the value alone on its line. */
const BELOW =
  /[ \t]{0,4}:?[*_]{0,2}[ \t]{0,4}\r?\n(?:[ \t]{0,4}\r?\n)?[ \t>]{0,8}(`?)([^\s"'`<>{}|()]{12,200})\1[ \t]{0,8}(?=[\r\n]|$)/y
const HEADING = /^[ \t]{0,3}(?:#{1,6}[ \t]|\*\*|[-*][ \t]|>|$)[\w \u00c0-\u017f*'\u2019-]{0,60}$/

/** Words between a name and a value in columns that blanks make. */
const COLUMNS = /[ \t]{2,40}([^\s"'`<>{}|()]{12,200})[ \t]{0,8}(?=[\r\n]|$)/y

/** What ends a sentence, or its emphasis. */
const ENDINGS = '.,;:!?*_'

/**
 * A value that a sentence gives to a name, for people: only what was made up as a credential. `before`: the line up to the name.
 */
export function readSentence(text: string, end: number, before: string): Read | undefined {
  SAID.lastIndex = end
  const [said, words = '', value = ''] = SAID.exec(text) ?? []
  if (said !== undefined) {
    if (isAboutCredential(words)) return undefined
    const from = SAID.lastIndex - value.length
    const isMarked = /["'`\u00ab\u201e\u201c][ \u00a0]?$/.test(text.slice(Math.max(0, from - 2), from))
    return toRead(value, from, isMarked)
  }
  IN_PARENTHESES.lastIndex = end
  const inside = IN_PARENTHESES.exec(text)
  if (inside !== null) return toRead(inside[1] ?? '', end + inside[0].lastIndexOf(inside[1] ?? ''), false)
  BELOW.lastIndex = end
  const below = BELOW.exec(text)
  if (below !== null && HEADING.test(before)) return toRead(below[2] ?? '', end + below[0].lastIndexOf(below[2] ?? ''), false)
  COLUMNS.lastIndex = end
  const column = COLUMNS.exec(text)
  if (column === null || before.trim().length > 40) return undefined
  return toRead(column[1] ?? '', end + column[0].lastIndexOf(column[1] ?? ''), false)
}

function toRead(written: string, start: number, isMarked: boolean): Read | undefined {
  const value = isMarked ? written : withoutEnding(written)
  if (value.includes('://') || !(isMarked ? isSaid(value) : isMadeUp(value))) return undefined
  return { form: 'assigned', literal: { value, start, end: start + value.length, isQuoted: true } }
}

function withoutEnding(written: string): string {
  let length = written.length
  while (length > 0 && ENDINGS.includes(written[length - 1] ?? '')) length--
  return written.slice(0, length)
}

const SECOND =
  /(?:user|username|name|login|account|id|benutzer|utilisateur|key)[`*]{0,2}[ \t]?\/[ \t]?[`*]{0,2}(?:client |api |user )?$/i

/** Whether the name behind a text is the second of two: `user/password`, `Client ID / Client Secret`. */
export function isSecondOfTwo(before: string): boolean {
  return SECOND.test(before)
}

const PAIR =
  /(?:[ \t]{1,2}[\w-]{1,24}){0,3}[)\]]?[*_]{0,2}[ \t]{0,2}[:=][*_]{0,2}[ \t]{1,4}[`"']?[\w.@\\!|+-]{1,80}[`"']?[ \t]{0,2}\/[ \t]{0,2}[`"']?([^\s`"'<>|]{8,200})[`"']?/y

/** `user/password: name / value`, `Credentials QAS: name / value` */
export function readPairOfNames(text: string, end: number): Read | undefined {
  PAIR.lastIndex = end
  const [pair, value = ''] = PAIR.exec(text) ?? []
  return pair === undefined ? undefined : toRead(value, end + pair.lastIndexOf(value), false)
}
