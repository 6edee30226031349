import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import { SEVERITIES } from '../../core/scales.ts'

const TABLE = new URL('../../docs/rules.md', import.meta.url).pathname

/** The grades that a rule's file names beside its own: what decides about them stands there. */
function otherGrades(id: string, severity: string): string {
  const path = new URL(`../../core/rules/${id}.ts`, import.meta.url).pathname
  if (!existsSync(path)) return ''
  const text = readFileSync(path, 'utf8')
  return SEVERITIES.filter((other) => other !== severity && text.includes(`'${other}'`)).join(', ')
}

function writeTable(): string {
  const rows = [...RULES]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, severity, confidence, cwe, text }) => {
      const weaknesses = cwe.map((number) => `CWE-${number}`).join(', ')
      return `| \`${id}\` | ${text().en.title.replaceAll('|', '\\|')} | ${severity} | ${otherGrades(id, severity)} | ${confidence} | ${weaknesses} |`
    })
  return [
    '# Rules',
    '',
    'Written by `npm run update`; do not edit. *Also*: grades that a rule gives in certain cases, which its examples show (`core/rules/<id>.md`).',
    '',
    '| rule | vulnerability | severity | also | confidence | |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

test('docs/rules.md lists every rule with its grades', () => {
  const wanted = writeTable()
  if (process.env['UPDATE'] !== undefined) writeFileSync(TABLE, wanted)
  expect(readFileSync(TABLE, 'utf8'), 'stale: run `npm run update`').toBe(wanted)
})
