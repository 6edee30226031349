import type { Locale, ScanProgress } from '../../core/index.ts'
import { PHASES } from './words.ts'

const INTERVAL_MS = 100

interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** One line on a terminal that says how far the scan is, and goes when it ends; nothing where a log or a pipe listens. */
export interface Progress {
  show(progress: ScanProgress): void
  clear(): void
}

export function createProgress(
  stream: Stream,
  environment: Readonly<Record<string, string | undefined>>,
  locale: Locale,
  now: () => number,
): Progress {
  if (stream.isTTY !== true || environment['TERM'] === 'dumb' || (environment['CI'] ?? '') !== '')
    return { show: () => {}, clear: () => {} }
  let shown: { readonly phase: string; readonly at: number } | undefined
  return {
    show({ phase, done, total }) {
      if (shown?.phase === phase && now() - shown.at < INTERVAL_MS) return
      shown = { phase, at: now() }
      const text = PHASES[locale][phase].replace('{done}', String(done)).replace('{total}', String(total))
      stream.write(`\r\u001b[2K${text}`)
    },
    clear() {
      if (shown !== undefined) stream.write('\r\u001b[2K')
      shown = undefined
    },
  }
}
