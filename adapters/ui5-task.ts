/**
 * A custom task of the UI5 tooling (`specVersion: "3.0"`): scans the project while it is built, and ends the build for findings at or above `failOn`.
 * https://ui5.github.io/cli/v4/pages/extensibility/CustomTasks/
 */
import { listFindings, pluralForm, SEVERITIES, type Severity } from '../core/index.ts'
import { readSettings } from './node/settings.ts'
import { createPainter } from './terminal/paint.ts'
import { countAtLeast, printReport } from './terminal/print-report.ts'
import { scanPath } from './terminal/scan-path.ts'

/** What the tooling hands over, as far as it is used. */
export interface TaskParameters {
  readonly log: { info(text: string): void; warn(text: string): void }
  readonly options: {
    readonly projectName: string
    readonly configuration?: { readonly path?: string; readonly failOn?: string; readonly details?: boolean }
  }
  readonly taskUtil?: { getProject(): { getRootPath(): string } }
}

/** Throws where findings at or above `failOn` (by default high) should end the build, and where a setting is not understood. */
export default async function parapetTask({ log, options, taskUtil }: TaskParameters): Promise<void> {
  const { path, failOn: wanted = 'high', details = false, ...others } = options.configuration ?? {}
  const [unknown] = Object.keys(others)
  // a threshold that is misspelt must not pass for none
  if (unknown !== undefined)
    throw new Error(`Parapet: there is no setting "${unknown.slice(0, 100)}"; it takes path, failOn and details`)
  const folder = path ?? taskUtil?.getProject().getRootPath() ?? process.cwd()
  const failOn = readFailOn(wanted)
  const { parsed } = await scanPath(folder, 'en', readSettings(process.env))
  const text = printReport(parsed, { locale: 'en', paint: createPainter({}, {}), details, quiet: false, failOn })
  for (const line of text.trimEnd().split('\n')) log.info(line)
  if (!parsed.complete) log.warn(`${options.projectName}: not everything could be looked at`)
  const failing = failOn === undefined ? 0 : countAtLeast(listFindings(parsed), failOn)
  if (failing > 0) throw new Error(`Parapet: ${failing} ${pluralForm('finding|findings', failing, 'en')} at or above ${wanted}`)
}

function readFailOn(text: string): Severity | undefined {
  if (text === 'never') return undefined
  const found = SEVERITIES.find((severity) => severity === text.toUpperCase())
  if (found === undefined) throw new Error('failOn takes critical, high, medium, low, info or never')
  return found
}

/** The task reads the folder, not resources that other tasks made. */
export function determineRequiredDependencies(): Set<string> {
  return new Set()
}
