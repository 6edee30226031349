import type { ScanOptions } from '../../../core/index.ts'
import type { Interruption } from '../../../core/host.ts'
import type { AdvisoryPlace, AnswerToWorker, FromWorker } from '../worker-protocol.ts'
import type { ReportPiece } from './report-pieces.ts'

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
  /** Of the report of the outcome that follows. */
  | { readonly type: 'piece'; readonly piece: ReportPiece }
  /** It holds so much memory by now that another one is to take its place behind this scan. */
  | { readonly type: 'worn' }
  /** Its thread died; it ends behind this message. */
  | { readonly type: 'thread-lost'; readonly message: string; readonly isOutOfMemory: boolean }
