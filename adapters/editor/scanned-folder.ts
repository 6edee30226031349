import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locale, Report, ScanProgress } from '../../core/index.ts'
import { isRefusal } from '../../core/index.ts'
import { describeRefusal } from '../../handlers/index.ts'
import { openDirectory } from '../node/directory.ts'
import { createLiveResults, type KeptResults } from '../node/kept-results/index.ts'
import { rememberFiles } from '../node/remembered-files.ts'
import type { Settings } from '../node/settings.ts'
import { createPathScanner, type PathControl } from '../terminal/scan-path.ts'
import { createSettling } from '../terminal/settle.ts'
import { withOpenTexts, type OpenTexts } from './open-texts.ts'

/** A folder that is open in an editor, scanned after each change of it. */
export interface ScannedFolder {
  /** Something in it was changed, on the disk or in an open text. */
  touch(): void
  /** Ends what runs. Resolves when nothing of it is told any more. */
  close(): Promise<void>
}

export interface FolderOptions {
  /** Without links. */
  readonly root: string
  readonly settings: Settings
  /** Of the moment when a scan begins. */
  readonly locale: () => Locale
  readonly openTexts: () => OpenTexts
  /** Paths of the open texts whose findings are shown. */
  readonly shown: () => readonly string[]
  /** Results of an earlier session: for the first scan alone. */
  readonly openStored?: (project: string) => KeptResults | undefined
  readonly onReport: (report: Report) => void
  /** Of the first scan: what it knows of the shown texts at these paths before the whole is read. */
  readonly onAhead: (report: Report, paths: readonly string[]) => void
  /** The folder can't be scanned as it is now. */
  readonly onRefusal: (text: string) => void
  readonly onFault: (error: unknown) => void
  /** Undefined: the scan has ended. */
  readonly onProgress: (progress: ScanProgress | undefined) => void
  /** Gets each folder its turn: two scans at once would take twice as long each. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** After the last of some changes: a word is several keys, a save several events. */
const QUIET_MS = 10

/** An editor says which texts are open right after it said which folder. */
const OPENING_MS = 10

/** Somebody waits for the first scan; what is changed later is too little for a thread. */
const MOST_THREADS = 2
/** Half a second sooner for 80 MB more; of a large folder it would be 150 MB and nobody expects it at once. */
const WORTH = { cost: 1024 * 1024, upTo: 12 * 1024 * 1024 }

export function openScannedFolder(options: FolderOptions): ScannedFolder {
  const { root, settings } = options
  const stop = new AbortController()
  const changes = createSettling(QUIET_MS, stop.signal)
  // let go of after the first scan: it holds as much as all results
  let stored = options.openStored?.(root)
  const live = createLiveResults(stored?.readFile)
  const remembered = rememberFiles()
  const scan = createPathScanner(settings, {
    jobs: Math.min(availableParallelism(), MOST_THREADS),
    worth: WORTH,
    openKept: () => live,
    openDirectory: (path, limits) => withOpenTexts(openDirectory(path, limits, remembered), options.openTexts()),
  })

  const scanOnce = async (control: PathControl): Promise<void> => {
    try {
      const { parsed } = await scan(root, options.locale(), control)
      if (!stop.signal.aborted) options.onReport(parsed)
    } catch (error) {
      if (stop.signal.aborted) return
      if (isRefusal(error)) options.onRefusal(`${describeRefusal(error, options.locale())} (${error.code})`)
      else options.onFault(error)
    } finally {
      remembered.finish()
      options.onProgress(undefined)
    }
  }

  const run = async (): Promise<void> => {
    const watched = { signal: stop.signal, onProgress: options.onProgress }
    await sleep(OPENING_MS)
    if (stop.signal.aborted) return
    // where results are stored the whole is there as soon
    const isNew = stored?.isEmpty !== false
    const ahead: PathControl['ahead'] = {
      paths: options.shown,
      tell(report, paths) {
        if (!stop.signal.aborted) options.onAhead(report, paths)
      },
    }
    await options.inTurn(() => scanOnce({ ...watched, ...(isNew && { ahead }) }))
    stored?.finish()
    stored = undefined
    while (!stop.signal.aborted) {
      await changes.settled()
      if (!stop.signal.aborted) await options.inTurn(() => scanOnce(watched))
    }
  }
  const running = run()
  return {
    touch: changes.touch,
    async close() {
      stop.abort()
      await running
    },
  }
}
