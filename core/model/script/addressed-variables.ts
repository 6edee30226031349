import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lineBefore } from '../../parse/position.ts'

/** A variable of the environment that code sends to a host as a password, beside a user. */
export interface AddressedVariable {
  readonly variable: string
  readonly host: string
}

/** `mongodb+srv://${process.env.DB_USER}:${process.env.DB_PASS}@host`, and the same put together of texts. */
const SCHEME = /\b[a-z][a-z0-9+.-]{1,20}:\/\//gi
const LONGEST_LOGIN = 300
const HOST = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?![\w.$-])/
const VARIABLE = /(?<![\w$])(?:process\.env(?:\.|\[["']))?([A-Z][A-Z0-9_]{2,60})(?![\w$])/g

/** `pwd: process.env.DB_PASS`, as an option beside `serverNode: 'host:443'`. */
const OPTION = /(?:pass(?:word|wd)?|pwd|secret)["']?\s{0,4}:\s{0,4}process\.env(?:\.|\[["'])([A-Z][A-Z0-9_]{2,60})(?![\w$])/gi
const OPTION_HOST =
  /(?:host(?:name)?|server(?:node|name)?|address|ur[il]|domain)["']?\s{0,4}:\s{0,4}["'`](?:[a-z][a-z0-9+.-]{1,20}:\/\/)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?=[:/"'`])/i
const OPTION_USER = /(?:user(?:_?name|id)?|uid|login|client_?id|e-?mail)["']?\s{0,4}:/i
/** `host: process.env.DB_HOST`: any other address in the options is not the one that is called. */
const OPEN_HOST = /(?:host(?:name)?|server(?:node|name)?|address|ur[il]|domain)["']?\s{0,4}:\s{0,4}(?!["'`\s])/i
/** Options of one connection. */
const OPTIONS = 300
/** In front of an object that is a part of another: `auth: {`. */
const PART = /[\w$"']\s{0,4}:\s{0,4}$/
const LONGEST_LINE = 300
const LONGEST_KEY = 40
const COMMENT = /^\s{0,100}(?:\/\/|\/?\*|#)/

export const addressedVariables: Extract<AddressedVariable> = defineExtract({
  name: 'addressed-variables',
  keywords: ['process.env'],
  prefilter: (text) => /pass|pwd|secret|@/i.test(text),
  *collectText(text) {
    for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
      const login = text.slice(index + scheme.length, index + scheme.length + LONGEST_LOGIN)
      const end = login.indexOf('@')
      if (end === -1 || login.slice(0, end).includes('\n')) continue
      const host = HOST.exec(login.slice(end + 1))?.[0]
      const names = [...login.slice(0, end).matchAll(VARIABLE)]
      const last = names.at(-1)
      // a user stands in front of it
      if (host === undefined || last?.[1] === undefined || !login.slice(0, last.index).includes(':')) continue
      if (!isComment(text, index)) yield { variable: last[1], host }
    }
    for (const { 0: option, 1: variable = '', index } of text.matchAll(OPTION)) {
      const around = optionsAround(text, index, index + option.length)
      const host = OPEN_HOST.test(around) ? undefined : OPTION_HOST.exec(around)?.[1]
      if (host !== undefined && OPTION_USER.test(around) && !isComment(text, index)) yield { variable, host }
    }
  },
})

/** The members of the object around a place, and of those that it is a part of: `{ host, auth: { user, pass } }`; what stands in other parts is left out. */
function optionsAround(text: string, start: number, end: number): string {
  let [depth, outer, before] = [0, 1, '']
  const least = Math.max(0, start - OPTIONS)
  for (let at = start - 1; at >= least && outer > 0; at--) {
    const char = text[at] ?? ''
    if (char === '}') depth++
    else if (char === '{' && depth > 0) depth--
    else if (char === '{') outer = PART.test(text.slice(Math.max(least, at - LONGEST_KEY), at)) ? outer + 1 : -outer
    else if (depth === 0) before = char + before
  }
  let [left, behind] = [Math.abs(outer), '']
  depth = 0
  for (let at = end; at < end + OPTIONS && left > 0; at++) {
    const char = text[at] ?? ''
    if (char === '{') depth++
    else if (char === '}' && depth > 0) depth--
    else if (char === '}') left--
    else if (depth === 0) behind += char
  }
  return `${before}${text.slice(start, end)}${behind}`
}

function isComment(text: string, at: number): boolean {
  return COMMENT.test(lineBefore(text, at, LONGEST_LINE))
}
