import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { collectExpressions, type OwnExpression } from './collect.ts'
import { createProvenList } from './proven.ts'
import { findSlowInput } from './pump.ts'

// the build in plain JavaScript: no process, no network, the same on every machine
const checker: unknown = createRequire(import.meta.url)('recheck/lib/browser.js')

const verdict = z.object({
  status: z.enum(['safe', 'vulnerable', 'unknown']),
  complexity: z.object({ type: z.string(), summary: z.string() }).optional(),
})

/** Whether the expression is linear in its input, by its automaton. Undefined: the checker can't tell, or not in time. */
function isLinear({ source, flags }: OwnExpression, timeout: number): boolean | undefined {
  if (typeof checker !== 'object' || checker === null || !('checkSync' in checker) || typeof checker.checkSync !== 'function')
    throw new Error('recheck has no checkSync')
  try {
    const found = verdict.parse(checker.checkSync(source, flags, { checker: 'automaton', timeout }))
    return found.status === 'unknown' ? undefined : found.status === 'safe'
  } catch (error) {
    // its parser of large repetitions recurses
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Those over texts of our own: the pages of rules. */
const OVER_OWN_TEXTS = ['report/writers/rule-samples.ts']

/**
 * What the checker can't decide: references, looking behind, and repetitions with bounds, which it writes out. Each is anchored or bounded, and is tried
 * with inputs made of its own parts.
 */
const UNDECIDED: ReadonlySet<string> = new Set([
  String.raw`/^[\s("]*(?:select\s[^]*?\sfrom\s|insert\s+into\s|upsert\s|merge\s+into\s|update\s[^]*?\sset\s|delete\s+from\s|truncate\s+table\s|call\s+["\w.:?]+|with\s+[\w"]+\s+as\s*\()/i`,
  String.raw`/\bfrom\s+(?:dummy|sys\.|m_|"?public"?\."?m_|sqlite_|pg_|information_schema)|^\s*select\s+1\b/i`,
  String.raw`/\b(\w{1,200})=("[^"]*"|'[^']*'|[^\s"']*)/g`,
  String.raw`/@flow\b|^[ \t]*import[ \t]+type(?:of)?\b/m`,
  String.raw`/\\[ \t]{0,20}\r?\n|(?<=\n)[ \t]{0,200}#[^\n]*/g`,
  String.raw`/^(?:TABLE|INT|INTEGER|TINYINT|SMALLINT|BIGINT|DECIMAL|SMALLDECIMAL|DEC|NUMERIC|REAL|DOUBLE|FLOAT|DATE|TIME|TIMESTAMP|SECONDDATE|DAYDATE|BOOLEAN|(?:VAR)?BINARY|BLOB|ST_\w+|ARRAY|ROW)$/`,
  String.raw`/^(?:\s|;|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/`,
  String.raw`/^(?:\w*_)?(?:user|login|initial|temp(?:orary)?|hashed|plain|encrypted)?_?(?:password|passwd|passwort|pwd)(?:_?(?:hash|hashed|value))?$/i`,
  String.raw`/^(?:\w*_)?e?_?mail(?:_?address|_?id)?$|^\w{0,20}email(?:address)?$/i`,
  String.raw`/^(?:message(?:[.\s]|$)|\S{1,40}\s+message(?:[.\s]|$))/`,
  String.raw`/^(?:v?\d+(?:\.\d+){1,2}[\w.+-]{0,50}|semver:.{1,100})$/i`,
  String.raw`/^(?:|true|false|null|yes|no|x|\*+|-+|\d{1,3}|\d{4}-\d\d-\d\d.{0,40}|<[^>]{0,100}>|\$\{.{0,100}|changeme|tbd|n\/a)$/i`,
  String.raw`/^(["']).*\1$/`,
  String.raw`/^(\s+)["']?([\w.-]{1,120})["']?:[ \t]+["']?([^\s"'|>]{4,4000})["']?,?\s*$/`,
  String.raw`/^(\w{1,200})[ \t]+([^\s=][^\r\n]*)$/`,
  String.raw`/^[ \t]*"?([^\s"#]{1,300})"?[ \t]+([^\r\n]{1,2000})$/gm`,
  String.raw`/^[ \t]*([^\s#][^\r\n]{0,100})/m`,
  String.raw`/^[ \t]*([^\s=;#[][^\r\n=]{0,300})(?:=([^\r\n]{0,2000}))?$/gm`,
  String.raw`/^[ \t]{0,200}(?:#|\/\/)[^\n]*/gm`,
  String.raw`/^[\^/\\]*(?:live(?:ness)?|ready|readiness|ping|status|info|version|robots|manifest|logo|images?|img|css|fonts?|assets|static|public|(?:[\w-]{1,50}\\?\.)?(?:html?|ico|png|svg|css|txt|json))\b/i`,
  String.raw`/^[\s("]*(?:select\s[^]*?\sfrom\s|insert\s+into\s|upsert\s|merge\s+into\s|update\s[^]*?\sset\s|delete\s+from\s|call\s|truncate\s+table\s|(?:drop|alter|create)\s+(?:table|view|schema|user|role)\s|set\s+schema\s)/i`,
  String.raw`/^[\w.@\\!|-]{1,100}:\S{4,}$/`,
  String.raw`/^\s{0,10}$|^<[^<>]{0,100}>$|^(?:xxx+|changeme|todo|tbd|\.\.\.)$/i`,
  String.raw`/client[_-]?id|xsappname|uaadomain|\bsb-[\w!|-]{4,}/i`,
  String.raw`/parapet-disable-next-line[ \t]{0,8}([a-z0-9/, -]{0,300}?)(?:[ \t]{0,8}--(?!>)[ \t]{0,8}([^\r\n]+))?(?=[\r\n]|$|\*\/|-->)/g`,
])

/** Files that make expressions of texts: of rows of our tables, of a value whose every character is escaped, or after their steps were counted. */
const MAKERS = [
  'facts/regex/places.ts',
  'facts/regex/places.ts',
  'facts/vendored.ts',
  'facts/vendored.ts',
  'keywords/words-of.ts',
  'model/approuter/rewrite.ts',
  'model/approuter/route-pattern.ts',
  'model/deployment/stage.ts',
  'model/deployment/stage.ts',
  'secrets/judge.ts',
  'secrets/providers.ts',
  'secrets/providers.ts',
  'secrets/shapes.ts',
]

const proven = createProvenList()
const { literals, made } = collectExpressions()
const ours = [
  ...new Map(
    literals
      .filter(({ place }) => !OVER_OWN_TEXTS.some((file) => place.startsWith(file)))
      .map((one) => [`/${one.source}/${one.flags}`, one]),
  ).entries(),
]

describe('regular expressions over texts of a project', () => {
  // a soak asks the checker about each of them again; `UPDATE=1` writes the list of those that are proven
  test('each is linear, or one of those that the checker can’t decide', () => {
    const undecided = new Set<string>()
    const slow: string[] = []
    const linear: string[] = []
    for (const [text, one] of ours) {
      if (UNDECIDED.has(text)) continue
      const isProven = process.env['SOAK'] === undefined && proven.has(text)
      // a machine that is busy gets more time
      const answer = isProven || (isLinear(one, 2000) ?? isLinear(one, 30_000))
      if (answer === undefined) undecided.add(text)
      else if (answer) linear.push(text)
      else slow.push(`${one.place} ${text}`)
    }
    expect(slow).toEqual([])
    expect([...undecided]).toEqual([])
    if (process.env['UPDATE'] !== undefined) proven.replace(linear)
  }, 600_000)

  test('the list of proven ones holds no pattern that is not linear', () => {
    expect(proven.has(String.raw`/\/+$/`)).toBe(false)
    expect(isLinear({ place: '', source: '\\/+$', flags: '' }, 10_000)).toBe(false)
  })

  test('the list of undecided ones holds no other', () => {
    const known = new Set(ours.map(([text]) => text))
    expect([...UNDECIDED].filter((text) => !known.has(text))).toEqual([])
  })

  test.each(ours.filter(([text]) => UNDECIDED.has(text)))(
    '%s: inputs of its own parts, twice as long, take about twice as long',
    (_, { source, flags }) => {
      expect(findSlowInput(source, flags)).toBeUndefined()
    },
  )

  test('the pump finds expressions that are not linear', () => {
    expect(findSlowInput('\\/+$', '')).toBeDefined()
  })

  test('no other file makes an expression of a text', () => {
    expect([...made].sort()).toEqual(MAKERS)
  })
})
