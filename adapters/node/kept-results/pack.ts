import * as z from 'zod'

/** Sealed results by their names. */
export type Pack = ReadonlyMap<string, Uint8Array>

/** Another number where a pack is written in another form. */
const FORMAT = 1
/** Names and lengths of ten thousand files take 600 kB. */
const MOST_HEAD = 16 * 1024 * 1024

const head = z.object({
  parapet: z.literal(FORMAT),
  entries: z.array(z.tuple([z.string().max(64), z.number().int().nonnegative()])),
})

/** A line that says what follows, then that. */
export function writePack(pack: Pack): Buffer {
  const entries = [...pack].map(([name, bytes]): [string, number] => [name, bytes.length])
  const told: z.infer<typeof head> = { parapet: FORMAT, entries }
  const line = `${JSON.stringify(told)}\n`
  return Buffer.concat([Buffer.from(line), ...pack.values()])
}

/** Empty where the bytes are no pack, one of another version, or not whole. */
export function readPack(bytes: Uint8Array): Pack {
  const end = bytes.subarray(0, MOST_HEAD).indexOf(10)
  const told = end < 0 ? undefined : head.safeParse(parse(bytes.subarray(0, end))).data
  if (told === undefined) return new Map()
  const pack = new Map<string, Uint8Array>()
  let at = end + 1
  for (const [name, length] of told.entries) {
    if (at + length > bytes.length) return new Map()
    pack.set(name, bytes.subarray(at, at + length))
    at += length
  }
  return at === bytes.length ? pack : new Map()
}

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString())
  } catch {
    return undefined
  }
}
