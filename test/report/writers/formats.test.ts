import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from '../../../core/report/writers/html-parts.ts'
import { listFindings } from '../../../core/report/list-findings.ts'
import type { Report, ReportFinding } from '../../../core/report/types.ts'
import { RULES } from '../../../core/rules/index.ts'
import { EXPORT_FORMATS, loadWriter, type ExportFormat } from '../../../core/writers.ts'
import type { Locale } from '../../../core/types.ts'
import { ORDERS, SHOP } from '../../runners/projects.ts'
import { scanFiles } from '../../scan-files.ts'
import { createFinding, createHostileReport, createReport, HOSTILE, OPTIONS } from './reports.ts'

const LOCK = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { name: 'shop', dependencies: { express: '4.16.0' }, devDependencies: { json5: '1.0.1' } },
    'node_modules/express': { version: '4.16.0', dependencies: { qs: '6.5.1' } },
    'node_modules/qs': { version: '6.5.1' },
    'node_modules/json5': { version: '1.0.1', dev: true },
    'node_modules/@sap/xssec': { version: '3.5.0' },
  },
})

const shop = await scanFiles(new Map(Object.entries({ ...SHOP, 'package-lock.json': LOCK })))
const orders = await scanFiles(new Map(Object.entries(ORDERS)))
const REPORTS: Readonly<Record<string, readonly [Report, Locale]>> = {
  'a project': [shop.en, 'en'],
  'a project in French': [shop.fr, 'fr'],
  'a careful project': [orders.en, 'en'],
  'hostile texts': [createHostileReport(), 'en'],
  'no findings': [createReport([]), 'fr'],
}

async function write(format: ExportFormat, [report, locale]: readonly [Report, Locale]): Promise<string> {
  const pieces = (await loadWriter(format))(report, { ...OPTIONS, rules: RULES, locale })
  return [...pieces].join('')
}

/** The ids that a format tells, as a reader of that format finds them. */
const IDS: Readonly<Record<Exclude<ExportFormat, 'sbom'>, (text: string) => string[]>> = {
  sarif: (text) =>
    JSON.parse(text).runs[0].results.map(
      (result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0],
    ),
  html: (text) => [...text.matchAll(/<article id="f-([^"]*)"/g)].map(([, id = '']) => id),
  markdown: (text) => [...text.matchAll(/\| <code>([0-9a-f]{24})<\/code> \|$/gm)].map(([, id = '']) => id),
  junit: (text) => [...text.matchAll(/<testcase [^>]*\[([0-9a-f]{24})\]"/g)].map(([, id = '']) => id),
  gitlab: (text) => JSON.parse(text).map(({ fingerprint }: { fingerprint: string }) => fingerprint),
}

describe.each(Object.entries(REPORTS))('%s', (_, told) => {
  test.each(Object.entries(IDS))('%s tells every finding once', async (format, idsOf) => {
    const name = EXPORT_FORMATS.find((other) => other === format)
    if (name === undefined) throw new Error(format)
    const ids = listFindings(told[0]).map(({ id }) => id)
    expect([...idsOf(await write(name, told))].sort()).toEqual(ids.sort())
    expect(ids).toHaveLength(told[0].summary.total)
  })

  test('the SBOM fits the schema of CycloneDX 1.6 and tells every package and advisory', async () => {
    const text = await write('sbom', told)
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
    const { components, vulnerabilities, dependencies } = JSON.parse(text)
    const { packages } = told[0].results.npm
    expect(components).toHaveLength(new Set(packages.map(({ name, version }) => `${name}@${version}`)).size)
    const findings = listFindings(told[0]).filter(({ advisories }) => advisories !== undefined)
    const values = vulnerabilities.flatMap(({ properties }: { properties: { value: string }[] }) =>
      properties.map(({ value }) => value),
    )
    const listed = findings.flatMap(({ advisories = [] }) => advisories.map((advisory) => advisory.id))
    expect(vulnerabilities.map(({ id }: { id: string }) => id).sort()).toEqual([...new Set(listed)].sort())
    expect(values).toHaveLength(listed.length)
    expect([...new Set(values)].sort()).toEqual(findings.map(({ id }) => id).sort())
    const refs = new Set(['project', ...components.map((component: { 'bom-ref': string }) => component['bom-ref'])])
    expect(new Set(dependencies.map(({ ref }: { ref: string }) => ref))).toEqual(refs)
    for (const { affects } of vulnerabilities) for (const { ref } of affects) expect(refs).toContain(ref)
  })

  test('JUnit fits its schema, its counts are those of the findings', async () => {
    const text = await write('junit', told)
    const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8')
    const { valid, errors } = await validateXML({ xml: [{ fileName: 'a.xml', contents: text }], schema: [schema] })
    expect({ valid, errors }).toEqual({ valid: true, errors: [] })
    expect(text).toContain(`failures="${told[0].summary.total}" errors="${told[0].complete ? 0 : 1}"`)
  })

  test('the code quality report has the form that GitLab documents', async () => {
    const validate = new Ajv2020().compile({
      type: 'array',
      items: {
        type: 'object',
        required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
        properties: {
          description: { type: 'string', minLength: 1 },
          check_name: { type: 'string' },
          fingerprint: { type: 'string', minLength: 1 },
          severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
          location: {
            type: 'object',
            required: ['path', 'lines'],
            properties: {
              path: { type: 'string' },
              lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer' } } },
            },
          },
        },
      },
    })
    validate(JSON.parse(await write('gitlab', told)))
    expect(validate.errors ?? []).toEqual([])
  })

  test('the page is well-formed, has our elements and attributes alone, and links to the web alone', async () => {
    const open: string[] = []
    const seen = new Set<string>()
    const parser = new Parser({
      onopentag(name, attributes) {
        if (!['meta', 'input'].includes(name)) open.push(name)
        seen.add(name)
        for (const [attribute, value] of Object.entries(attributes)) {
          seen.add(`@${attribute}`)
          if (attribute === 'href') expect(value).toMatch(/^(?:https:\/\/|#f-)/)
        }
      },
      onclosetag(name, isImplied) {
        if (['meta', 'input'].includes(name)) return
        expect({ name, isImplied }).toEqual({ name: open.pop(), isImplied: false })
      },
    })
    parser.write(await write('html', told))
    expect(open).toEqual([])
    parser.end()
    const elements =
      'html head meta title style body header h1 p table thead tr th tbody td main h2 form label select option input output article h3 b small code i span mark'
    const others = 'pre dl dt dd ol ul li a time footer script'
    const attributes =
      '@lang @charset @http-equiv @content @name @class @datetime @scope @hidden @value @type @data-words @id @data-severity @data-area @data-line'
    const allowed = `${elements} ${others} ${attributes} @translate @href @rel`.split(' ')
    expect([...seen].filter((name) => !allowed.includes(name))).toEqual([])
  })

  test.each(EXPORT_FORMATS)('%s holds no character that reorders, hides or commands', async (format) => {
    const text = await write(format, told)
    // a match, not the text: a failure should fit on a screen
    expect(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/.exec(text)?.[0],
    ).toBeUndefined()
    expect(text.isWellFormed()).toBe(true)
  })
})

test('the page heeds its own style and script: their hashes stand in its policy', () => {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect({ style: STYLE_HASH, script: SCRIPT_HASH }).toEqual({ style: hash(STYLE), script: hash(SCRIPT) })
})

test('packages hang below those that bring them in; development is excluded', async () => {
  const { components, dependencies } = JSON.parse(await write('sbom', [shop.en, 'en']))
  const of = (ref: string): unknown => dependencies.find((dependency: { ref: string }) => dependency.ref === ref).dependsOn
  expect(of('project')).toEqual(expect.arrayContaining(['pkg:npm/express@4.16.0', 'pkg:npm/json5@1.0.1']))
  expect(of('pkg:npm/express@4.16.0')).toEqual(['pkg:npm/qs@6.5.1'])
  expect(components.find(({ name }: { name: string }) => name === 'json5')).toMatchObject({ scope: 'excluded' })
  expect(components.find(({ name }: { name: string }) => name === 'xssec')).toMatchObject({
    group: '@sap',
    purl: 'pkg:npm/%40sap/xssec@3.5.0',
  })
})

test('what no lock file resolves is a component without a version, and its advisories affect it', async () => {
  const manifest = JSON.stringify({ name: 'x', dependencies: { axios: '^0.21.0' } })
  const { en } = await scanFiles(
    new Map([
      ['package.json', manifest],
      ['srv/a.js', "require('axios').get('https://a.example')\n"],
    ]),
  )
  const { components, dependencies, vulnerabilities } = JSON.parse(await write('sbom', [en, 'en']))
  const purl = 'pkg:npm/axios'
  const properties = [{ name: 'parapet:range', value: '^0.21.0' }]
  expect(components).toEqual([{ type: 'library', 'bom-ref': purl, name: 'axios', scope: 'required', purl, properties }])
  expect(dependencies).toContainEqual({ ref: 'project', dependsOn: [purl] })
  expect(vulnerabilities.length).toBeGreaterThan(0)
  for (const { affects } of vulnerabilities) expect(affects).toEqual([{ ref: purl }])
})

test('Markdown renders what a project wrote as text', async () => {
  const text = await write('markdown', [createHostileReport(), 'en'])
  expect(text).not.toMatch(/(?<!\\)<(?!code>|\/code>|!-- -->|https:\/\/example\.com\/eval>)/)
  expect(text).not.toMatch(/(?<!\\)!\[|(?<!\\)\[(?!ui5\/eval\])/)
  expect(text).not.toMatch(/@(?!<!-- -->)/)
  expect(text.split('\n').filter((line) => line.startsWith('|')).length).toBe(2 + 5 + 2 + HOSTILE.length * 2)
})

test('Markdown begins with what to repair first, and says the level in the language of the report', async () => {
  const findings = ['a', 'b', 'b', 'c', 'd'].map((rule, index) =>
    createFinding(index, { ruleId: `ui5/${rule}`, severity: 'HIGH', title: `title of ${rule}`, fix: `Remove ${rule}(x).` }),
  )
  // of another fix nothing is said: it names what it repairs
  findings.push(createFinding(9, { ruleId: 'ui5/b', severity: 'HIGH', title: 'title of b', fix: 'Remove y.' }))
  const en = await write('markdown', [createReport(findings), 'en'])
  const first = en.slice(en.indexOf('## Repair first'), en.indexOf('## Findings'))
  expect(first.match(/^1\. high: \*\*title of \w\*\*/gm)).toHaveLength(3)
  expect(first).toContain('**Fix**: Remove b\\(x\\). The same repair applies to 2 findings of this rule.')
  expect(en).toContain('level high.')
  expect(await write('markdown', [createReport(findings), 'fr'])).toContain('niveau élevé.')
  expect(await write('html', [createReport(findings), 'fr'])).toContain('niveau élevé<')
  expect(await write('markdown', [createReport(findings.slice(0, 2)), 'en'])).not.toContain('Repair first')
})

test.each(EXPORT_FORMATS)('%s: the cost grows with the findings, and they are written in small pieces', async (format) => {
  const writer = await loadWriter(format)
  const many = reportFor(format, 2000)
  let [longest, length] = [0, 0]
  for (const piece of writer(many, OPTIONS)) {
    longest = Math.max(longest, piece.length)
    length += piece.length
  }
  expect(longest).toBeLessThan(length / 10)
  // sorted, they are read 11 times as often; what looks at all findings for each of them reads 64 times as much
  const few = readsOf(format, 250, writer)
  expect(few).toBeGreaterThan(250)
  expect(readsOf(format, 2000, writer) / few).toBeLessThan(16)
})

/** How often a writer asks a finding for something: unlike time, the same on a machine that is busy. */
function readsOf(format: ExportFormat, count: number, writer: Awaited<ReturnType<typeof loadWriter>>): number {
  let reads = 0
  const counted = (finding: ReportFinding): ReportFinding =>
    new Proxy(finding, {
      get(target, name) {
        reads++
        return Reflect.get(target, name)
      },
    })
  Array.from(writer(reportFor(format, count, counted), OPTIONS))
  return reads
}

/** A report of so many findings; of packages with an advisory each where the format tells nothing else. */
function reportFor(
  format: ExportFormat,
  count: number,
  wrap: (finding: ReportFinding) => ReportFinding = (finding) => finding,
): Report {
  const findings = Array.from({ length: count }, (_, index) => createFinding(index))
  if (format !== 'sbom') return createReport(findings.map(wrap))
  return createReport(
    findings.map((finding, index) =>
      wrap({
        ...finding,
        package: { name: `p${index}`, version: '1.0.0' },
        advisories: [{ id: `GHSA-${index}`, aliases: [], severity: finding.severity, title: 't', url: 'https://example.com' }],
      }),
    ),
  )
}

test('a score that counts what a missing lock file may bring says so', async () => {
  const assuming = createReport([createFinding(1, { ruleId: 'npm/lockfile-missing', assumes: { severity: 'HIGH', count: 2 } })])
  for (const format of ['html', 'markdown'] as const) {
    expect(await write(format, [assuming, 'en'])).toContain('counts 2 advisories up to severity high that may apply')
    expect(await write(format, [createReport([createFinding(1)]), 'en'])).not.toContain('that may apply')
  }
})
