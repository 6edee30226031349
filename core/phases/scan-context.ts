import type { Engine } from '../engine.ts'
import type { Meter } from '../meter.ts'
import type { ScanPlan } from '../project/open.ts'
import type { ScanControl, ScanOptions } from '../types.ts'
import type { Findings } from './findings.ts'
import type { FileReader } from './read-file.ts'
import type { ReadingThreads } from './reading-threads.ts'

/** What every phase of one scan works with. */
export interface ScanContext {
  readonly plan: ScanPlan
  readonly engine: Engine
  readonly options: ScanOptions
  readonly control: ScanControl
  readonly findings: Findings
  /** Counts what joins files, phase by phase. */
  readonly meter: Meter
  readonly readFile: FileReader
  /** Threads that read files as well. */
  readonly threads?: ReadingThreads
  /** The time was over before all files were read: what is left is done in few steps, whatever the clock says. */
  readonly isLate?: true
}
