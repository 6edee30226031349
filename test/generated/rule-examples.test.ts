import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import { hasOpenPlace } from '../../core/report/example-words.ts'
import { exampleValues } from '../../core/report/rule-examples.ts'
import { wordRule, type WordValues } from '../../core/report/rule-words.ts'
import { RULES } from '../../core/rules/index.ts'
import type { Checkers, Rule } from '../../core/rules/rule.ts'
import { LOCALES } from '../../core/scales.ts'
import type { Match } from '../../core/types.ts'
import { readExamples } from '../rules/examples.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
const FILE = new URL('../../core/report/rule-examples.ts', import.meta.url).pathname

const markdowns = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => [`${path.slice(0, path.indexOf('/'))}/${basename(path, '.md')}`, join(FOLDER, path)]),
)

/** What the rules yield, as it happens. */
const yielded = new Map<string, Match[]>()

/** A rule whose matches are written down on their way. */
function watch(rule: Rule): Rule {
  const watched = (check: (subject: never, context: never) => Iterable<Match>) =>
    function* (subject: never, context: never) {
      for (const match of check(subject, context)) {
        yielded.get(rule.id)?.push(match)
        yield match
      }
    }
  const checks: Checkers = Object.fromEntries(Object.entries(rule.checks).map(([name, check]) => [name, watched(check)]))
  return { ...rule, checks }
}

/** What fills the words of a rule: those of the first vulnerable example's own finding. */
async function valuesOf(rule: Rule, engine: ReturnType<typeof createEngine>): Promise<WordValues | undefined> {
  const path = markdowns.get(rule.id)
  if (path === undefined || !existsSync(path)) return undefined
  const example = readExamples(readFileSync(path, 'utf8'), rule.id).find(({ kind }) => kind === 'bad')
  if (example === undefined) return undefined
  yielded.clear()
  yielded.set(rule.id, [])
  const { en } = await scanFiles(example.files, { engine, date: example.date })
  const finding = allFindings(en).find(({ ruleId }) => ruleId === rule.id)
  const match = yielded.get(rule.id)?.find(({ variant, args = {} }) => {
    const words = wordRule(rule.text().en, { variant, args }, 'en')
    return words.message === finding?.message && words.fix === finding.fix
  })
  if (match === undefined) return undefined
  const { variant, args = {} } = match
  const words = rule.text().en
  const used = LOCALES.map((locale) => {
    const { title, message, why, fix } = {
      ...rule.text()[locale],
      ...(variant !== undefined && rule.text()[locale].variants?.[variant]),
    }
    return [title, message, why, fix].join('\n')
  }).join('\n')
  const named = Object.entries(args).filter(([name]) => new RegExp(`\\{${name}(?::[a-z]{2,3})?\\}`).test(used))
  if (named.length === 0 && (variant === undefined || words.variants?.[variant] === undefined)) return undefined
  return { ...(variant !== undefined && { variant }), args: Object.fromEntries(named) }
}

/** JSON inside a template of a source that is ASCII, a rule on a line. */
function toTemplate(json: string): string {
  return json
    .replaceAll(/[^\x20-\x7e]|`|\$(?=\{)/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('},"', '},\n"')
}

test('each rule is told with what its first example is found with', { timeout: 300_000 }, async () => {
  const engine = createEngine(RULES.map(watch))
  const values: Record<string, WordValues> = {}
  for (const rule of RULES) {
    const found = await valuesOf(rule, engine)
    if (found !== undefined) values[rule.id] = found
  }
  const wanted = [
    '// Written by `npm run update`; do not edit.',
    "import type { WordValues } from './rule-words.ts'",
    '',
    'const EXAMPLES: Readonly<Record<string, WordValues>> =',
    `  JSON.parse(\`${toTemplate(JSON.stringify(values))}\`)`,
    '',
    '/** What the words of a rule are filled with where no finding does it: the case and the arguments of its first example. */',
    'export const exampleValues = (ruleId: string): WordValues => EXAMPLES[ruleId] ?? { args: {} }',
    '',
  ].join('\n')
  if (process.env['UPDATE'] !== undefined) writeFileSync(FILE, wanted)
  expect(readFileSync(FILE, 'utf8') === wanted, 'stale: run `npm run update`').toBe(true)
})

test('so that no rule with an example is told with an empty place', () => {
  const open = RULES.filter(({ id }) => markdowns.has(id)).flatMap((rule) =>
    LOCALES.flatMap((locale) => {
      const { variant, args } = exampleValues(rule.id)
      // of a value with braces of its own the words would have an open place
      const plain = Object.fromEntries(Object.keys(args).map((name) => [name, 'x']))
      const { title, message, why, fix } = wordRule(rule.text()[locale], { variant, args: plain }, locale)
      return [title, message, why, fix].filter(hasOpenPlace).map((text) => `${rule.id}: ${text}`)
    }),
  )
  expect(open).toEqual([])
})
