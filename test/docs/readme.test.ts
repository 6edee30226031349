import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { printReport } from '../../adapters/terminal/print-report.ts'
import { readSettings } from '../../adapters/node/settings.ts'
import type { Report } from '../../core/report/types.ts'
import { SHOP } from '../runners/projects.ts'
import { scanFiles } from '../scan-files.ts'

const PATH = new URL('../../README.md', import.meta.url)
const README = readFileSync(PATH, 'utf8')

/** What the README shows of a report: its head and the finding of the approuter, as the service gives them. */
function showAnswer({ riskScore, riskLevel, summary, projectTypes, filesScanned, complete, results }: Report): string {
  const found = results.approuter.findings.find(({ ruleId }) => ruleId === 'approuter/route-authentication-none')
  if (found === undefined) throw new Error('the sample project lost its route')
  const { id, ruleId, severity, confidence, title, message, why, fix, cwe, file, line, column } = found
  const finding = { id, ruleId, severity, confidence, title, message, why, fix, cwe, file, line, column }
  const shown = {
    projectName: 'shop',
    riskScore,
    riskLevel,
    summary,
    projectTypes,
    filesScanned,
    complete,
    results: { approuter: { findings: [finding] } },
  }
  return JSON.stringify(shown, undefined, 2)
}

/** What the README shows of the terminal: the head, what to repair first, the approuter's block, and the totals. */
function showTerminal(report: Report): string {
  const paint = createPainter({}, {})
  const lines = printReport(
    { ...report, projectName: 'shop', notices: [] },
    { locale: 'en', paint, details: false, quiet: false, failOn: 'HIGH' },
  ).split('\n')
  const block = lines.findIndex((text) => text === 'approuter/xs-app.json')
  const route = lines.findIndex((text) => text.includes('route-authentication-none'))
  const totals = lines.findIndex((text) => /^\d+ critical/.test(text))
  return [
    lines[0],
    '',
    ...lines.slice(2, 5),
    '…',
    lines[block],
    lines[route],
    lines[route + 1],
    '…',
    lines[totals],
    lines.find((text) => text.startsWith('Failing')),
  ].join('\n')
}

test('the answers that the README shows are those that the project gives', async () => {
  const { en } = await scanFiles(new Map(Object.entries(SHOP)))
  const wanted = README.replace(/```json\n[\s\S]*?```/, () => `\`\`\`json\n${showAnswer(en)}\n\`\`\``).replace(
    /(\$ npx parapet scan .*\n)[\s\S]*?```/,
    (_, command: string) => `${command}${showTerminal(en)}\n\`\`\``,
  )
  if (process.env['UPDATE'] !== undefined) writeFileSync(PATH, wanted)
  expect(readFileSync(PATH, 'utf8'), 'stale: run `npm run update`').toBe(wanted)
})

test('every setting that the README names exists', () => {
  const names = [...new Set([...README.matchAll(/`(PARAPET_[A-Z_]+)`/g)].map(([, name = '']) => name))]
  expect(names.length).toBeGreaterThan(20)
  // a name that is none would be refused; a value that is wrong says so in other words
  for (const name of names) {
    let message = ''
    try {
      readSettings({ [name]: '\u0000' })
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message, name).not.toContain('is not a setting')
  }
})
