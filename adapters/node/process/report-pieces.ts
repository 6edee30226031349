import type { Outcome } from '../../../core/index.ts'

type Records = Outcome['records']

/** A piece of a rendered report, on its way from the process of a scan: one message of all of it would be held several times by whoever reads it. */
export interface ReportPiece {
  readonly locale: keyof Records
  /** Bytes of the whole. */
  readonly size: number
  readonly at: number
  readonly bytes: Uint8Array
}

const PIECE = 1024 * 1024

/** In the order in which they are to be sent; what is smaller than a piece goes with the outcome. */
export function* cutReport({ records }: Outcome): Generator<ReportPiece> {
  for (const locale of ['en', 'fr'] as const) {
    const { [locale]: whole } = records
    if (whole.byteLength <= PIECE) continue
    for (let at = 0; at < whole.byteLength; at += PIECE)
      yield { locale, size: whole.byteLength, at, bytes: whole.subarray(at, at + PIECE) }
  }
}

/** The outcome without what is cut. */
export function withoutPieces(outcome: Outcome): Outcome {
  const rest = (whole: Uint8Array): Uint8Array => (whole.byteLength <= PIECE ? whole : new Uint8Array(0))
  return { ...outcome, records: { en: rest(outcome.records.en), fr: rest(outcome.records.fr) } }
}

/** Puts the pieces of one report after the other together. */
export function createReportJoiner(): { add(piece: ReportPiece): void; join(outcome: Outcome): Outcome } {
  let whole: Partial<Record<keyof Records, Uint8Array>> = {}
  return {
    add({ locale, size, at, bytes }) {
      const known = whole[locale] ?? new Uint8Array(size)
      whole[locale] = known
      known.set(bytes, at)
    },
    join(outcome) {
      const records = { ...outcome.records, ...whole }
      whole = {}
      return { ...outcome, records }
    },
  }
}
