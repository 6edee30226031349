import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from 'sarif'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeSarif } from '../../core/report/writers/sarif.ts'
import type { Report } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { createFinding, createHostileReport, createReport, OPTIONS } from '../report/writers/reports.ts'
import { SHOP } from '../runners/projects.ts'
import { scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'

const TOOL = new URL('./node_modules/@microsoft/sarif-multitool-linux/', import.meta.url).pathname
const { en: shop, fr } = await scanFiles(new Map(Object.entries(SHOP)))
const createMany = (count: number): Report => createReport(Array.from({ length: count }, (_, index) => createFinding(index)))

const REPORTS: readonly (readonly [string, Report, 'en' | 'fr'])[] = [
  ['a project', shop, 'en'],
  ['a project in French', fr, 'fr'],
  ['hostile texts', createHostileReport(), 'en'],
  ['more than fits', createMany(5100), 'en'],
  ['nothing', createReport([]), 'en'],
]

let folder: string
beforeAll(() => {
  if (!existsSync(TOOL)) throw new Error('sarif-multitool is missing: run `npm ci --prefix test/exports`')
  // its own script does that where scripts are run on install
  chmodSync(join(TOOL, 'Sarif.Multitool'), 0o755)
  folder = mkdtempSync(join(tmpdir(), 'parapet-sarif-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const write = (report: Report, locale: 'en' | 'fr'): string =>
  [...writeSarif(report, { ...OPTIONS, rules: RULES, locale, includeSuppressed: true })].join('')

test.each(REPORTS)('%s fits the schema of OASIS', (_, report, locale) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(readFileSync(join(TOOL, 'sarif-2.1.0.json'), 'utf8')))
  validate(JSON.parse(write(report, locale)))
  expect(validate.errors ?? []).toEqual([])
  validate({ version: '2.1.0', runs: [{}] })
  expect(validate.errors).not.toEqual([])
})

/** The tool would ask every address of the help texts whether it is there, which takes a minute without a network. */
const NOBODY = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }

/** Errors that the tool finds in logs, by the file that they are in. */
function validate(logs: Readonly<Record<string, string>>): string[] {
  const output = join(folder, 'result.sarif')
  const inputs = Object.entries(logs).map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  const rest = ['--output', output, '--level', 'Error', '--kind', 'Fail', '--log', 'ForceOverwrite']
  const { stdout, error } = spawnSync(join(TOOL, 'Sarif.Multitool'), ['validate', ...inputs, ...rest], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', ...NOBODY },
  })
  expect(error).toBeUndefined()
  expect(stdout).toContain('Analysis completed successfully')
  const { runs }: Log = JSON.parse(readFileSync(output, 'utf8'))
  return (runs[0]?.results ?? []).map(
    ({ ruleId, locations }) => `${ruleId} ${locations?.[0]?.physicalLocation?.artifactLocation?.uri?.split('/').at(-1)}`,
  )
}

test('sarif-multitool finds no error', () => {
  const logs = Object.fromEntries(
    REPORTS.map(([name, report, locale], index) => [
      `log${index}.sarif`,
      // it takes half a minute for the whole of the longest one
      write(name === 'more than fits' ? createMany(runs(5100)) : report, locale),
    ]),
  )
  const broken = write(shop, 'en').replaceAll('"startLine":', '"startLine":-')
  const found = validate({ ...logs, 'broken.sarif': broken })
  expect(found.filter((text) => !text.endsWith('broken.sarif'))).toEqual([])
  expect(found).not.toEqual([])
})
