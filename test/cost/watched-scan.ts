import type { Engine } from '../../core/engine.ts'
import { scanFiles } from '../scan-files.ts'
import type { Report } from '../../core/report/types.ts'

/** What a scan costs. Seconds are of this process' CPU: a machine that is busy is no scan that is slow. */
export interface Cost {
  readonly bytes: number
  readonly seconds: number
  /** The longest time in which nothing was counted: for so long nobody can stop the scan. */
  readonly silence: number
  /** What the silence ended with. */
  readonly after: string
  readonly report: Report
}

/** `disturb`: run once in the middle of the scan, to try the watchdog. `engine`: with other rules than all. */
export async function watchScan(files: ReadonlyMap<string, string>, disturb?: () => void, engine?: Engine): Promise<Cost> {
  let silence = 0
  let after = ''
  let phase = 'waiting'
  const started = cpuSeconds()
  let last = started
  const count = (): undefined => {
    const now = cpuSeconds()
    if (now - last > silence) {
      silence = now - last
      after = phase
    }
    last = now
  }
  const { en: report } = await scanFiles(files, {
    ...(engine !== undefined && { engine }),
    control: {
      interruption: count,
      onProgress: (progress) => {
        phase = progress.phase
        count()
      },
      onFindings: () => count(),
      ...(disturb !== undefined && { pause: () => Promise.resolve(disturb()) }),
    },
  })
  count()
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0)
  return { bytes, seconds: cpuSeconds() - started, silence, after, report }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
