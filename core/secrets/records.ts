import type { Budget } from '../budget.ts'
import { endOfName, nameHitsOf, startOfName, type Assignment } from './assignments.ts'
import { cellsOf } from './columns.ts'
import { countLook, permitted, type Layer } from './layers.ts'
import { isDrawn, isMade } from './made-up.ts'
import { createClassifier, type NameKind } from './names.ts'
import { isRandomLooking } from './randomness.ts'
import { classifyHost, isPlaceholder } from './values.ts'

/** Of a row in front of the name, and behind it. */
const REACH = 1500
/** Of the rows around it, which tell whose the credential is and what takes it. */
const ROWS_REACH = 4000
const SHORTEST = 12
const LONGEST = 200

/** A cell or a member of a record; offsets are those of the layer. `name`: of the column or the member, where it is known. */
interface Cell {
  readonly name?: string
  readonly value: string
  readonly start: number
  readonly end: number
}

/**
 * Credentials in tables of settings, whose rows have the name in one cell and the value in another: `INSERT INTO settings VALUES (4, 'client_secret', '', '…')`,
 * `4;client_secret;…` in a CSV file, `{ "code": "client_secret", "valueLow": "…" }` in data and requests. The same words stand in lists of codes and texts: only
 * what was drawn is a value.
 */
export function* findInRecords(layer: Layer, path: string, budget: Budget): Generator<Assignment> {
  const { text } = layer
  const kindOf = createClassifier()
  const isTable = /\.[ct]sv$/i.test(path)
  const head = isTable ? readHead(text) : undefined
  if (isTable && head === undefined) return
  for (const hit of permitted(layer, nameHitsOf(layer))) {
    const start = startOfName(text, hit)
    const end = endOfName(text, start, hit)
    const quote = text[start - 1] ?? '\n'
    if (!isTable && (!/["'`]/.test(quote) || text[end] !== quote)) continue
    budget.step()
    const name = text.slice(start, end)
    const kind = kindOf(name)
    if (kind === undefined || OF_SEVERAL.test(name)) continue
    countLook(budget, REACH)
    const cells = head !== undefined ? readRow(text, start, head) : (readTuple(text, start - 1) ?? readObject(text, start - 1))
    const value = cells && valueBeside(cells, { start, end }, kind)
    if (value === undefined) continue
    countLook(budget, 2 * ROWS_REACH)
    yield {
      name,
      kind,
      form: 'record',
      nameStart: Math.min(start, value.start),
      value: value.value,
      start: value.start,
      end: value.end,
      isQuoted: true,
      isComplete: isComplete(text, value, budget),
    }
  }
}

/** The user stands among them: rows of such a group are named by another cell. */
const OF_SEVERAL = /credentials?$/i

/** What columns and members of settings are called, in English, German and Spanish. */
const OF_NAME =
  /(?:^|[a-z\d_])(?:code|name|key|param(?:eter)?|property|field|attribute|setting|variable|id|schluessel|codigo|clave|nombre)\d?$/i
const OF_VALUE = /(?:^|[a-z\d_])(?:val|value|valor|wert|content|secret|low|setting|data)(?:[_-]?(?:low|high|text|string))?\d?$/i
/** Columns that hold what was drawn and opens nothing. */
const OF_OTHER = /(?:id|uuid|guid|hash|digest|checksum|etag|salt|user|by|at|key)\d?$/i

/** The first value of the row behind its name that was drawn, else the first in front of it. */
function valueBeside(cells: readonly Cell[], named: { start: number; end: number }, kind: NameKind): Cell | undefined {
  const at = cells.findIndex(({ start, end }) => start === named.start && end === named.end)
  const own = cells[at]
  if (own === undefined || (own.name !== undefined && !OF_NAME.test(own.name))) return undefined
  return [...cells.slice(at + 1), ...cells.slice(0, at)].find(({ name, value }) => {
    if (value.length < SHORTEST || value.length > LONGEST || /[\s<>{}]/.test(value)) return false
    if (name === undefined) return isDrawn(value)
    if (OF_VALUE.test(name)) return isRandomLooking(value) || (kind === 'password' && isMade(value))
    return !OF_OTHER.test(name) && isDrawn(value) && OF_NAME.test(own.name ?? '') && !OF_NAME.test(name)
  })
}

const LINE_END = /[\r\n]/

/** The first line of a CSV file. */
interface Head {
  readonly end: number
  readonly separator: string
  readonly names: readonly string[]
}

function readHead(text: string): Head | undefined {
  const begin = text.slice(0, REACH + 1)
  const end = begin.search(LINE_END)
  const line = begin.slice(0, Math.max(end, 0))
  const separator = [';', ',', '\t'].find((sign) => line.includes(sign))
  return separator === undefined ? undefined : { end, separator, names: line.split(separator) }
}

/** The cells of a line of a CSV file, by the names of its head. */
function readRow(text: string, at: number, { end: headEnd, separator, names }: Head): readonly Cell[] | undefined {
  // a line may be as long as the file: no further than what is read of one
  const first = Math.max(0, at - 2 * REACH)
  const from = first + text.slice(first, at).lastIndexOf('\n')
  const to = text.slice(at, at + 2 * REACH).indexOf('\n')
  const end = to === -1 ? text.length : at + to
  if (from < first || end - from > 2 * REACH || from < headEnd) return undefined
  return cellsOf(text, from + 1, end, separator).map(({ start, end: stop }, index) => ({
    name: (names[index] ?? '').replaceAll(/["'\s\uFEFF]/g, ''),
    value: text.slice(start, stop),
    start,
    end: stop,
  }))
}

/** `INSERT INTO settings (code, value) VALUES`: of HANA, SQLite and others alike. */
const INSERT =
  /\b(?:insert|upsert|replace)\s{1,20}(?:into\s{1,20})?[\w."`$[\]:]{1,120}\s{0,20}(?:\(([^()]{1,1000})\)\s{0,20})?values?\b/gi
/** In front of the parenthesis of a row. */
const BEFORE_ROW = /(?:\bvalues?|[),])\s{0,20}$/i
const CELL =
  /\s{0,20}(?:[NX]?'((?:[^'\\]|''|\\.){0,2000})'|"([^"]{0,2000})"|([^'",()]{0,200}(?:\([^()]{0,100}\))?))\s{0,20}([,)])/y

/** The cells of a row of an INSERT statement that holds a quoted name. */
function readTuple(text: string, at: number): readonly Cell[] | undefined {
  if (!/[(,]\s{0,20}N?$/.test(text.slice(Math.max(0, at - 22), at))) return undefined
  const from = Math.max(0, at - REACH)
  const open = text.slice(from, at).lastIndexOf('(') + from
  if (open < from || !BEFORE_ROW.test(text.slice(Math.max(0, open - 30), open))) return undefined
  const statement = [...text.slice(Math.max(0, open - ROWS_REACH), open).matchAll(INSERT)].at(-1)
  if (statement === undefined) return undefined
  const names = statement[1]?.split(',').map((name) => name.replaceAll(/["'`\s[\]]/g, ''))
  const cells: Cell[] = []
  CELL.lastIndex = open + 1
  for (let begin = open + 1; CELL.lastIndex - open < 2 * REACH;) {
    const cell = CELL.exec(text)
    if (cell === null) return undefined
    const value = cell[1] ?? cell[2] ?? cell[3] ?? ''
    const start = value === '' ? begin : text.indexOf(value, begin)
    const name = names?.[cells.length]
    cells.push({ value, start, end: start + value.length, ...(name !== undefined && { name }) })
    if (cell[4] === ')') break
    begin = CELL.lastIndex
  }
  return cells
}

const MEMBER = /["']?([\w.-]{1,60})["']?\s{0,4}:\s{0,4}(["'`])((?:(?!\2)[^\\\r\n]){0,400})\2/g

/** The texts of an object among whose values a quoted name stands. */
function readObject(text: string, at: number): readonly Cell[] | undefined {
  if (!/:\s{0,4}$/.test(text.slice(Math.max(0, at - 6), at))) return undefined
  const from = Math.max(0, at - REACH)
  const open = text.slice(from, at).lastIndexOf('{')
  const close = text.slice(at, at + REACH).search(/[{}]/)
  if (open === -1 || close === -1 || text[at + close] !== '}') return undefined
  const begin = from + open + 1
  return [...text.slice(begin, at + close).matchAll(MEMBER)].map(({ 0: whole, 1: name = '', 3: value = '', index }) => {
    const end = begin + index + whole.length - 1
    return { name, value, start: end - value.length, end }
  })
}

/** A cell that is called after a client or a user, and the value in the same row. */
const CLIENT =
  /["';,\t](?:\w{1,30}[_-])?(?:client[_-]?id|consumer[_-]?(?:id|key)|user(?:[_-]?(?:name|id))?)["';,\t][^(){}\r\n]{0,200}(?:\r?\n[^(){}\r\n]{0,200}){0,4}?["';,\t]((?=[\w@.!|+-]{0,60}\d)[\w@.!|+-]{6,200})(?=["';,\t\r\n])/gi
/** What takes it: addresses of tokens, logins and APIs. */
const ADDRESS = /\bhttps:\/\/([\w.-]{4,200})([^\s"'`;,<>]{0,300})/gi

/** Whether rows around a credential name its client, with a value, and the public address that takes both. */
function isComplete(text: string, { start, end }: { start: number; end: number }, budget: Budget): boolean {
  const around = text.slice(Math.max(0, start - ROWS_REACH), end + ROWS_REACH)
  const isNamed = [...around.matchAll(ADDRESS)].some(
    ([, host = '', path = '']) => /token|auth|login|api/i.test(host + path) && classifyHost(host) === 'public',
  )
  if (!isNamed) return false
  // behind each name it looks at up to 1,000 characters
  countLook(budget, 10 * around.length)
  return [...around.matchAll(CLIENT)].some(([, client = '']) => !isPlaceholder(client))
}
