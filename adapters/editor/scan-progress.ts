import type { WorkDoneProgressReporter } from 'vscode-languageserver/node'
import { basename } from 'node:path'
import type { Locale, ScanProgress } from '../../core/index.ts'
import { sayInEditor } from './words.ts'

/** The share of a scan that reading takes, in percent. */
const READING = 80
/** A scan after an edit is shorter than this: nobody wants to see it blink. */
const SHOWN_AFTER_MS = 1000

/** Tells how far a scan is, in the way of the client, once it takes a while. `create`: undefined where the client shows none. */
export function createScanProgress(
  create: (() => Promise<WorkDoneProgressReporter>) | undefined,
  locale: () => Locale,
): { tell(folder: string, progress: ScanProgress | undefined): void } {
  const begun = new Map<string, number>()
  const shown = new Map<string, Promise<WorkDoneProgressReporter>>()

  const end = (folder: string): void => {
    begun.delete(folder)
    shown.get(folder)?.then(
      (reporter) => reporter.done(),
      () => undefined,
    )
    shown.delete(folder)
  }
  return {
    tell(folder, progress) {
      if (create === undefined) return
      if (progress === undefined) return end(folder)
      const since = begun.get(folder) ?? performance.now()
      begun.set(folder, since)
      if (performance.now() - since < SHOWN_AFTER_MS) return
      const title = sayInEditor(locale(), 'scanning', { folder: basename(folder) })
      const isNew = !shown.has(folder)
      const reporter = shown.get(folder) ?? create()
      shown.set(folder, reporter)
      const { phase, done, total } = progress
      const part = phase === 'reading' && total > 0 ? Math.floor((READING * done) / total) : READING
      const text = sayInEditor(locale(), phase, { done: String(done), total: String(total) })
      reporter.then(
        (it) => (isNew ? it.begin(title, part, text, false) : it.report(part, text)),
        () => undefined,
      )
    },
  }
}
