import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import { tokenRules } from '../../core/rules/secrets/token-rules.ts'
import type { ReportFinding } from '../../core/report/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { readExamples, type Example } from './examples.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
const DEFAULT_DATE = '2026-11-20'

function findMarkdown(id: string): string | undefined {
  const [area = '', name = ''] = id.split('/')
  const search = (folder: string): string | undefined => {
    if (existsSync(join(folder, `${name}.md`))) return join(folder, `${name}.md`)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const found = entry.isDirectory() ? search(join(folder, entry.name)) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(join(FOLDER, area))
}

function placeOf({ file, line, column }: ReportFinding): string {
  return line === undefined ? file : `${file}:${line}:${column}`
}

/** Their tests are generated from the same table. */
const FROM_TABLE = new Set(tokenRules)

for (const rule of RULES.filter((rule) => !FROM_TABLE.has(rule))) {
  describe(rule.id, () => {
    const path = findMarkdown(rule.id)
    const examples = path === undefined ? [] : readExamples(readFileSync(path, 'utf8'), rule.id)

    test('has bad and good examples', () => {
      expect(examples.filter(({ kind }) => kind === 'bad').length).toBeGreaterThan(0)
      expect(examples.filter(({ kind }) => kind === 'good').length).toBeGreaterThan(0)
    })

    for (const example of examples) test(`${example.kind}: ${example.title}`, () => checkExample(rule.id, example))
  })
}

async function checkExample(id: string, example: Example): Promise<void> {
  // a file beside the folders, so that none of them is the one top folder that is left out
  const files = new Map([...example.files, ['README.md', '']])
  const { en, fr } = await scanFiles(files, { date: example.date ?? DEFAULT_DATE })
  expect(en.notices.filter(({ code }) => code === 'rule-failed')).toEqual([])
  if (!example.incomplete) expect(en.complete, JSON.stringify(en.notices)).toBe(true)
  const findings = allFindings(en)
  const own = findings.filter(({ ruleId }) => ruleId === id)
  expect(own.map(placeOf).sort()).toEqual([...example.places].sort())
  for (const finding of own) {
    if (example.severity !== undefined) expect(finding.severity).toBe(example.severity)
    if (example.confidence !== undefined) expect(finding.confidence).toBe(example.confidence)
  }
  const others = findings.filter((finding) => finding.ruleId !== id && example.places.includes(placeOf(finding)))
  expect([...new Set(others.map(({ ruleId }) => ruleId))].sort(), 'rules at the same place').toEqual([...example.also].sort())
  for (const finding of [...own, ...allFindings(fr).filter(({ ruleId }) => ruleId === id)]) {
    for (const words of [finding.title, finding.message, finding.why, finding.fix])
      expect(words, 'a placeholder without a value').not.toMatch(/(?<!\$)\{[a-zA-Z]\w*\}/)
  }
}
