import type { Budget } from '../budget.ts'
import { lineBefore } from '../parse/position.ts'
import { hasHashNotes } from './dialect.ts'
import { countLook } from './layers.ts'

/** The beginning of a line that is a comment. */
export const COMMENT: RegExp = /^(?:\/\/|#|--|;|\*|<!--|REM )/i
/** `#password = "…"` in a class of JavaScript. */
const PRIVATE_FIELD = /^#\w{1,60}\s{0,4}[:=]\s{0,4}["']/
/** `//npm.corp.cloud/:_authToken=`, a setting of .npmrc for one registry. */
const REGISTRY_SETTING = /^\/\/[\w.-]{1,200}(?::\d{1,5})?\/\S{0,200}:_\w/
const LONGEST_COMMENT = 2000
export const LONGEST_LINE = 300

/** By the start of its line; in what has other comments than those of a hash by `//` behind code, or by a comment of several lines that is still open. */
export function isCommentedOut(text: string, start: number, path: string | undefined, budget: Budget): boolean {
  const line = lineBefore(text, start, LONGEST_LINE).trimStart()
  if (COMMENT.test(line) && !PRIVATE_FIELD.test(line) && !REGISTRY_SETTING.test(line)) return true
  if (path !== undefined && hasHashNotes(path)) return false
  if (line.length < LONGEST_LINE && isBehindComment(line)) return true
  countLook(budget, LONGEST_COMMENT / 4)
  const before = text.slice(Math.max(0, start - LONGEST_COMMENT), start)
  const open = before.lastIndexOf('<!--')
  if (open !== -1 && before.indexOf('-->', open) === -1) return true
  const block = before.lastIndexOf('/*')
  if (block === -1 || !/^$|[\s;{}(),]/.test(before[block - 1] ?? '') || before.indexOf('*/', block) !== -1) return false
  return text.slice(start, start + LONGEST_COMMENT).includes('*/')
}

/** `var limit = 1; // var model = …`: not in a text, and no address without its scheme. */
const TRAILING = /[\s;{}(),]\/\/(?![\w-]{1,63}\.[\w.-]{1,200}[/:])/g

function isBehindComment(line: string): boolean {
  return [...line.matchAll(TRAILING)].some(({ index }) => {
    const code = line.slice(0, index)
    return ['"', "'", '`'].every((quote) => code.split(quote).length % 2 === 1)
  })
}

/** Texts stay, and so does `//` of an address. */
const NOTES =
  /(["'`])(?:\\.|(?!\1)[^\\\n]){0,400}\1|(?<![^\s;{}(),])\/\*[^]{0,2000}?\*\/|<!--[^]{0,2000}?-->|(?<![^\s;{}(),])\/\/(?![\w-]{1,63}\.[\w.-]{1,200}[/:])[^\n]{0,2000}|(?<!\S)#\s[^\n]{0,2000}/g
/** Of YAML, shells and settings, where `/*` stands in globs and schedules. */
const HASH_NOTES = /(["'`])(?:\\.|(?!\1)[^\\\n]){0,400}\1|(?<!\S)#[^\n]{0,2000}/g
/** The end of a comment that begins further in front. */
const END_OF_NOTE = /^[^]{0,2000}?\n\s{0,20}\*\//

/** A text without its comments, in the language of its file, or in any: code, XML. */
export function withoutNotes(text: string, path: string | undefined, budget: Budget): string {
  countLook(budget, text.length * 2)
  const keepText = (part: string, quote: string | undefined): string => (quote === undefined ? ' ' : part)
  if (path !== undefined && hasHashNotes(path)) return text.replace(HASH_NOTES, keepText)
  const [rest = ''] = END_OF_NOTE.exec(text) ?? []
  return text.slice(rest.includes('/*') ? 0 : rest.length).replace(NOTES, keepText)
}
