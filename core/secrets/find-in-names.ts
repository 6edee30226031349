import type { FoundInText } from './find-in-text.ts'

/** `db-password-value.txt`, `passwords/value/a.js`: behind a word of the name that says that a credential stands there. */
const BEHIND =
  /(?:^|[^A-Za-z])(?:pass(?:word|wd|phrase|code)?|passwort|kennwort|pwd|pw|secret|token|credential|api[-_]?key)s?[-_.=: /\\]{1,3}(?:(?:for|of|is)[-_ ])?([^\s/\\"'<>|]{8,120})/gi
/** `value.password` */
const ENDS = /[-_.](?:pass(?:word|wd|phrase|code)?|passwort|kennwort|pwd|pw|secret|token|credential|api[-_]?key)s?(?![A-Za-z])/gi
const LONGEST = 120
const LAST_PART = /[^\s/\\"'<>|?&=]{8,120}$/
const ENDING = /\.(?:[a-z]{1,4}|[a-z0-9]{1,4}\.[a-z]{1,4})$/i

/**
 * Values that nothing but the name of a file or folder calls a credential: an archive may be refused before one of its files was read. `isOne`: what such
 * a value has to look like.
 */
export function findInNames(text: string, isOne: (value: string) => boolean): readonly FoundInText[] {
  const behind = [...text.matchAll(BEHIND)].flatMap(({ 0: whole, 1: written = '', index }) =>
    toFound(written.replace(ENDING, ''), index + whole.lastIndexOf(written), isOne),
  )
  let last = 0
  const before = [...text.matchAll(ENDS)].flatMap(({ 0: whole, index }) => {
    // each character belongs to one value, however many words follow on each other
    const value = LAST_PART.exec(text.slice(Math.max(last, index - LONGEST), index))?.[0] ?? ''
    last = index + whole.length
    return toFound(value, index - value.length, isOne)
  })
  return [...behind, ...before]
}

function toFound(value: string, start: number, isOne: (value: string) => boolean): readonly FoundInText[] {
  return isOne(value) ? [{ value, span: { start, end: start + value.length } }] : []
}
