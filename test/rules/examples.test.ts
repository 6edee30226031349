import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { MODEL_SUBJECTS } from '../../core/engine.ts'
import { tokenRules } from '../../core/rules/secrets/token-rules.ts'
import type { Report, ReportFinding } from '../../core/report/types.ts'
import { SEVERITIES } from '../../core/scales.ts'
import { allFindings, scanByOne, scanFiles } from '../scan-files.ts'
import { breakIn } from '../texts/broken-sentences.ts'
import { englishIn } from '../texts/english-in-french.ts'
import { adviceOf, advicesOf, ownersOf, PLACEHOLDER } from './advice.ts'
import { REVISED } from './revised.ts'
import { disagreeingReaches } from './reaches.ts'
import { readExamples, saysWhatIsMissed, type Example, type ExamplePlace } from './examples.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
const DEFAULT_DATE = '2026-11-20'

/** Subjects that are made of all files, whatever their keywords. */
const MODELS: ReadonlySet<string> = new Set(MODEL_SUBJECTS)

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

/** Ids of the rules that have a Markdown file; those of one area may lie in folders of it. */
function idsOfMarkdown(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const steps = path.split(sep)
    return steps.length > 1 && path.endsWith('.md') ? [`${steps[0] ?? ''}/${basename(path, '.md')}`] : []
  })
}

/** Rules on code and models show four faults and six things that only look like one. */
const LEAST = { bad: 4, good: 6 } as const

/** Their tests are generated from the same table. */
const FROM_TABLE = new Set(tokenRules)

// without this, `-t` with the id of a rule that the index does not list would skip every test and pass
for (const id of idsOfMarkdown().filter((id) => RULES.every((rule) => rule.id !== id)))
  test(`${id}: is listed in the index`, () => {
    throw new Error(
      `core/rules/index.ts does not list ${id}. Run "npm run update". If that does not help: core/rules/${id}.ts must contain "export const …: Rule = defineRule(" and "id: '${id}'"`,
    )
  })

for (const rule of RULES.filter((rule) => !FROM_TABLE.has(rule))) {
  describe(rule.id, () => {
    const path = findMarkdown(rule.id)
    const markdown = path === undefined ? '' : readFileSync(join(FOLDER, path), 'utf8')
    const name = `core/rules/${path ?? rule.id}`
    let examples: Example[]
    try {
      examples = readExamples(markdown, name, rule.id)
    } catch (fault) {
      // a fault of the form fails this rule alone, not the examples of all
      test('has examples of the right form', () => {
        throw fault
      })
      return
    }

    const kinds = new Set(examples.map(({ kind }) => kind))

    test('has bad and good examples', () => {
      for (const kind of ['bad', 'good'] as const) {
        const least = /^(?:cap|ui5)\//.test(rule.id) ? LEAST[kind] : 1
        const count = examples.filter((example) => example.kind === kind).length
        expect(count, `${name} needs at least ${least} sections "## ${kind}: …"`).toBeGreaterThanOrEqual(least)
      }
    })

    if (REVISED.has(rule.id.split('/')[0]))
      test('says what it misses, and what its advice makes of a bad example', () => {
        expect(saysWhatIsMissed(markdown), `${name} needs a section "## missed: …", or the line "## missed: nothing known"`).toBe(
          true,
        )
        expect(kinds.has('fixed'), `${name} needs a section "## fixed: …": a bad example, repaired`).toBe(true)
      })

    test('each piece of its advice is shown by a bad example, and followed by a fixed one', () =>
      checkAdvice(rule, name, examples))

    for (const example of examples) {
      if (example.kind === 'fixed') test(`fixed: ${example.title}`, () => checkFixed(rule.id, name, examples, example))
      else test(`${example.kind}: ${example.title}`, () => checkExample(rule, name, example))
    }
  })
}

const scans = new WeakMap<Example, Promise<{ en: Report; fr: Report }>>()

/** With a file beside the folders, so that none of them is the one top folder that is left out. */
function projectOf({ files }: Example): ReadonlyMap<string, string> {
  return new Map([...files, ['README.md', '']])
}

/** Of each example once: several tests ask for it. */
function scanExample(example: Example): Promise<{ en: Report; fr: Report }> {
  const scan = scans.get(example) ?? scanFiles(projectOf(example), { date: example.date ?? DEFAULT_DATE })
  scans.set(example, scan)
  return scan
}

/** One of four examples in which a rule finds nothing is scanned with all rules: none of them may fail on it. */
function isScannedByOne({ kind, line }: Example): boolean {
  return (kind === 'good' || kind === 'missed') && line % 4 !== 0
}

async function checkExample(rule: Rule, name: string, example: Example): Promise<void> {
  const { id } = rule
  const written = JSON.stringify(rule.text())
  const { en, fr } = isScannedByOne(example)
    ? await scanByOne(id, projectOf(example), { date: example.date ?? DEFAULT_DATE })
    : await scanExample(example)
  const where = `${name}:${example.line}: "${example.title}"`
  const faults: string[] = []
  if (!example.incomplete && !en.complete)
    faults.push(
      `${where}: the report is incomplete: ${JSON.stringify(en.notices)}; fix the files, or write incomplete=true in the heading if that is what the example shows`,
    )
  const findings = allFindings(en)
  const own = findings.filter(({ ruleId }) => ruleId === id)
  faults.push(...comparePlaces(rule, name, example, own))
  for (const finding of own) {
    for (const grade of ['severity', 'confidence'] as const)
      if (example[grade] !== undefined && finding[grade] !== example[grade])
        faults.push(
          `${where}: the heading says ${grade}=${example[grade]}, but the finding at ${placeOf(finding)} has ${finding[grade]}`,
        )
  }
  faults.push(...compareOthers(where, id, example, findings))
  for (const [locale, { title, message, why, fix }] of [
    ...own.map((finding) => ['en', finding] as const),
    ...allFindings(fr).flatMap((finding) => (finding.ruleId === id ? [['fr', finding] as const] : [])),
  ])
    for (const [part, words] of Object.entries({ title, message, why, fix })) {
      const broken = breakIn(words)
      if (broken !== undefined) faults.push(`${where}: ${broken} in ${locale}.${part}: ${words}`)
      // a path of a binding stands in braces as well
      for (const [placeholder] of words.matchAll(PLACEHOLDER))
        if (written.includes(placeholder))
          faults.push(`${where}: ${placeholder} in ${locale}.${part} has no value: add it to "args" of the match`)
    }
  for (const fault of disagreeingReaches(en)) faults.push(`${where}: ${fault}`)
  // the key of a step stands where no text is found for it
  for (const { ruleId, flow = [] } of [...findings, ...allFindings(fr)])
    for (const { message } of flow)
      if (/^[\w-]*$/.test(message)) faults.push(`${where}: a flow of ${ruleId} has a step without a text: ${message}`)
  // what a match gives as an argument is part of the sentence, in both languages
  for (const { ruleId, title, message, why, fix } of allFindings(fr)) {
    if (ruleId !== id) continue
    for (const [part, words] of Object.entries({ title, message, why, fix })) {
      const word = englishIn(words)
      if (word !== undefined) faults.push(`${where}: the English word "${word}" in fr.${part}: ${words}`)
    }
  }
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'))
}

/** Other rules that report a marked place, against those that the heading names. */
function compareOthers(where: string, id: string, { places, also }: Example, findings: readonly ReportFinding[]): string[] {
  const others = new Set(
    findings.filter((it) => it.ruleId !== id && places.some((place) => startsAt(place, it))).map(({ ruleId }) => ruleId),
  )
  return [
    ...[...others]
      .filter((other) => !also.includes(other))
      .map(
        (other) =>
          `${where}: ${other} reports a marked place too. If both are meant to report it, write also=${[...also, other].join(',')} in the heading; if not, let one of the rules yield ("yieldsTo")`,
      ),
    ...also
      .filter((other) => !others.has(other))
      .map((other) => `${where}: the heading says also=${other}, but that rule reports nothing at the marked places`),
  ]
}

/** The bad example that a fixed one repairs: the last one before it. */
function repairedBy(fixed: Example, examples: readonly Example[]): Example | undefined {
  return examples.slice(0, examples.indexOf(fixed)).findLast(({ kind }) => kind === 'bad')
}

/** Nobody knows whether advice can be followed that no example shows: each template of a fix has a bad example, and a fixed one behind it. */
async function checkAdvice(rule: Rule, name: string, examples: readonly Example[]): Promise<void> {
  const advices = advicesOf(rule)
  const shown = new Map<string, string>()
  const followed = new Set<string>()
  const repaired = new Set(examples.flatMap((example) => (example.kind === 'fixed' ? (repairedBy(example, examples) ?? []) : [])))
  for (const example of examples.filter(({ kind }) => kind === 'bad')) {
    const own = allFindings((await scanExample(example)).en).filter(({ ruleId }) => ruleId === rule.id)
    // the test of the example itself says what is wrong
    if (own.length === 0) return
    for (const { fix } of own) {
      const advice = adviceOf(fix, advices) ?? fix
      shown.set(advice, shown.get(advice) ?? `${name}:${example.line}: "${example.title}"`)
      if (repaired.has(example)) followed.add(advice)
    }
  }
  const faults = advices.flatMap((advice) => {
    const where = shown.get(advice)
    if (where === undefined) return [`${name}: no bad example shows the fix of ${ownersOf(advice, rule)}: ${advice}`]
    return followed.has(advice) ? [] : [`${where}: write a section "## fixed: …" behind it, repaired as it is told: ${advice}`]
  })
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** The advice of a bad example, followed to the letter, ends its findings and brings none that weighs as much. */
async function checkFixed(id: string, name: string, examples: readonly Example[], fixed: Example): Promise<void> {
  const where = `${name}:${fixed.line}: "${fixed.title}"`
  const bad = repairedBy(fixed, examples)
  if (bad === undefined) throw new Error(`${where}: no bad example stands before this one, which it would repair`)
  const [before, after] = [allFindings((await scanExample(bad)).en), allFindings((await scanExample(fixed)).en)]
  const own = before.filter(({ ruleId }) => ruleId === id).map(({ severity }) => SEVERITIES.indexOf(severity))
  const known = new Set(before.map(({ ruleId, file }) => `${ruleId} ${file}`))
  const faults = after.flatMap((finding) => {
    const { ruleId, file, severity, message } = finding
    if (ruleId === id) return [`${where}: the rule still reports ${placeOf(finding)}: ${message}`]
    if (SEVERITIES.indexOf(severity) > Math.max(...own) || known.has(`${ruleId} ${file}`)) return []
    return [
      `${where}: the fix introduces another finding that is at least as severe: ${severity} ${ruleId} at ${placeOf(finding)}: ${message}`,
    ]
  })
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** Why a rule that finds nothing in a file may not have seen it: a subject that the files do not make, or no keyword. Case counts as it does in a scan. */
function whyUnseen({ keywords, checks }: Rule, file: string, text: string): string {
  const subjects = Object.keys(checks)
  const models = subjects.filter((subject) => MODELS.has(subject))
  if (models.length > 0)
    return `; the rule is handed ${models.join(', ')}: these files may not make one up, see "Subjects" in docs/adding-a-rule.md`
  const folded = text.toLowerCase()
  if (keywords === undefined || keywords.some((word) => (word === word.toLowerCase() ? folded : text).includes(word)))
    return `; the rule looks at ${subjects.join(', ')}: "npx tsc -p ." tells whether that is spelt right; otherwise check the path and the condition`
  return `; ${file} contains none of the rule's keywords: ${keywords.map((word) => JSON.stringify(word)).join(', ')}`
}

/** What is found where the Markdown says nothing, and what it says where nothing is found; each with its line and both texts. */
function comparePlaces(
  rule: Rule,
  name: string,
  { kind, files, places, line, title }: Example,
  findings: readonly ReportFinding[],
): string[] {
  const linesOf = (file: string): string[] => files.get(file)?.split('\n') ?? []
  const markedIn = ({ file, line, column = 1, endColumn }: ExamplePlace): string =>
    line === undefined
      ? file
      : (linesOf(file)[line - 1] ?? '').slice(column - 1, endColumn === undefined ? undefined : endColumn - 1)
  const foundIn = ({ file, line, column = 1, endLine, endColumn = 1 }: ReportFinding): string => {
    if (line === undefined) return file
    return (linesOf(file)[line - 1] ?? '').slice(column - 1, endLine === line ? endColumn - 1 : undefined)
  }
  const left = [...findings]
  const joined = findings.flatMap(({ occurrences = [] }) => occurrences)
  const faults: string[] = []
  let isEachMarked = false
  for (const place of places) {
    const index = left.findIndex((finding) => startsAt(place, finding))
    const further = index < 0 ? joined.findIndex(({ file, line }) => file === place.file && line === place.line) : -1
    if (further >= 0) {
      joined.splice(further, 1)
      isEachMarked = true
      continue
    }
    const [finding] = index < 0 ? [] : left.splice(index, 1)
    const where = `${name}:${place.markdownLine}`
    if (finding === undefined) {
      // a rule that finds something in this file has seen it, and one on a model has got the model
      const isSeen = findings.some(({ file }) => file === place.file || Object.keys(rule.checks).some((it) => MODELS.has(it)))
      const why = isSeen ? '' : whyUnseen(rule, place.file, files.get(place.file) ?? '')
      faults.push(`${where}: "${title}": nothing is found at "${markedIn(place)}"${why}`)
    } else if (place.endColumn !== undefined && markedIn(place) !== foundIn(finding))
      faults.push(`${where}: "${title}": marked is "${markedIn(place)}", found is "${foundIn(finding)}"`)
  }
  // where one further place of a finding is marked, all are
  for (const { file, line: at } of isEachMarked ? joined : [])
    faults.push(`${name}:${line}: "${title}": not marked, but a further place: ${file}:${at}`)
  for (const finding of left)
    faults.push(
      `${name}:${line}: "${title}": not marked, but found in ${placeOf(finding)}: "${foundIn(finding)}" (${finding.message})${kind === 'missed' ? '; the rule no longer misses it: make it a "## bad" section' : ''}`,
    )
  return faults
}

function placeOf({ file, line, column }: ReportFinding): string {
  return line === undefined ? file : `${file}:${line}:${column}`
}

function startsAt(place: ExamplePlace, { file, line, column }: ReportFinding): boolean {
  return place.file === file && place.line === line && place.column === column
}
