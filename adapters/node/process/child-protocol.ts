import type { ScanOptions } from '../../../core/index.ts'
import type { Interruption } from '../../../core/host.ts'
import type { AdvisoryPlace, AnswerToWorker, FromWorker } from '../worker-protocol.ts'

/** Service to the process of a scan. The bytes of an archive come by its standard input. */
export type ToChild =
  | {
      readonly type: 'scan'
      readonly source:
        | { readonly kind: 'archive'; readonly size: number; readonly name: string }
        | { readonly kind: 'directory'; readonly path: string; readonly name: string }
      readonly options: ScanOptions
      readonly advisories: AdvisoryPlace
    }
  | { readonly type: 'raise'; readonly why: Interruption }
  | AnswerToWorker

/** The process of a scan to the service. */
export type FromChild =
  | FromWorker
  /** Its thread died; it ends behind this message. */
  | { readonly type: 'thread-lost'; readonly message: string; readonly isOutOfMemory: boolean }
