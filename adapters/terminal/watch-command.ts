import { stat } from 'node:fs/promises'
import { isRefusal, selectFindings, type Report } from '../../core/index.ts'
import { createLiveResults } from '../node/kept-results/index.ts'
import { readSettings } from '../node/settings.ts'
import { watchFolder } from '../node/watch-folder.ts'
import type { Arguments } from './arguments.ts'
import { createFilter } from './finding-filter.ts'
import { jobsOf } from './jobs.ts'
import { createPainter } from './paint.ts'
import { printChange, toChangeLine } from './print-change.ts'
import { printReport, printUnseen } from './print-report.ts'
import { describeInTerminal, realPathOf } from './path-not-found.ts'
import { createPathScanner } from './scan-path.ts'
import { createSettling } from './settle.ts'
import { tell } from './tell.ts'
import { EXIT, UsageFault } from './usage.ts'
import { createWatchedChanges, type WatchedChange } from './watched-changes.ts'
import { say } from './words.ts'

/** After the last of some events: editors write a file in several steps. */
const QUIET_MS = 20

/** `parapet watch`: scans a folder, then again after each change, and tells what is new and what is gone. Ends with Ctrl-C. */
export async function watchCommand(args: Arguments): Promise<number> {
  const [target = '.', ...rest] = args.operands
  const [{ format } = { format: 'text' }, ...others] = args.outputs
  if (rest.length > 0) throw new UsageFault({ en: 'parapet watch takes one folder', fr: 'parapet watch attend un seul dossier' })
  if ((format !== 'text' && format !== 'json') || others.length > 0 || args.outputs[0]?.file !== undefined)
    throw new UsageFault({
      en: 'parapet watch writes text or json to standard output',
      fr: 'parapet watch écrit text ou json sur la sortie standard',
    })
  const root = await realPathOf(target)
  if (!(await stat(root)).isDirectory())
    throw new UsageFault({ en: 'parapet watch takes a folder', fr: 'parapet watch attend un dossier' })

  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const changes = createSettling(QUIET_MS, stop.signal)
  const { locale, quiet } = args
  // before the first scan: what changes meanwhile is scanned again
  const watching = await watchFolder(root, {
    onChange: changes.touch,
    onFault: (code) => tell(say(locale, 'watchFault', { code })),
  })
  const kept = createLiveResults()
  const scan = createPathScanner(readSettings(process.env), { openKept: () => kept, jobs: jobsOf(args) })
  const filter = createFilter(args)
  const changeOf = createWatchedChanges()
  while (!stop.signal.aborted) {
    const scanned = await scan(root, locale, { signal: stop.signal }).catch(tellRefusal(args, stop.signal))
    if (scanned !== undefined) {
      const report = selectFindings(scanned.parsed, filter)
      const change = changeOf(report)
      tellChange(change, report, args)
      if (change.comparison === undefined && !quiet) tell(say(locale, 'watching', { folder: target }))
    }
    await changes.settled()
  }
  await watching.close()
  return EXIT.done
}

function tellChange({ comparison, isCutShort }: WatchedChange, report: Report, args: Arguments): void {
  const { locale, details, quiet, rulesUrl } = args
  const told = {
    failOn: undefined,
    locale,
    details,
    quiet,
    rulesUrl,
    paint: createPainter(process.stdout, process.env),
    width: process.stdout.columns,
  }
  if (args.outputs[0]?.format === 'json') process.stdout.write(toChangeLine(comparison, report))
  else if (comparison === undefined) process.stdout.write(printReport(report, told))
  else process.stdout.write(printChange(comparison, told) + (isCutShort ? `${printUnseen(report, told).join('\n')}\n` : ''))
}

/** A project that can't be scanned as it is now may be whole again after the next change. */
function tellRefusal({ locale }: Arguments, signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (isRefusal(error)) tell(`${describeInTerminal(error, locale)} (${error.code})`)
    else if (!signal.aborted) throw error
  }
}
