import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEngine, type Engine } from '../../core/engine.ts'
import type { ReportFinding } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { defineRule } from '../../core/rules/rule.ts'
import { readExamples } from '../rules/examples.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { writeMaterial } from './material/index.ts'
import type { Sample } from './material/sample.ts'
import { drawn, runs } from '../soak.ts'
import { SECRET_RULES } from './open-credentials.ts'
import { writeAllPlaces } from './places/index.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
/** Findings about a whole file that would tell of its credentials again. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['btp/local-binding-file-committed'])

/** Findings about an address that a credential happens to stand in: they tell that what it leads to can change. */
const ABOUT_ADDRESSES: ReadonlySet<string> = new Set(['npm/dependency-git-or-url'])

/** Samples that are scanned as one project. */
const TOGETHER = 200

const engine = createEngine(SECRET_RULES)

/** Most projects hold no credential: the rules of the area alone say so at little cost. */
async function holdsCredential(files: ReadonlyMap<string, string>): Promise<boolean> {
  return allFindings((await scanFiles(files, { engine })).en).length > 0
}

/** Findings of other areas that mark the value of a credential which the area `secrets` tells. */
async function findToldTwice(files: ReadonlyMap<string, string>, all?: Engine): Promise<string[]> {
  const findings = allFindings((await scanFiles(files, { ...(all !== undefined && { engine: all }) })).en)
  const secrets = findings.filter(isOfSecrets)
  return findings.flatMap((other) => {
    if (isOfSecrets(other) || ABOUT_ADDRESSES.has(other.ruleId)) return []
    const same = secrets.find((secret) => secret.file === other.file && isToldBy(secret, other))
    return same === undefined ? [] : [`${same.ruleId} and ${other.ruleId} in ${other.file}:${other.line ?? 'file'}`]
  })
}

function isOfSecrets({ ruleId }: ReportFinding): boolean {
  return ruleId.startsWith('secrets/')
}

function isToldBy(secret: ReportFinding, other: ReportFinding): boolean {
  if (other.line === undefined) return ABOUT_FILES.has(other.ruleId)
  return isBefore(startOf(secret), endOf(other)) && isBefore(startOf(other), endOf(secret))
}

type Position = readonly [line: number, column: number]

function startOf({ line = 0, column = 0 }: ReportFinding): Position {
  return [line, column]
}

function endOf({ line = 0, column = 0, endLine = line, endColumn = column + 1 }: ReportFinding): Position {
  return [endLine, endColumn]
}

function isBefore(a: Position, b: Position): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])
}

const MARKDOWN: readonly string[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
)
const AREAS = [...new Set(MARKDOWN.map((path) => path.split('/')[0] ?? ''))]

describe('a credential is told once', () => {
  test.each(AREAS)('in the bad examples of %s', async (area) => {
    const told: string[] = []
    for (const path of drawn(
      MARKDOWN.filter((path) => path.startsWith(`${area}/`)),
      6,
    )) {
      const examples = readExamples(readFileSync(join(FOLDER, path), 'utf8'), path)
      for (const { kind, title, files } of examples) {
        const project = new Map([...files, ['README.md', '']])
        if (kind !== 'bad' || !(await holdsCredential(project))) continue
        told.push(...(await findToldTwice(project)).map((what) => `${path}: ${title}: ${what}`))
      }
    }
    expect(told).toEqual([])
  })

  test('in the material', async () => {
    const all = writeMaterial('owners').planted
    const nth = Math.round(all.length / runs(all.length))
    const chosen = all.filter(({ kind }, at) => kind === 'contextual' || at % nth === 0)
    const planted = drawn([...chosen, ...writeAllPlaces('owners').planted], 2)
    const told: string[] = []
    for (let from = 0; from < planted.length; from += TOGETHER)
      told.push(...(await findToldTwice(toProject(planted.slice(from, from + TOGETHER)))))
    expect(told).toEqual([])
  })

  test('and one that another area tells again is noticed', async () => {
    const words = { title: 'A password', message: 'A password.', why: 'It is one.', fix: 'Remove it.' }
    const again = defineRule({
      id: 'btp/password-again',
      impact: 'takeover',
      confidence: 'high',
      cwe: [798],
      since: '0.1.0',
      docs: 'https://owasp.org',
      on: 'credentials',
      *check({ file }) {
        const start = file.text.indexOf('Kranich')
        if (start !== -1) yield { at: { file: file.path, span: { start, end: start + 12 } } }
      },
      text: () => ({ en: words, fr: words }),
    })
    const files = new Map([['.env', 'DB_PASSWORD=Kranich!4711x\n']])
    expect(await findToldTwice(files, createEngine([...RULES, again]))).toEqual([
      'secrets/generic-password and btp/password-again in .env:1',
    ])
  })
})

function toProject(samples: readonly Sample[]): ReadonlyMap<string, string> {
  return new Map(samples.map(({ path, text }, at) => [`orders-${at}/${path}`, text]))
}
