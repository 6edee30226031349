import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CALLBACK_SOURCES, PAGE_CALLBACK_SOURCES } from '../../core/flow/models/callback-sources.ts'
import { BROWSER_SINKS } from '../../core/flow/tables/app-sinks.ts'
import { OTHER_DRIVERS } from '../../core/flow/tables/drivers.ts'
import { CLEANING, PARSING, PASSING, SIGNING } from '../../core/flow/tables/propagators.ts'
import { READS } from '../../core/flow/tables/requests.ts'
import { SERVERS } from '../../core/server-frameworks.ts'
import { SINKS } from '../../core/flow/tables/sinks.ts'
import {
  ADDRESS_MEMBERS,
  IMPORTED_MEMBERS,
  PAGE_OBJECTS,
  RESPONSE_MEMBERS,
  SOURCE_CALLS,
  WEB_CLEANERS,
  WEB_READS,
} from '../../core/flow/tables/web.ts'
import { append, compareTexts } from '../../core/lists.ts'

const PAGE = new URL('../../docs/models.md', import.meta.url)
const MARK = '<!-- Written by `npm run update`; do not edit below. -->\n'

const code = (text: string): string => `\`${text}\``
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(compareTexts)

/** `kafkajs`: `Kafka.consumer.run` */
function listPaths(paths: Iterable<string>): string {
  const byModule = new Map<string, string[]>()
  for (const path of paths) {
    const [root = '', ...steps] = path.split(' ')
    append(byModule, root.replace(/^module:/, ''), steps.filter((step) => !/^(?:\(\)|new|default)$/.test(step)).join('.'))
  }
  return sorted(byModule.keys())
    .map((name) => {
      const calls = sorted(byModule.get(name) ?? []).filter((call) => call !== '')
      return code(name) + (calls.length === 0 ? '' : `: ${calls.join(', ')}`)
    })
    .join(' · ')
}

function table(head: string, rows: ReadonlyMap<string, readonly string[]>): string[] {
  const lines = sorted(rows.keys()).map((name) => `| ${code(name)} | ${listPaths(rows.get(name) ?? [])} |`)
  return ['', `| ${head} | |`, '|---|---|', ...lines]
}

function writeRows(): string {
  const sinks = new Map<string, string[]>()
  for (const { fault, calls = [] } of [...SINKS, ...BROWSER_SINKS]) for (const path of calls) append(sinks, fault, path)
  for (const [driver, methods] of OTHER_DRIVERS)
    for (const method of methods) append(sinks, 'cap/cql-injection', `${driver} ${method}`)

  const cleaning = new Map<string, string[]>()
  for (const [path, rules] of CLEANING) for (const rule of rules) if (rule.includes('/')) append(cleaning, rule, path)
  const cleaningInPages = new Map<string, string[]>()
  for (const [name, rules] of WEB_CLEANERS) append(cleaningInPages, rules.map(code).join(', '), name)

  const given = [...PASSING, ...PARSING, ...SIGNING.keys()].filter(
    (path) => path.startsWith('module:') && !/^module:(?:lodash|underscore)/.test(path),
  )
  const servers = sorted([...SERVERS].map((path) => path.split(' ')[0]?.replace(/^module:/, '') ?? ''))
  const parts = Object.entries(READS['http-request'] ?? {}).flatMap(([name, origin]) =>
    origin === 'request' && /^\w+$/.test(name) ? [name] : [],
  )
  const objects = sorted(PAGE_OBJECTS.keys()).map((name) => {
    const origin = PAGE_OBJECTS.get(name)
    return `${code(name)} (${Object.keys((origin && WEB_READS[origin]) ?? {})
      .filter((field) => !field.includes(' '))
      .join(', ')})`
  })
  return [
    '**Sinks** by calls, and the rule that reports them. Sinks that the graph finds by how code is built are not listed.',
    ...table('rule', sinks),
    '',
    '**Sanitizers of servers** by the rule for which their result is harmless.',
    ...table('rule', cleaning),
    '',
    '**Sanitizers of pages**, by the last name of the function, and the rules for which their result is harmless.',
    '',
    ...sorted(cleaningInPages.keys()).map(
      (rules) =>
        `- ${sorted(cleaningInPages.get(rules) ?? [])
          .map(code)
          .join(', ')}: ${rules}`,
    ),
    '',
    `**Given on** in another form: ${listPaths(given)}, and functions of lodash and underscore.`,
    '',
    `**Handed to functions**: ${listPaths(CALLBACK_SOURCES.flatMap(({ calls }) => calls))}; in pages ${listPaths(PAGE_CALLBACK_SOURCES.flatMap(({ calls }) => calls))}.`,
    '',
    `**Servers**: ${servers.map(code).join(', ')}. Parts of their requests: ${sorted(parts).map(code).join(', ')}.`,
    '',
    `**Objects of pages**, with the fields that are read from them: ${objects.join(' · ')}.`,
    '',
    `**Calls of pages** that give data: ${sorted(SOURCE_CALLS.flatMap(({ names }) => names))
      .map(code)
      .join(', ')}.`,
    '',
    `**Members in pages** that are data whatever they belong to: ${sorted([
      ...ADDRESS_MEMBERS,
      ...IMPORTED_MEMBERS,
      ...RESPONSE_MEMBERS,
    ])
      .map(code)
      .join(', ')}.`,
    '',
  ].join('\n')
}

test('docs/models.md lists the rows of packages', () => {
  const written = readFileSync(PAGE, 'utf8')
  const wanted = written.slice(0, written.indexOf(MARK) + MARK.length) + `\n${writeRows()}`
  if (process.env['UPDATE'] !== undefined) writeFileSync(PAGE, wanted)
  expect(readFileSync(PAGE, 'utf8'), 'stale: run `npm run update`').toBe(wanted)
})
