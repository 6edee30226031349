#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { RULES, SEVERITIES, VERSION, isRefusal, type Locale, type Severity } from '../core/index.ts'
import { describeRefusal } from '../handlers/index.ts'
import { scanPath } from './terminal/scan-path.ts'
import { printReport } from './terminal/print-report.ts'
import { readSettings, SettingsFault } from './node/settings.ts'
import { cleanForTerminal, createPainter } from './terminal/paint.ts'

const USAGE = `Usage: parapet scan <folder or zip> [--json] [--lang en|fr] [--fail-on critical|high|medium|low|info] [--details] [--quiet]
       parapet serve
       parapet rules [--lang en|fr]

Exit codes: 0 done · 1 findings at or above --fail-on · 2 usage, settings or a refused project · 3 not everything could be looked at · 4 internal fault
`

/** Wrong usage: exit code 2. */
class UsageFault extends Error {}

const EXIT = { done: 0, findings: 1, usage: 2, incomplete: 3, internal: 4 } as const

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  const [command, target, ...rest] = positionals
  if (values.version === true) return print(`${VERSION}\n`)
  if (values.help === true || command === 'help') return print(USAGE)
  const locale = readLocale(values.lang)
  if (command === 'serve' && target === undefined) {
    const { serve } = await import('./node/main.ts')
    await serve()
    return new Promise<number>(() => {})
  }
  if (command === 'rules' && target === undefined) {
    return print(RULES.map((rule) => `${rule.severity.padEnd(9)}${rule.id.padEnd(40)}${rule.text[locale].title}\n`).join(''))
  }
  if (command !== 'scan' || target === undefined || rest.length > 0) throw new UsageFault('')
  const failOn = readSeverity(values['fail-on'])
  const settings = readSettings(process.env)
  const report = await scanPath(target, locale, settings)
  if (values.json === true) process.stdout.write(`${report.text}\n`)
  else {
    const paint = createPainter(process.stdout, process.env)
    process.stdout.write(
      printReport(report.parsed, { locale, paint, details: values.details === true, quiet: values.quiet === true, failOn }),
    )
  }
  const isSevere = (severity: Severity): boolean =>
    failOn !== undefined && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn)
  if (report.findings.some(({ severity }) => isSevere(severity))) return EXIT.findings
  return report.parsed.complete ? EXIT.done : EXIT.incomplete
}

function readArguments(): ReturnType<typeof parse> {
  try {
    return parse()
  } catch (error) {
    throw new UsageFault(error instanceof Error ? error.message : '')
  }
}

function parse() {
  return parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      lang: { type: 'string' },
      'fail-on': { type: 'string' },
      details: { type: 'boolean' },
      quiet: { type: 'boolean', short: 'q' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  })
}

function readLocale(text: string | undefined): Locale {
  if (text === undefined) return 'en'
  if (text === 'en' || text === 'fr') return text
  throw new UsageFault('--lang takes en or fr')
}

function readSeverity(text: string | undefined): Severity | undefined {
  if (text === undefined) return undefined
  const found = SEVERITIES.find((severity) => severity.toLowerCase() === text.toLowerCase())
  if (found === undefined) throw new UsageFault(`--fail-on takes ${SEVERITIES.join(', ').toLowerCase()}`)
  return found
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT.done
}

function explain(error: unknown): number {
  const locale: Locale = process.argv.includes('fr') || process.argv.includes('--lang=fr') ? 'fr' : 'en'
  if (error instanceof UsageFault) process.stderr.write(`${error.message === '' ? '' : `${error.message}\n\n`}${USAGE}`)
  else if (error instanceof SettingsFault) process.stderr.write(`${error.message}.\n`)
  else if (isRefusal(error)) process.stderr.write(`${cleanForTerminal(describeRefusal(error, locale))} (${error.code})\n`)
  else {
    process.stderr.write(`${cleanForTerminal(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
    return EXIT.internal
  }
  return EXIT.usage
}

// a pipe that was closed early (`| head`) is not a fault
process.stdout.on('error', () => process.exit(EXIT.done))
process.exitCode = await main().catch(explain)
