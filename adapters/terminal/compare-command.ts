import { readFile, stat } from 'node:fs/promises'
import { compareReports, isRefusal, listFindings, selectFindings, type Comparison, type Report } from '../../core/index.ts'
import { readReport } from '../../handlers/index.ts'
import { readSettings } from '../node/settings.ts'
import { thresholdOf, type Arguments } from './arguments.ts'
import { jobsOf } from './jobs.ts'
import { keptOpener } from './kept.ts'
import { writeOutputs } from './outputs.ts'
import { createPainter } from './paint.ts'
import { printComparison } from './print-comparison.ts'
import { countAtLeast, printNotices } from './print-report.ts'
import { scanPath } from './scan-path.ts'
import { fillSourceUrl } from './source-url.ts'
import { tell } from './tell.ts'
import { printsText, tellFailing } from './tell-reason.ts'
import { CommandFault, EXIT, UsageFault } from './usage.ts'
import { say } from './words.ts'

/** `parapet compare`: tells what the second of two reports has and the first has not, and what changed in both. Either is a JSON report, a folder or a ZIP. */
export async function compareCommand(args: Arguments): Promise<number> {
  const [before, after, ...rest] = args.operands
  if (before === undefined || after === undefined || rest.length > 0)
    throw new UsageFault({
      en: 'parapet compare takes two: reports in JSON, folders or ZIPs',
      fr: 'parapet compare en attend deux : rapports en JSON, dossiers ou ZIP',
    })
  const first = await open(before, args)
  const second = await open(after, args)
  const comparison = compareReports(first, second)
  const found = new Set(comparison.found.map(({ id }) => id))
  const report = selectFindings(second, ({ id }) => found.has(id))
  const { locale, details, quiet, rulesUrl } = args
  const failOn = thresholdOf(args, undefined)
  const told = { locale, quiet, paint: createPainter(process.stderr, process.env), width: process.stderr.columns }
  if (isOfOthers(first, second, comparison))
    tell(say(locale, 'otherProjects', { before: first.projectName, after: second.projectName }))
  // on one terminal the text report says below what is new, fixed and in both
  const isToldBelow = !quiet && printsText(args) && process.stdout.isTTY === true && process.stderr.isTTY === true
  process.stderr.write(printComparison(comparison, { ...told, isToldBelow }))
  if (!first.complete) {
    tell(say(locale, 'earlierIncomplete'))
    process.stderr.write(
      printNotices(first, told)
        .map((line) => `${line}\n`)
        .join(''),
    )
  }
  if (!second.complete) tell(say(locale, 'laterIncomplete', { n: comparison.unseen.length }))
  await writeOutputs(
    {
      report,
      print: { locale, paint: createPainter(process.stdout, process.env), details, quiet, failOn, rulesUrl },
      selection: { total: second.summary.total, inEarlier: comparison.same.length, fixed: comparison.gone },
    },
    { ...args, sourceUrl: fillSourceUrl(args.sourceUrl, second.commit) },
  )
  tellFailing(report, failOn, args)
  if (failOn !== undefined && countAtLeast(listFindings(report), failOn) > 0) return EXIT.findings
  return first.complete && second.complete ? EXIT.done : EXIT.incomplete
}

/** Two folders of one project may have two names: what they have in common says more. */
function isOfOthers(before: Report, after: Report, { same }: Comparison): boolean {
  const fewer = Math.min(before.summary.total, after.summary.total)
  return before.projectName !== after.projectName && same.length * 2 < fewer
}

async function open(path: string, args: Arguments): Promise<Report> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile || !path.endsWith('.json')) return scan(path, args).catch(explainOther(path))
  const report = readReport(await readFile(path))
  if (report === undefined)
    throw new CommandFault({
      en: `${path} is no report of this version of Parapet`,
      fr: `${path} n’est pas un rapport de cette version de Parapet`,
    })
  return report
}

/** Of a file that is no archive: it may be a report in another format. */
function explainOther(path: string): (error: unknown) => never {
  return (error) => {
    if (!isRefusal(error) || error.details.reason !== 'not-a-zip') throw error
    throw new CommandFault({
      en: `${path} is neither a report in JSON (parapet scan -f json) nor a ZIP archive`,
      fr: `${path} n’est ni un rapport en JSON (parapet scan -f json) ni une archive ZIP`,
    })
  }
}

async function scan(path: string, args: Arguments): Promise<Report> {
  const openKept = keptOpener(args, process.env)
  return (await scanPath(path, args.locale, readSettings(process.env), undefined, { openKept, jobs: jobsOf(args) })).parsed
}
