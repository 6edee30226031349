import * as z from 'zod'
import { FACT_FIELDS } from '../../../core/host.ts'
import { HISTORY_FIELDS, type Outcome } from '../../../core/index.ts'

const header = z.object({
  entry: z.object(HISTORY_FIELDS),
  facts: z.object(FACT_FIELDS).optional(),
  /** Bytes of the report in English; what follows it is that in French. */
  english: z.int().min(0),
})

const LENGTH = 4

/** A finished scan as bytes: the length of what it says in JSON (32 bits, little endian), that, and both reports as they are. */
export function packOutcome({ entry, facts, records }: Outcome): Uint8Array {
  const { en, fr } = records
  const head = new TextEncoder().encode(JSON.stringify({ entry, facts, english: en.byteLength }))
  const bytes = new Uint8Array(LENGTH + head.byteLength + en.byteLength + fr.byteLength)
  new DataView(bytes.buffer).setUint32(0, head.byteLength, true)
  bytes.set(head, LENGTH)
  bytes.set(en, LENGTH + head.byteLength)
  bytes.set(fr, LENGTH + head.byteLength + en.byteLength)
  return bytes
}

/** Throws where it is not what was packed. */
export function unpackOutcome(bytes: Uint8Array): Outcome {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(LENGTH, LENGTH + length))
  const { entry, facts, english } = header.parse(JSON.parse(text))
  const start = LENGTH + length
  const records = { en: bytes.slice(start, start + english), fr: bytes.slice(start + english) }
  return { entry, records, ...(facts !== undefined && { facts }) }
}
