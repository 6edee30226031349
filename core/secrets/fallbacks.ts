import type { Read } from './assignments.ts'
import { withForm } from './entries.ts'
import { readLiteral, type Literal } from './literal.ts'

/** Calls around a literal that leave it what it is, or give it where nothing else is set. */
const WRAPPED =
  /^(?:new\s{1,4})?(?:String|Buffer\.from|Field|SecretStr|atob|[\w.]{0,20}b64decode|bytes|Encoding\.\w{1,10}\.GetBytes|\[\]byte|z\s{0,20}\.string\(\)\s{0,20}\.default)?\(\s{0,8}(?:default\s{0,2}=\s{0,2})?(?=["'`]|b["'])/
const RAW = /^String\.raw(?=`)/
const ARROW =
  /^(?:async\s{1,4})?\([^()"'`]{0,80}\)\s{0,4}(?::\s{0,4}[\w<>[\]| ]{1,40})?=>\s{0,4}(?:\{\s{0,40}return\s{1,4})?(?=["'`])/
/** `process.env.PASSWORD || 'value'`, `System.getenv("PASSWORD") ?: "value"`, `os.environ.get("PASSWORD") or "value"` */
const OTHERWISE =
  /^[\w$.]{1,80}(?:[([?]{1,3}\s{0,2}["'`]?[\w.:-]{1,80}["'`]?\s{0,2}[\])])?\s{0,4}(?:\|\||\?\?|\?:|\bor\b)\s{0,4}(?=["'`])/
/** `Optional.ofNullable(System.getenv("PASSWORD")).orElse("value")` */
const OR_ELSE = /^[\w$.]{1,60}\([\w$.]{1,60}(?:\(["'][\w.-]{1,60}["']\))?\)\s{0,8}\.orElse\(\s{0,4}(?=")/
const CONDITION = /^[\w$.[\]?!=()'" ]{1,120}$/
const CHOSEN = /^\?\s{0,4}(?:[\w$.[\]?]{1,80}(?:\(\s{0,2}["'][\w.-]{1,60}["']\s{0,2}\))?\s{0,4}:\s{0,4})?(?=["'`])/
/** `{ "value": "…" }` of parameters and variables. */
const OBJECT = /^\{\s{0,40}["']?(?:value|default|defaultValue)["']?\s{0,4}[:=]\s{0,4}(?=["'`])/
const TYPE = /^[A-Za-z_][\w.<>[\]| ]{0,60}=\s{0,4}(?=\w)/
/** The first of several that are valid at a time. */
const LIST = /^\[\s{0,20}(?=["'`])/
const REACH = 240

/** A literal behind what stands first: `password = process.env.PASSWORD || 'value'`, `new String("value")`. */
export function readFallback(text: string, start: number, name: string): Read | undefined {
  const typed = TYPE.exec(text.slice(start, start + 80))?.[0].length ?? 0
  const at = start + typed
  const rest = text.slice(at, at + REACH)
  const isAssigned = typed > 0 || isBehindSign(text, start)
  const forms = [
    WRAPPED,
    RAW,
    ARROW,
    OBJECT,
    OTHERWISE,
    ...(/(?:secret|key|token)s?$/i.test(name) ? [LIST] : []),
    ...(isAssigned ? [OR_ELSE] : []),
  ]
  for (const form of forms) {
    const gap = form.exec(rest)?.[0]
    if (gap !== undefined) return withForm(form === ARROW ? 'returned' : 'assigned', readLiteral(text, at + gap.length, 'quoted'))
  }
  return isAssigned ? readChoice(text, at, rest) : undefined
}

const LONGEST_GAP = 40

/** Behind `=` or `?`, with blanks between. */
function isBehindSign(text: string, start: number): boolean {
  let at = start - 1
  while (at > start - LONGEST_GAP && /\s/.test(text[at] ?? '')) at--
  return text[at] === '=' || text[at] === '?'
}

const MOST_MARKS = 4

/** `isProduction ? other : 'value'`; other question marks are those of `?.` and `??`. */
function readChoice(text: string, at: number, rest: string): Read | undefined {
  let mark = rest.indexOf('?')
  for (let seen = 0; seen < MOST_MARKS && mark > 0; seen++) {
    if (!CONDITION.test(rest.slice(0, mark))) return undefined
    const gap = CHOSEN.exec(rest.slice(mark))?.[0]
    if (gap !== undefined) return withForm('assigned', readLiteral(text, at + mark + gap.length, 'quoted'))
    mark = rest.indexOf('?', mark + 1)
  }
  return undefined
}

const BELOW =
  /(?:[ \t]{0,8}\r?\n[ \t]{1,40}(?:type|displayName|description):[^\r\n]{0,80}){0,3}[ \t]{0,8}\r?\n[ \t]{1,40}(?:value|default|defaultValue):[ \t]{1,8}/y

/** `PASSWORD:` and `value: …` on a line below, further in. */
export function readValueBelow(text: string, end: number): Literal | undefined {
  BELOW.lastIndex = end
  return BELOW.test(text) ? readLiteral(text, BELOW.lastIndex, 'yaml') : undefined
}
