import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import { tokenRules } from '../../core/rules/secrets/token-rules.ts'
import type { Report, ReportFinding } from '../../core/report/types.ts'
import { SEVERITIES } from '../../core/scales.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { REVISED } from './revised.ts'
import { readExamples, saysWhatIsMissed, type Example, type ExamplePlace } from './examples.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
const DEFAULT_DATE = '2026-11-20'

/** The Markdown of a rule, by its path below the folder of rules. */
function findMarkdown(id: string): string | undefined {
  const [area = '', name = ''] = id.split('/')
  const search = (folder: string): string | undefined => {
    if (existsSync(join(FOLDER, folder, `${name}.md`))) return join(folder, `${name}.md`)
    for (const entry of readdirSync(join(FOLDER, folder), { withFileTypes: true })) {
      const found = entry.isDirectory() ? search(join(folder, entry.name)) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(area)
}

/** Their tests are generated from the same table. */
const FROM_TABLE = new Set(tokenRules)

for (const rule of RULES.filter((rule) => !FROM_TABLE.has(rule))) {
  describe(rule.id, () => {
    const path = findMarkdown(rule.id)
    const markdown = path === undefined ? '' : readFileSync(join(FOLDER, path), 'utf8')
    const name = `core/rules/${path ?? rule.id}`
    const examples = readExamples(markdown, name, rule.id)

    test('has bad and good examples', () => {
      expect(examples.filter(({ kind }) => kind === 'bad').length).toBeGreaterThan(0)
      expect(examples.filter(({ kind }) => kind === 'good').length).toBeGreaterThan(0)
    })

    if (REVISED.has(rule.id.split('/')[0]))
      test('says what it misses, and what its advice makes of the first bad example', () => {
        expect(saysWhatIsMissed(markdown), 'a section "## missed"').toBe(true)
        expect(examples.filter(({ kind }) => kind === 'fixed').length, 'a section "## fixed"').toBeGreaterThan(0)
      })

    for (const example of examples) {
      if (example.kind === 'fixed') test(`fixed: ${example.title}`, () => checkFixed(rule.id, name, examples, example))
      else test(`${example.kind}: ${example.title}`, () => checkExample(rule.id, name, example))
    }
  })
}

async function scanExample({ files, date }: Example): Promise<{ en: Report; fr: Report }> {
  // a file beside the folders, so that none of them is the one top folder that is left out
  return scanFiles(new Map([...files, ['README.md', '']]), { date: date ?? DEFAULT_DATE })
}

async function checkExample(id: string, name: string, example: Example): Promise<void> {
  const { en, fr } = await scanExample(example)
  if (!example.incomplete) expect(en.complete, JSON.stringify(en.notices)).toBe(true)
  const findings = allFindings(en)
  const own = findings.filter(({ ruleId }) => ruleId === id)
  const faults = comparePlaces(name, example, own)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  for (const finding of own) {
    if (example.severity !== undefined) expect(finding.severity).toBe(example.severity)
    if (example.confidence !== undefined) expect(finding.confidence).toBe(example.confidence)
  }
  const others = findings.filter((it) => it.ruleId !== id && example.places.some((place) => startsAt(place, it)))
  expect([...new Set(others.map(({ ruleId }) => ruleId))].sort(), 'rules at the same place').toEqual([...example.also].sort())
  for (const finding of [...own, ...allFindings(fr).filter(({ ruleId }) => ruleId === id)]) {
    for (const words of [finding.title, finding.message, finding.why, finding.fix])
      expect(words, 'a placeholder without a value').not.toMatch(/(?<!\$)\{[a-zA-Z]\w*\}/)
  }
}

/** The advice of the first bad example, followed to the letter, ends its findings and brings none that weighs as much. */
async function checkFixed(id: string, name: string, examples: readonly Example[], fixed: Example): Promise<void> {
  const bad = examples.find(({ kind }) => kind === 'bad')
  if (bad === undefined) throw new Error(`${name}:${fixed.line}: there is no bad example that this one repairs`)
  const [before, after] = [allFindings((await scanExample(bad)).en), allFindings((await scanExample(fixed)).en)]
  expect(after.filter(({ ruleId }) => ruleId === id).map(({ message }) => message)).toEqual([])
  const own = before.filter(({ ruleId }) => ruleId === id).map(({ severity }) => SEVERITIES.indexOf(severity))
  const known = new Set(before.map(({ ruleId, file }) => `${ruleId} ${file}`))
  const brought = after.filter(
    ({ ruleId, file, severity }) => SEVERITIES.indexOf(severity) <= Math.max(...own) && !known.has(`${ruleId} ${file}`),
  )
  expect(brought.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
}

/** What is found where the Markdown says nothing, and what it says where nothing is found; each with its line and both texts. */
function comparePlaces(name: string, { files, places, line, title }: Example, findings: readonly ReportFinding[]): string[] {
  const linesOf = (file: string): string[] => files.get(file)?.split('\n') ?? []
  const markedIn = ({ file, line, column = 1, endColumn }: ExamplePlace): string =>
    line === undefined
      ? file
      : (linesOf(file)[line - 1] ?? '').slice(column - 1, endColumn === undefined ? undefined : endColumn - 1)
  const foundIn = ({ file, line, column = 1, endLine, endColumn = 1 }: ReportFinding): string => {
    if (line === undefined) return file
    return (linesOf(file)[line - 1] ?? '').slice(column - 1, endLine === line ? endColumn - 1 : undefined)
  }
  const placeOf = ({ file, line, column }: ReportFinding): string => (line === undefined ? file : `${file}:${line}:${column}`)
  const left = [...findings]
  const faults: string[] = []
  for (const place of places) {
    const index = left.findIndex((finding) => startsAt(place, finding))
    const [finding] = index < 0 ? [] : left.splice(index, 1)
    const where = `${name}:${place.markdownLine}`
    if (finding === undefined) faults.push(`${where}: "${title}": nothing is found at "${markedIn(place)}"`)
    else if (place.endColumn !== undefined && markedIn(place) !== foundIn(finding))
      faults.push(`${where}: "${title}": marked is "${markedIn(place)}", found is "${foundIn(finding)}"`)
  }
  for (const finding of left)
    faults.push(
      `${name}:${line}: "${title}": not marked, but found in ${placeOf(finding)}: "${foundIn(finding)}" (${finding.message})`,
    )
  return faults
}

function startsAt(place: ExamplePlace, { file, line, column }: ReportFinding): boolean {
  return place.file === file && place.line === line && place.column === column
}
