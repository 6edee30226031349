import { listFindings, type Report, type Severity } from '../../core/index.ts'
import type { Arguments } from './arguments.ts'
import { createPainter } from './paint.ts'
import { countAtLeast, printNotices } from './print-report.ts'
import { tell } from './tell.ts'
import { say, SEVERITY_WORDS } from './words.ts'

/** Whether standard output has the text report, which says by itself what was not looked at and what fails the run. */
export function printsText({ outputs }: Pick<Arguments, 'outputs'>): boolean {
  return outputs.some(({ format, file }) => format === 'text' && file === undefined)
}

/** Says on standard error that a report fails the run, where no text report does: the log of a pipeline has to tell why it ended with 1, a quiet one too. */
export function tellFailing(report: Report, failOn: Severity | undefined, args: Arguments): void {
  if (failOn === undefined || printsText(args)) return
  const n = countAtLeast(listFindings(report), failOn)
  if (n > 0) tell(sayFailing(n, failOn, args))
}

export function sayFailing(n: number, failOn: Severity, { locale }: Pick<Arguments, 'locale'>): string {
  return say(locale, 'failing', { n, severity: SEVERITY_WORDS[locale][failOn] })
}

/** The same of what was not looked at, which ends a run with 3. */
export function tellIncomplete(report: Report, args: Arguments): void {
  const { locale, quiet } = args
  if (report.complete || printsText(args)) return
  if (quiet) tell(say(locale, 'incompleteBriefly'))
  else tell(say(locale, 'incomplete'), ...printNotices(report, { paint: createPainter({}, {}) }))
}
