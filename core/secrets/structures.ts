import type { Read } from './assignments.ts'
import { withForm } from './entries.ts'
import { lineBefore } from '../parse/position.ts'
import { readElement, readLiteral } from './literal.ts'
import { isMadeUp } from './made-up.ts'

const BODY = /\([^()"'`]{0,80}\)\s{0,4}(?::\s{0,4}[\w<>]{1,40}\s{0,4})?\{/y
const RETURN = /[{}]|(?:\breturn|->)\s{1,4}(?=["'`]{1}[^"'`\s])/g
/** Of Python. */
const BODY_BELOW = /\([^()"'`]{0,80}\)\s{0,4}(?:->\s{0,4}[\w[\]]{1,30}\s{0,4})?:\s{1,40}return\s{1,4}(?=["'])/y
const LONGEST_BODY = 600

/** `getPassword() { return 'value' }`: the first literal that its body returns, in a branch of it too. */
export function readReturn(text: string, at: number): Read | undefined {
  BODY_BELOW.lastIndex = at
  if (BODY_BELOW.test(text)) return withForm('returned', readLiteral(text, BODY_BELOW.lastIndex, 'quoted'))
  BODY.lastIndex = at
  if (!BODY.test(text)) return undefined
  const start = BODY.lastIndex
  let depth = 0
  for (const { 0: found, index } of text.slice(start, start + LONGEST_BODY).matchAll(RETURN)) {
    if (found === '{') depth++
    else if (found !== '}') return withForm('returned', readLiteral(text, start + index + found.length, 'quoted'))
    else if (depth-- === 0) return undefined
  }
  return undefined
}

const LISTED = /\s{0,4}(?:,[\w$,\s]{0,80})?\]\s{0,4}=\s{0,4}\[/y
const PLAIN = /\s{0,20}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w$.]{1,80})\s{0,20},\s{0,20}/y

/** `[user, password] = ['svc', 'value']` */
export function readTogether(text: string, start: number, end: number): Read | undefined {
  LISTED.lastIndex = end
  if (!LISTED.test(text)) return undefined
  const before = /\[([\w$,\s]{0,80})$/.exec(text.slice(Math.max(0, start - 81), start))?.[1]
  if (before === undefined) return undefined
  return readNth(text, LISTED.lastIndex, before.split(',').length - 1)
}

const UNPACKED = /\s{0,4}(?:,\s{0,4}[\w$]{1,60}\s{0,4}){0,6}=\s{0,4}(?!=)/y

/** `user, password = "svc", "value"` of Python and Ruby. */
export function readUnpacked(text: string, start: number, end: number): Read | undefined {
  if (!/,\s{0,4}$/.test(text.slice(Math.max(0, start - 5), start))) return undefined
  UNPACKED.lastIndex = end
  if (!UNPACKED.test(text)) return undefined
  const at = UNPACKED.lastIndex
  const before = /^[ \t]{0,40}((?:[\w$]{1,60}\s{0,4},\s{0,4}){1,6})$/.exec(lineBefore(text, start, 300))?.[1]
  return before === undefined ? undefined : readNth(text, at, before.split(',').length - 1)
}

const COMMENTED = /\s{0,4}[:=]?\s{0,4}\*\/\s{0,4}(?=["'`])/y

/** An argument that a comment names: `(user, \/* password *\/ "value")`. */
export function readCommented(text: string, end: number): Read | undefined {
  COMMENTED.lastIndex = end
  return COMMENTED.test(text) ? withForm('call', readLiteral(text, COMMENTED.lastIndex, 'quoted')) : undefined
}

const SETTER = /[\w)\]]\.(?:set|put|add|append|with)\w{0,20}\(\s{0,20}$/i
const KEYED = /\s{0,2},\s{0,20}(?=["'`])/y

/** `p.setProperty(DestinationDataProvider.JCO_PASSWD, "value")`: the key is a constant. */
export function readKeyed(text: string, start: number, end: number): Read | undefined {
  KEYED.lastIndex = end
  if (!KEYED.test(text)) return undefined
  const at = KEYED.lastIndex
  if (!SETTER.test(text.slice(Math.max(0, start - 60), start))) return undefined
  const literal = readLiteral(text, at, 'quoted')
  return literal !== undefined && /^\s{0,4}\)/.test(text.slice(literal.end + 1, literal.end + 6))
    ? withForm('call', literal)
    : undefined
}

const COLUMNS = /["`]?\s{0,4}(?:,[\w"`,\s]{0,300})?\)\s{0,20}VALUES\s{0,20}\(/iy

/** `INSERT INTO users (name, password) VALUES ('a', 'value')` */
export function readInserted(text: string, start: number, end: number): Read | undefined {
  COLUMNS.lastIndex = end
  if (!COLUMNS.test(text)) return undefined
  const at = COLUMNS.lastIndex
  const before = /\bINTO\s{1,4}[\w"`.]{1,100}\s{0,4}\(([\w"`,\s]{0,300})$/i.exec(text.slice(Math.max(0, start - 420), start))?.[1]
  return before === undefined ? undefined : readNth(text, at, before.split(',').length - 1)
}

/** The literal behind others of a list. */
function readNth(text: string, start: number, others: number): Read | undefined {
  let at = start
  for (let skipped = others; skipped > 0; skipped--) {
    PLAIN.lastIndex = at
    if (!PLAIN.test(text)) return undefined
    at = PLAIN.lastIndex
  }
  return withForm('assigned', readLiteral(text, at, 'quoted'))
}

const NEXT =
  /<\/(?:\w{1,20}:)?(?:[\w-]{0,20}-)?(?:name|key|stringProp)>\s{0,80}<(?:\w{1,20}:)?(?:[\w-]{0,20}-)?(?:value|string|stringProp name="[\w.]{0,20}value")>/iy

const NEXT_CELL =
  /<\/(?:td|th|dt|b|strong|label)>:?\s{0,80}(?:<\/t[dh]>\s{0,80})?<(?:td|dd|code)(?:\s[^<>]{0,120})?>(?:<code>)?/iy

/** `<b>Password:</b> value` */
const BEHIND_LABEL = /<\/(?:b|strong|label|em)>:?[ \t]{0,4}(?=[^\s<])/iy

/** `<name>password</name><value>…</value>`; `<td>Password</td><td>…</td>` of a page, where only what was made up as one is a password. */
export function readNextElement(text: string, end: number): Read | undefined {
  const colon = text[end] === ':' ? 1 : 0
  NEXT_CELL.lastIndex = end + colon
  if (NEXT_CELL.test(text)) {
    const cell = readElement(text, NEXT_CELL.lastIndex)
    return cell !== undefined && isMadeUp(cell.value) ? withForm('element', cell) : undefined
  }
  BEHIND_LABEL.lastIndex = end + colon
  if (BEHIND_LABEL.test(text)) {
    const start = BEHIND_LABEL.lastIndex
    const value = /^[^\s<>{}]{8,200}(?=\s{0,4}<)/.exec(text.slice(start, start + 210))?.[0] ?? ''
    if (isMadeUp(value)) return { form: 'element', literal: { value, start, end: start + value.length, isQuoted: true } }
  }
  NEXT.lastIndex = end
  return NEXT.test(text) ? withForm('element', readElement(text, NEXT.lastIndex)) : undefined
}

const GOT = /\.(?:get|header|getHeader)\(\s{0,4}["'`]$/
const COMPARED = /\)\s{0,4}(?:===?|!==?)\s{0,4}(?=["'`])/y

/** `headers.get("X-Token") != "value"` */
export function readCompared(text: string, start: number, at: number): Read | undefined {
  COMPARED.lastIndex = at
  if (!COMPARED.test(text) || !GOT.test(text.slice(Math.max(0, start - 24), start))) return undefined
  return withForm('compared', readLiteral(text, COMPARED.lastIndex, 'quoted'))
}

const PIPED = /\s{1,4}\|\s{1,4}default\s{1,4}(?=["'`])/y
const DEFAULT_BEFORE = /\bdefault\s{1,4}"[^"\n]{4,200}"\s{1,4}$/

/** `{{ .Values.password | default "value" }}`, `{{ default "value" .Values.password }}` of Helm. */
export function readDefaultOfTemplate(text: string, start: number, end: number): Read | undefined {
  PIPED.lastIndex = end
  if (PIPED.test(text)) return withForm('assigned', readLiteral(text, PIPED.lastIndex, 'quoted'))
  const before = lineBefore(text, start, 240)
  const found = DEFAULT_BEFORE.exec(before)
  if (found === null) return undefined
  return withForm('assigned', readLiteral(text, start - before.length + found.index + found[0].indexOf('"'), 'quoted'))
}

const JOINED = /=["'`]\s{0,4}(?:\+|&&?)\s{0,4}(?=["'`])/y

/** `'?apikey=' + 'value'` */
export function readJoinedParameter(text: string, end: number): Read | undefined {
  JOINED.lastIndex = end
  return JOINED.test(text) ? withForm('parameter', readLiteral(text, JOINED.lastIndex, 'quoted')) : undefined
}

/** Setters, builders, and what a test does to a field: `iEnterPassword("…")`, `typePassword("…")`. */
const GIVING =
  /^(?:(?:set|with)\w{0,40}|password|passwd|passphrase|apiKey|secret|accessToken|clientSecret|(?:i|user|and|when)?_?(?:enter|type|typed|fill|fillIn|input|insert|provide|supply)_?(?:\w{0,24}_)?\w{0,24}(?:password|passwd|pwd|passphrase|secret|token))$/i

/** `setPassword("…")`, `.password("…")`. */
export function readCall(text: string, start: number, end: number, at: number): Read | undefined {
  const callee = text.slice(start, end).split('.').at(-1) ?? ''
  if (/^equals(?:IgnoreCase)?$/.test(callee)) return withForm('compared', readLiteral(text, at + 1, 'quoted'))
  if (!GIVING.test(callee)) return undefined
  const literal = readLiteral(text, at + 1, 'quoted')
  if (literal === undefined) return undefined
  return /^\s{0,4}\)/.test(text.slice(literal.end + 1, literal.end + 6)) ? { form: 'call', literal } : undefined
}

const MOVED = /\bMOVE\s{1,4}(?=['`])((['`])[^'`\n]{4,200}\2)\s{1,4}TO\s{1,4}$/i
const ASKED = /"[^"\n]{4,100}"\.equals\($/
const SUBSTITUTED = /\bs([/|#])[@%_{$<]{0,4}$/
const AFTER_PATTERN = /[@%_}>]{0,4}([/|#])([^\s/|#"'`]{4,200})\1/y

/** Where the value comes first: `MOVE 'value' TO lv_password` of ABAP; where the name is a pattern: `sed "s/@@PASSWORD@@/value/"`. */
export function readTurned(text: string, start: number, end: number): Read | undefined {
  if (text[start - 1] === ' ' && /o/i.test(text[start - 2] ?? '')) {
    const before = lineBefore(text, start, 240)
    const moved = MOVED.exec(before)
    if (moved !== null)
      return withForm('assigned', readLiteral(text, start - before.length + moved.index + moved[0].search(/['`]/), 'quoted'))
  }
  if (text[start - 1] === '(' && text.slice(start - 7, start - 1).endsWith('equals')) {
    const before = lineBefore(text, start, 160)
    const asked = ASKED.exec(before)
    if (asked !== null) return withForm('compared', readLiteral(text, start - before.length + asked.index, 'quoted'))
  }
  if (!/[/|#@%_}>]/.test(text[end] ?? '')) return undefined
  AFTER_PATTERN.lastIndex = end
  const [whole = '', , value = ''] = AFTER_PATTERN.exec(text) ?? []
  if (value === '' || !SUBSTITUTED.test(text.slice(Math.max(0, start - 8), start))) return undefined
  const from = end + whole.length - 1 - value.length
  return withForm('assigned', { value, start: from, end: from + value.length, isQuoted: true })
}

/** `"start": "cross-env ERP_PASSWORD=value node ."` */
export function isVariableInString(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== ' ' || !/^[A-Z][A-Z0-9_]{3,80}$/.test(text.slice(start, end))) return false
  return lineBefore(text, start, 300).split('"').length % 2 === 0
}
