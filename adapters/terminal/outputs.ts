import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { loadWriter, toJsonText, VERSION, type Report } from '../../core/index.ts'
import { RULES } from '../../core/scanner.ts'
import type { Arguments, Format, OutputRequest } from './arguments.ts'
import { printReport, type PrintOptions } from './print-report.ts'
import { addSelection, wordSelection, type Selection } from './selection.ts'
import { CommandFault } from './usage.ts'

/** A report, and how it is to be told. */
export interface Telling {
  readonly report: Report
  /** The report's own JSON text, where nothing was left out of it. */
  readonly text?: string
  readonly print: PrintOptions
  /** Where findings are left out of the report. */
  readonly selection?: Selection
}

/** Writes a report in every format that was asked for, and makes the folders of files that are not there. Throws a UsageFault where a file can't be written. */
export async function writeOutputs(telling: Telling, args: Arguments): Promise<void> {
  for (const output of args.outputs) {
    const pieces = await renderFormat(output.format, telling, args)
    if (output.file === undefined) await writeToStandardOutput(pieces)
    else await writeToFile(output, output.file, pieces)
  }
}

/** A report in one format. */
export async function renderFormat(format: Format, telling: Telling, args: Arguments): Promise<Iterable<string>> {
  const { report, text, print, selection } = telling
  if (format === 'text') return [printReport(report, { ...print, selection })]
  if (format === 'json') return [text ?? toJsonText(selection === undefined ? report : addSelection(report, selection)), '\n']
  const write = await loadWriter(format)
  const { locale, rulesUrl, sourceUrl, includeSuppressed } = args
  const words = selection && wordSelection(selection, report.summary.total, locale)
  return write(report, { locale, rules: RULES, version: VERSION, rulesUrl, sourceUrl, includeSuppressed, selection: words })
}

async function writeToStandardOutput(pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

async function writeToFile({ format }: OutputRequest, file: string, pieces: Iterable<string>): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await pipeline(Readable.from(pieces), createWriteStream(file))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new CommandFault({
      en: `The ${format} output can't be written to ${file}${code}`,
      fr: `La sortie ${format} ne peut pas être écrite dans ${file}${code}`,
    })
  }
}
