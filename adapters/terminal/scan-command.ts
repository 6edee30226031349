import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isKnownFinding, listFindings, selectFindings, type Report } from '../../core/index.ts'
import { readSettings, type Settings } from '../node/settings.ts'
import { checkConfiguredMinimum, thresholdOf, type Arguments } from './arguments.ts'
import { BASELINE_FILE, readBaseline, writeBaseline, type Baseline } from './baseline.ts'
import { findChangedLines, touchesChange } from './changed-lines.ts'
import { readCommandSettings } from './config-file.ts'
import { createFilter } from './finding-filter.ts'
import { writeOutputs } from './outputs.ts'
import { createPainter } from './paint.ts'
import { countAtLeast, isOtherFolder } from './print-report.ts'
import { createProgress } from './progress.ts'
import { scanPath, type ScannedPath } from './scan-path.ts'
import { jobsOf } from './jobs.ts'
import { keptOpener } from './kept.ts'
import { sourceOf } from './source-url.ts'
import type { Selection } from './selection.ts'
import { tell } from './tell.ts'
import { printsText, tellFailing, tellIncomplete } from './tell-reason.ts'
import { EXIT, UsageFault } from './usage.ts'
import { say } from './words.ts'

/** `parapet scan`: scans a folder or a ZIP and tells what was asked for. Gives the exit code. */
export async function scanCommand(args: Arguments): Promise<number> {
  const [target, ...rest] = args.operands
  const [file, ...others] = rest
  if (args.writeBaseline && args.baseline === undefined && file !== undefined && others.length === 0)
    throw new UsageFault({
      en: `--write-baseline takes no file; --baseline names it: --write-baseline --baseline ${file}`,
      fr: `--write-baseline n’attend pas de fichier ; --baseline le nomme : --write-baseline --baseline ${file}`,
    })
  if (target === undefined || rest.length > 0)
    throw new UsageFault({
      en: 'parapet scan takes one folder or ZIP (parapet scan .); parapet scan-all takes several',
      fr: 'parapet scan attend un dossier ou un ZIP (parapet scan .) ; parapet scan-all en prend plusieurs',
    })
  const settings = readSettings(process.env)
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const configured = isFolder ? await readCommandSettings(target) : {}
  const failOn = thresholdOf(args, configured.failOn)
  checkConfiguredMinimum(args, failOn)
  const baselineFile = args.baseline ?? configured.baseline ?? (isFolder ? join(target, BASELINE_FILE) : BASELINE_FILE)
  // before the scan: a commit that Git does not know should not cost one
  const changed = args.changedSince === undefined ? undefined : await findChangedLines(target, args.changedSince)
  const sourceUrl = await sourceOf(args, isFolder ? target : undefined)

  const progress = createProgress(args.quiet ? { write: () => {} } : process.stderr, process.env, args.locale, () =>
    performance.now(),
  )
  const scan =
    args.server === undefined
      ? scanPath(target, args.locale, settings, progress.show, { openKept: keptOpener(args, process.env), jobs: jobsOf(args) })
      : handOver(target, isFolder, args, args.server, settings)
  const { text, parsed } = await scan.finally(progress.clear)

  const asked = selectFindings(parsed, createFilter(args))
  if (args.writeBaseline) {
    const n = await writeBaseline(baselineFile, asked)
    const use = say(args.locale, baselineFile === configured.baseline ? 'baselineUsed' : 'baselineUse', { file: baselineFile })
    tell(say(args.locale, 'baselineWritten', { n, file: baselineFile, use }))
  }
  const usesBaseline = args.writeBaseline || args.baseline !== undefined || configured.baseline !== undefined
  const known = usesBaseline ? await readBaseline(baselineFile) : new Map<string, never>()
  const fresh = selectFindings(asked, (finding) => !isKnownFinding(finding, known))
  const report = changed === undefined ? fresh : selectFindings(fresh, (finding) => touchesChange(finding, changed))
  tellGone(known, parsed, args)

  const selection: Selection = {
    total: parsed.summary.total,
    notAskedFor: parsed.summary.total - asked.summary.total,
    inBaseline: asked.summary.total - fresh.summary.total,
    onUnchangedLines: fresh.summary.total - report.summary.total,
  }
  const { locale, details, quiet, rulesUrl } = args
  const paint = createPainter(process.stdout, process.env)
  const width = process.stdout.isTTY ? process.stdout.columns : undefined
  const isWhole = report.summary.total === parsed.summary.total
  await writeOutputs(
    { report, ...(isWhole ? { text } : { selection }), print: { locale, paint, details, quiet, failOn, rulesUrl, width } },
    { ...args, sourceUrl },
  )
  if (!printsText(args) && isOtherFolder(parsed)) tell(say(locale, 'otherFolder'))
  tellIncomplete(report, args)
  tellFailing(report, failOn, args)
  const { failOnNew } = args
  if (failOnNew !== undefined) {
    const n = countAtLeast(
      listFindings(report).filter(({ status, decision }) => status === 'new' && decision?.expired !== false),
      failOnNew,
    )
    if (n > 0) tell(say(locale, 'failingNew', { n, severity: failOnNew.toLowerCase() }))
    if (n > 0) return EXIT.findings
  }
  if (failOn !== undefined && countAtLeast(listFindings(report), failOn) > 0) return EXIT.findings
  return report.complete ? EXIT.done : EXIT.incomplete
}

/** Has a service scan, with what Git says of the folder. */
async function handOver(
  target: string,
  isFolder: boolean,
  args: Arguments,
  url: string,
  settings: Settings,
): Promise<ScannedPath> {
  const { describeRequest, scanOnServer } = await import('./scan-on-server.ts')
  return scanOnServer(target, settings, await describeRequest(target, isFolder, args, url))
}

/** Of more only the number is told. */
const MAX_GONE = 20

function tellGone(known: Baseline, report: Report, { locale, quiet }: Arguments): void {
  const found = new Set(listFindings(report).flatMap(({ id, formerIds = [] }) => [id, ...formerIds]))
  const gone = [...known].filter(([id]) => !found.has(id))
  if (gone.length === 0 || quiet) return
  const lines = gone.slice(0, MAX_GONE).map(([, { rule, file }]) => `  ${rule}  ${file}`)
  tell(say(locale, 'baselineGone', { n: gone.length }), ...lines, ...(gone.length > MAX_GONE ? ['  …'] : []))
}
