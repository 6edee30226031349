import type { Form, Read } from './assignments.ts'
import type { Dialect } from './dialect.ts'
import { readValueBelow } from './fallbacks.ts'
import { lineBefore } from '../parse/position.ts'
import { readElement, readLiteral, type Literal } from './literal.ts'

export function withForm(form: Form, literal: Literal | undefined): Read | undefined {
  return literal === undefined ? undefined : { form, literal }
}

const NAMED_BY =
  /(?:^|[\s{(,<"'])(?:i[vp]?_)?(?:name|key|id|property|param|parameter|variable|header)["']?\s{0,4}[:=]\s{0,4}\\{0,4}["'`]$/i
const CALLEE =
  /(?:^|[^\w])(?:set|put|add|append|get|getenv|getProperty|getOrDefault|setProperty|setItem|setHeader|header|defaultHeader|setRequestHeader|define|property|env|param|parameter|field|withHeader|setenv|putenv|setEnvironmentVariable|setdefault|queryParam|addQueryParameter|addParameter|setParameter|addHeader|addQueryParam|option|config|conf)\(\s{0,8}\\{0,4}["'`](?:\/[\w/]{0,40}|[\w:]{1,60}:)?$/i

/** `{ "key": "password", "value": "…" }`, `<add key="password" value="…"/>`, `put("password", "…")`: the name is a value itself. */
export function readEntry(text: string, start: number, at: number, dialect: Dialect): Read | undefined {
  const before = text.slice(Math.max(0, start - 80), start)
  // Terraform: `variable "db_password" { default = "…" }`, `output "db_password" { value = "…" }`
  if (/\b(?:variable|output)\s{1,4}"$/.test(before)) {
    const value = /^\s{0,4}\{[^{}]{0,200}?\b(?:default|value)\s{0,12}=\s{0,4}(?=")/.exec(text.slice(at, at + 240))?.[0]
    return value === undefined ? undefined : withForm('assigned', readLiteral(text, at + value.length, 'quoted'))
  }
  if (NAMED_BY.test(before)) {
    const rest = text.slice(at, at + 260)
    const value = /^[^{}<>]{0,200}?\b(?:(?:i[vp]?_|default)?value|content)\\{0,4}["']?\s{0,4}[:=]\s{0,4}/i.exec(rest)?.[0]
    const above = dialect === 'yaml' && value === undefined ? readValueAbove(text, start) : undefined
    if (above !== undefined) return above
    if (value !== undefined)
      return withForm('entry', readLiteral(text, at + value.length, dialect === 'yaml' ? 'yaml' : 'quoted'))
    const earlier = readValueBefore(text, start)
    if (earlier !== undefined) return earlier
    const tag = /^[^<>{}]{0,80}>(?:\s{0,40}<(?:\w{1,20}:)?value>)?/.exec(rest)?.[0]
    return tag === undefined ? undefined : withForm('entry', readElement(text, at + tag.length))
  }
  // credentials of users in an export of Keycloak: `{ "type": "password", "value": "…" }`
  if (/\btype["']?\s{0,4}[:=]\s{0,4}["']$/.test(before) && /^password["']/.test(text.slice(start, start + 9))) {
    const typed = /^,\s{0,40}["']?value["']?\s{0,4}[:=]\s{0,4}(?=["'])/.exec(text.slice(at, at + 80))?.[0]
    if (typed !== undefined) return withForm('entry', readLiteral(text, at + typed.length, 'quoted'))
  }
  // what a scenario says: `fill in "Password" with "…"`, `fill_in "Password", with: "…"`
  const said = /^(?:,\s{0,4}with:|with|as)\s{1,4}(?=["'])/.exec(text.slice(at, at + 12))?.[0]
  if (said !== undefined) return withForm('filled', readLiteral(text, at + said.length, 'quoted'))
  // Kotlin: `"password" to "…"`
  if (text.startsWith('to "', at)) return withForm('call', readLiteral(text, at + 3, 'quoted'))
  if (/\boption\(\s{0,8}["'`]$/.test(before)) {
    const option = /^,\s{0,8}\{[^{}]{0,200}?\bdefault\s{0,4}:\s{0,4}(?=["'`])/.exec(text.slice(at, at + 240))?.[0]
    if (option !== undefined) return withForm('call', readLiteral(text, at + option.length, 'quoted'))
  }
  if (text[at] !== ',' || !(CALLEE.test(before) || isKeyOfPair(text, start, at))) return undefined
  const gap = /^,\s{0,20}/.exec(text.slice(at, at + 24))?.[0] ?? ','
  return withForm('call', readLiteral(text, at + gap.length, 'quoted'))
}

const VALUE_BEFORE = /\{[^{}]{0,120}?"value"\s{0,4}:\s{0,4}"([^"\\\r\n]{4,200})"[^{}]{0,120}$/

/** `{ "value": "…", "key": "password" }` */
function readValueBefore(text: string, start: number): Read | undefined {
  const from = Math.max(0, start - 400)
  const found = VALUE_BEFORE.exec(text.slice(from, start))
  if (found === null) return undefined
  const [whole, value = ''] = found
  const at = from + found.index + whole.indexOf(`"${value}"`, whole.indexOf('"value"') + 7)
  return withForm('entry', readLiteral(text, at, 'quoted'))
}

/** `- name: DB_PASSWORD` and `value: …` on the next line. */
export function readBareEntry(text: string, start: number, end: number, dialect: Dialect): Read | undefined {
  if (dialect !== 'yaml' || !/(?:^|[\s{-])(?:name|key):[ \t]{1,4}$/.test(text.slice(Math.max(0, start - 20), start)))
    return undefined
  const below = readValueBelow(text, end)
  if (below !== undefined) return withForm('entry', below)
  const found = /^,[ \t]{0,4}value:[ \t]{1,8}/.exec(text.slice(end, end + 40))?.[0]
  return found === undefined ? readValueAbove(text, start) : withForm('entry', readLiteral(text, end + found.length, 'yaml'))
}

/** `- value: …` and `name: DB_PASSWORD` on the next line. */
function readValueAbove(text: string, start: number): Read | undefined {
  const line = text.lastIndexOf('\n', start)
  if (line === -1 || start - line > 80 || !/^[ \t]{0,60}name:[ \t]{1,4}["']?$/.test(text.slice(line + 1, start))) return undefined
  const above = lineBefore(text, line, 300)
  const value = /^[ \t]{0,60}(?:-[ \t]{1,8})?value:[ \t]{1,8}/.exec(above)?.[0]
  return value === undefined ? undefined : withForm('entry', readLiteral(text, line - above.length + value.length, 'yaml'))
}

const OF_MAP = /\bMap\.of\((?:[^()]{0,300},)?\s{0,20}$/

/** `Map.of("user", "…", "password", "…")`, `new Map([['password', '…']])`: a list of two, in a list. */
function isKeyOfPair(text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(0, start - 320), start - 1)
  if (OF_MAP.test(before)) return (before.slice(before.lastIndexOf('Map.of(')).match(/,/g) ?? []).length % 2 === 0
  if (!/[[,(]\s{0,20}\[\s{0,4}$/.test(before.slice(-30))) return false
  const literal = readLiteral(text, at + 1 + (/^\s{0,20}/.exec(text.slice(at + 1, at + 24))?.[0].length ?? 0), 'quoted')
  return literal !== undefined && /^\s{0,4}\]/.test(text.slice(literal.end + 1, literal.end + 6))
}
