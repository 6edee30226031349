import { strToU8, zipSync } from 'fflate'
import { PUMPS } from '../fuzz/pump/index.ts'
import { HOSTILE } from '../hostile/hostile-archives.ts'
import { CONTENT } from './hostile.ts'

/** Bytes of a project that the pump makes, and how often it repeats what has hardly any. */
const PUMPED = 2_000_000
const MOST_REPEATED = 100_000

/** What a client may send within the default limits, by its name. */
export type Input = readonly [name: string, build: () => Uint8Array]

const lineBreaks = (line: string): Uint8Array => {
  const text = strToU8(`eval(location.hash)\n${line.repeat(Math.floor(4_990_000 / line.length))}`)
  return zipSync(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`webapp/f${index}.js`, text])))
}

const pumped = PUMPS.map(({ name, grow }): Input => [
  `pump: ${name}`,
  () => {
    const sizeOf = (files: ReadonlyMap<string, string>): number => [...files.values()].reduce((sum, text) => sum + text.length, 0)
    const count = Math.min(MOST_REPEATED, Math.max(32, Math.floor((PUMPED / sizeOf(grow(512))) * 512)))
    return zipSync(Object.fromEntries([...grow(count)].map(([path, text]) => [path, strToU8(text)])))
  },
])

/** The whole hostile kit: archives, contents, what the pump makes, files of line breaks. */
export const INPUTS: readonly Input[] = [
  ['line-breaks', () => lineBreaks('\n')],
  ['line-breaks-cr', () => lineBreaks('\r')],
  ['line-breaks-code', () => lineBreaks('a()\n')],
  ...HOSTILE.map(({ name, build }): Input => [name, build]),
  ...CONTENT,
  ...pumped,
]
