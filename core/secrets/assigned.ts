import type { Read } from './assignments.ts'
import type { Dialect } from './dialect.ts'
import { readBareEntry, readEntry, withForm } from './entries.ts'
import { readFallback, readValueBelow } from './fallbacks.ts'
import { readFlag, readStatement, readVariableRow } from './flags.ts'
import { readFilled } from './inputs.ts'
import { lineBefore } from '../parse/position.ts'
import { readDefault, readElement, readLiteral, readParameter, readPart, readUpTo, type Literal } from './literal.ts'
import {
  isVariableInString,
  readCall,
  readCommented,
  readCompared,
  readDefaultOfTemplate,
  readInserted,
  readJoinedParameter,
  readKeyed,
  readNextElement,
  readReturn,
  readTogether,
  readTurned,
  readUnpacked,
} from './structures.ts'

const CLOSING = /\\{0,4}["'`]?\]?\s{0,20}/y
/** `DATA(lv_password) = 'value'` of ABAP. */
const DECLARED = /^(?:DATA|FINAL)\($/i
const TYPED = /[?!]?:\s{0,4}[A-Za-z_][\w.<>[\]| ]{0,60}=(?![=>])\s{0,8}(?=["'`])/y
/** `"//npm.corp.cloud/:_authToken" "value"` of Yarn 1. */
const AFTER_QUOTED = /"[ \t]{1,4}(?=")/y
const ABAP =
  /(?:\(\d{1,4}\))?\s{1,20}TYPE\s{1,8}[\w-]{1,30}(?:\s{1,4}(?:LENGTH\s{1,4}\d{1,4}|LOWER\s{1,4}CASE|OBLIGATORY)){0,3}\s{1,8}(?:VALUE|DEFAULT)\s{1,8}/iy
/** `var password string = "value"` of Go, `param password string = 'value'` of Bicep, of SQLScript, properties of C#. */
const TYPE_BEHIND =
  /\s{1,4}(?:string|\[\]byte|N?VARCHAR\s?\(\d{1,4}\)|\{ get; (?:(?:set|init|private set); )?\})\s{0,4}:?=(?!=)\s{0,4}(?=["'`])/iy
const OPERATOR = /(?::=|\?=|=>|===?|!==?|\|\|=|\?\?=|\|\||\?\?|[:=])[ \t]{0,40}(?:\r?\n[ \t]{0,60}(?=["'`]))?/y
const NOT_ASSIGNED = /[<>!+*/%^-]=$/

/** With these a type begins: `password?: string`, `lv_password TYPE string`, `password(20) TYPE c`. */
const TYPE_SIGNS = '?!:'
const TYPE_LEADS = ' \t\r\n('

/** Where a sticky form ends that begins at an offset. */
export function endOf(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : undefined
}

/** What a name of code or settings is given: all forms, the most telling first. */
export function readAssignment(text: string, start: number, end: number, dialect: Dialect): Read | undefined {
  const before = text[start - 1] ?? ''
  const flag = readFlag(text, start, end, dialect)
  if (flag !== undefined) return flag
  const joined = text[end] === '=' ? readJoinedParameter(text, end) : undefined
  if (joined !== undefined) return joined
  // `user===name&&account.password===entered` of code without blanks is no parameter
  const isParameter = (before === '?' || before === '&' || text.slice(start - 5, start) === '&amp;') && text[end] === '='
  if (isParameter && text[end + 1] !== '=') return withForm('parameter', readParameter(text, end + 1))
  if (text[end] === '=' && text[start - 2] === '\\') return withForm('part', readParameter(text, end + 1))
  if (before === ';' && text[end] === '=') {
    const quote = quoteBefore(text, start)
    // in quotes of its own: `'user="a";password="b"'`
    const isInner = /["']/.test(text[end + 1] ?? '') && text[end + 1] !== quote
    if (quote !== '') return withForm('part', isInner ? readLiteral(text, end + 1, 'quoted') : readPart(text, end + 1))
  }
  if (before === '<' || (before === ':' && /<[\w.-]{1,40}:$/.test(text.slice(Math.max(0, start - 42), start))))
    return withForm('element', readContent(text, end))
  if (text[end] === '}' && text.slice(start - 2, start) === '${') return readVariableRow(text, start, end)
  if (text[end] === ':' && text.slice(start - 2, start) === '${') return withForm('assigned', readDefault(text, end + 1))
  if (text[end] === '=' && /["']/.test(before)) {
    const inString = readPart(text, end + 1)
    if (inString !== undefined && text[inString.end] === before) return withForm('parameter', inString)
  }
  if (text[end] === ')' && DECLARED.test(text.slice(Math.max(0, start - 6), start).trimStart()))
    return withForm(
      'assigned',
      readLiteral(text, end + (/^\)\s{0,4}=\s{0,4}/.exec(text.slice(end, end + 12))?.[0].length ?? 1), 'quoted'),
    )
  if (dialect === 'quoted' && text[end] === '=' && isVariableInString(text, start, end))
    return withForm('assigned', readLiteral(text, end + 1, 'shell'))
  if (dialect === 'quoted' && text[end] === '=' && before === ' ' && KEYWORDS.test(lineBefore(text, start, 200)))
    return withForm('part', readLiteral(text, end + 1, 'shell'))
  CLOSING.lastIndex = end
  const closing = CLOSING.exec(text)?.[0] ?? ''
  // a path of a model: `setProperty("/password", …)`
  const isQuotedName = /["'`]/.test(closing) && /["'`/:]/.test(before)
  const at = end + closing.length
  if (dialect === 'line' && text[end] === '"' && before === ':') {
    AFTER_QUOTED.lastIndex = end
    if (AFTER_QUOTED.test(text)) return withForm('assigned', readLiteral(text, AFTER_QUOTED.lastIndex, 'quoted'))
  }
  if (isQuotedName) {
    const entry = readEntry(text, start, at, dialect)
    if (entry !== undefined) return entry
  } else if (dialect === 'yaml' || dialect === 'shell') {
    const entry = readBareEntry(text, start, end, dialect)
    if (entry !== undefined) return entry
  }
  const turned = readTurned(text, start, end)
  if (turned !== undefined) return turned
  const filled = readFilled(text, start, end)
  if (filled !== undefined) return filled
  const next = text[at] ?? ''
  const typed =
    (TYPE_SIGNS.includes(next) ? endOf(TYPED, text, at) : undefined) ??
    (TYPE_LEADS.includes(text[end] ?? '-') ? (endOf(ABAP, text, end) ?? endOf(TYPE_BEHIND, text, end)) : undefined)
  if (typed !== undefined) return withForm('assigned', readLiteral(text, typed, 'quoted'))
  if (closing.trim() === '' && closing !== '') {
    const found = readStatement(text, start, end, at, dialect)
    if (found !== undefined) return found
  }
  if (text[at] === '(') return readCall(text, start, end, at) ?? readReturn(text, at)
  const compared = isQuotedName && text[at] === ')' ? readCompared(text, start, at) : undefined
  if (compared !== undefined) return compared
  if (text[start] === '.' && dialect === 'yaml') {
    const other = readDefaultOfTemplate(text, start, end)
    if (other !== undefined) return other
  }
  if (before === '>' && /^:?<\//.test(text.slice(end, end + 3))) return readNextElement(text, end)
  if (dialect === 'quoted' && /[[,\s("`]/.test(before)) {
    const isListed = next === ',' || next === ')' || next === ']' || text[end] === ']'
    const found =
      (isListed
        ? (readKeyed(text, start, end) ?? readTogether(text, start, end) ?? readInserted(text, start, end))
        : undefined) ??
      readUnpacked(text, start, end) ??
      readCommented(text, end)
    if (found !== undefined) return found
  }
  OPERATOR.lastIndex = at
  const operator = OPERATOR.exec(text)?.[0].trim()
  if (operator === undefined || NOT_ASSIGNED.test(text.slice(at - 1, at + 1))) return undefined
  const isCompared = /^(?:===?|!==?)$/.test(operator)
  // in code a bare word is a name; `a ? b : c`
  const isVariable = dialect === 'shell' && text[start] === '$'
  const valueDialect = isVariable || isCompared || operator === '||' || operator === '??' || isQuotedName ? 'quoted' : dialect
  if (isQuotedName && dialect === 'yaml' && operator === ':')
    return withForm('assigned', readLiteral(text, OPERATOR.lastIndex, 'yaml'))
  // a header in quotes: `curl -H 'APIKey: value'`
  if (valueDialect === 'shell' && operator === ':' && /["']/.test(before))
    return withForm('assigned', readUpTo(text, OPERATOR.lastIndex, before))
  // `-passout pass:value` is a word, `password: value` a line
  if (valueDialect === 'shell' && operator === ':')
    return withForm('assigned', readLiteral(text, OPERATOR.lastIndex, OPERATOR.lastIndex === at + 1 ? 'shell' : 'line'))
  const literal = readLiteral(text, OPERATOR.lastIndex, valueDialect) ?? readNumber(text, OPERATOR.lastIndex, isQuotedName)
  if (literal === undefined && dialect === 'yaml' && operator === ':') return withForm('entry', readValueBelow(text, at + 1))
  if (literal === undefined && operator !== '||' && valueDialect === 'quoted')
    return readFallback(text, OPERATOR.lastIndex, text.slice(start, end))
  return withForm(isCompared ? 'compared' : 'assigned', literal)
}

/** The attributes of a start tag that says no digest stands behind it: `<wsse:Password Type="…#PasswordText">`. */
const ATTRIBUTES = /\s(?:[^<>"']|"[^"<>]{0,300}"|'[^'<>]{0,300}'){0,80}(?<![/?])>/y

const ENCODED = /digest|hash|encrypt\w{0,6}["']?\s{0,2}=\s{0,2}["'](?!false|no)/i

/** The text of the element whose name ends at an offset. */
function readContent(text: string, end: number): Literal | undefined {
  if (text[end] === '>') return readElement(text, end + 1)
  const tagEnd = endOf(ATTRIBUTES, text, end)
  return tagEnd === undefined || ENCODED.test(text.slice(end, tagEnd)) ? undefined : readElement(text, tagEnd)
}

function readNumber(text: string, start: number, isQuotedName: boolean): Literal | undefined {
  const digits = isQuotedName ? /^\d{6,40}(?=\s{0,8}[,}\r\n])/.exec(text.slice(start, start + 50))?.[0] : undefined
  return digits === undefined ? undefined : { value: digits, start, end: start + digits.length, isQuoted: true }
}

/** Of a connection string of libpq: `host=… user=… password=…`. */
const KEYWORDS = /["'`](?:[^"'`]{0,120}\s)?(?:host|hostaddr|dbname|user|port|server)=[^"'`]{0,120}$/i

/** The quote that opens the text of a connection string, not far to the left. */
function quoteBefore(text: string, start: number): string {
  const line = lineBefore(text, start, 300)
  return /=/.test(line) ? (/["']/.exec(line)?.[0] ?? '"') : ''
}
