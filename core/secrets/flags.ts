import type { Read } from './assignments.ts'
import type { Dialect } from './dialect.ts'
import { withForm } from './entries.ts'
import { lineBefore } from '../parse/position.ts'
import { readLiteral } from './literal.ts'

const FLAG = /^--|^-[A-Za-z]{4}/
// the last form is that of commander: flags, a description, the default
const FLAG_END =
  /^(?:=|[ \t]{1,8}(?![<[])|["'],(?:\s{0,4}["'][^()"'\n]{1,30}["'],)?[^()"']{0,80}\bdefault=(?=["'])|["'],\s{0,8}(?=["'])|\s[<[][^<>[\]]{1,30}[\]>](["'`]),\s{0,8}(["'`])[^"'`]{0,120}\2,\s{0,8}(?=["'`]))/

/** `--secret id=npm,env=NPM_TOKEN`: where a secret is, and where it shall be. Facts: references of `docker build`, `docker service create` and `podman run`. */
const MOUNTED = /^(?:[\w.-]{1,80},)?(?:(?:type|id|src|source|env|target|uid|gid|mode)=[^,\s]{1,200}(?:,|$)){1,8}$/

/** `--password value`, `--password=value`, `-storepass value`, `ENV PASSWORD value`. */
export function readFlag(text: string, start: number, end: number, dialect: Dialect): Read | undefined {
  if (FLAG.test(text.slice(start, start + 5)) && /[\s"'`([,]/.test(text[start - 1] ?? ' ')) {
    const gap = FLAG_END.exec(text.slice(end, end + 240))?.[0]
    if (gap === undefined || (text[end + gap.length] === '-' && gap !== '=')) return undefined
    const literal = readLiteral(text, end + gap.length, 'shell')
    return literal !== undefined && MOUNTED.test(literal.value) ? undefined : withForm('flag', literal)
  }
  if (dialect !== 'shell' || text[end] !== ' ') return undefined
  const line = lineBefore(text, start, 41)
  if (line.length > 40 || !/^\s{0,8}(?:ENV|ARG|setx?(?:\s{1,4}-\w{1,4})?)\s{1,8}$/i.test(line)) return undefined
  return withForm('assigned', readLiteral(text, end + 1, 'shell'))
}

const VARIABLE_ROW = /\}[ \t]?=?(?:[ \t]{2,20}|\t)(?=[^\s$%&@#])/y

/** `${PASSWORD}    value` of Robot Framework, whose cells two blanks divide. */
export function readVariableRow(text: string, start: number, end: number): Read | undefined {
  VARIABLE_ROW.lastIndex = end
  if (!VARIABLE_ROW.test(text) || lineBefore(text, start - 2, 4).trim() !== '') return undefined
  return withForm('assigned', readLiteral(text, VARIABLE_ROW.lastIndex, 'shell'))
}

/** `SetEnv PASSWORD "value"` of Apache, `user admin insecure-password value` of HAProxy. */
const LINE_BEFORE =
  /^[ \t]{0,80}(?:(?:SetEnv|proxy_set_header|add_header)[ \t]{1,4}|user[ \t]{1,4}[\w.@-]{1,60}[ \t]{1,4}|[^\r\n]{0,100}[;{][ \t]{1,4}(?:username|user)[ \t]{1,4}['"][^'"\r\n]{1,60}['"];[ \t]{1,4})?$/
const REST_OF_LINE = /[ \t]{0,20};?[ \t]{0,8}(?:$|[\r\n}])/y

/** A line of a name and its value with nothing between: `password 'value'` of Gradle, `password value` of configuration files. */
export function readStatement(text: string, start: number, end: number, at: number, dialect: Dialect): Read | undefined {
  if (dialect !== 'quoted' && dialect !== 'line') return undefined
  if (dialect === 'quoted' && !/["'`@bfLNru]/i.test(text[at] ?? '')) return undefined
  if (/[\r\n]/.test(text.slice(end, at)) || !LINE_BEFORE.test(lineBefore(text, start, 121))) return undefined
  const literal =
    dialect === 'line' && !/["'`=:]/.test(text[at] ?? '') ? readLiteral(text, at, 'shell') : readLiteral(text, at, 'quoted')
  if (literal === undefined) return undefined
  REST_OF_LINE.lastIndex = literal.end + (/["'`]/.test(text[literal.end] ?? '') ? 1 : 0)
  return REST_OF_LINE.test(text) ? withForm('assigned', literal) : undefined
}
