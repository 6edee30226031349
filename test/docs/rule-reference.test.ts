import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReference } from '../../adapters/scripts/build-docs.ts'
import { readSamples } from '../../core/reference.ts'
import { REFERENCE_STYLE, REFERENCE_STYLE_HASH } from '../../core/report/writers/rule-page-style.ts'
import { RULES } from '../../core/rules/index.ts'

let folder: string
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'parapet-docs-')), 'rules')
  await buildReference(folder)
})
afterAll(() => rmSync(dirname(folder), { recursive: true }))

const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

test('every rule has a page in both languages, and every link within leads somewhere', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
  expect(pages).toHaveLength(RULES.length + 1)
  for (const { id, docs } of RULES) {
    const page = read(`${id}.html`)
    for (const part of ['<section lang="en">', '<section lang="fr">', '<dt>Pourquoi</dt>', docs.replaceAll('&', '&amp;')])
      expect(page.includes(part), `${id}: ${part}`).toBe(true)
  }
  for (const path of pages)
    for (const [, target = ''] of read(path).matchAll(/href="(?!https?:)([^"]+)"/g))
      expect(existsSync(join(folder, dirname(path), target)), `${path} to ${target}`).toBe(true)
})

test('a page shows the samples, without what only a test needs', () => {
  const page = read('npm/known-vulnerability.html')
  expect(page).toContain('<h2>Vulnerable</h2>')
  expect(page).toContain('<h2>Safe</h2>')
  expect(page).toContain('<code>package-lock.json</code>')
  expect(page).not.toMatch(/severity=|at=\d/)
  for (const { id } of RULES) expect(read(`${id}.html`).includes('{{secret:'), id).toBe(false)
})

test('a page shows the rows of the table of grades', () => {
  expect(read('cap/cql-injection.html')).toContain('<li>data beyond one’s rights: critical (anyone), high (any user), ')
})

test('samples in either notation', () => {
  const markdown =
    '## vulnerable: one severity=HIGH\n```js a.js at=1:1\neval(x)\n^^^^^^^\n```\n## safe\n````json b.json\n```\n````\n## missed: two\nwhy\n'
  expect(readSamples(markdown)).toEqual([
    { kind: 'vulnerable', title: 'one', files: [{ path: 'a.js', text: 'eval(x)' }], notes: [] },
    { kind: 'safe', title: '', files: [{ path: 'b.json', text: '```' }], notes: [] },
    { kind: 'missed', title: 'two', files: [], notes: ['why'] },
  ])
})

test('the style is the one that the policy names', () => {
  expect(REFERENCE_STYLE_HASH).toBe(`'sha256-${createHash('sha256').update(REFERENCE_STYLE).digest('base64')}'`)
})
