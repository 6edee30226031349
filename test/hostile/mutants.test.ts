import { inflateRawSync } from 'node:zlib'
import { deflateSync, inflateSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { isRefusal } from '../../core/errors.ts'
import { openArchive } from '../../core/project/archive.ts'
import { inflateExactly } from '../../core/project/inflate.ts'
import { runs } from '../soak.ts'
import { LEGIT } from './legit-archives.ts'
import { createChance, drawArchive, mutateBytes, type Chance } from './mutate.ts'
import { openWithYauzl, openWithZipJs } from './other-readers.ts'
import { utf8 } from './zip-builder.ts'

const LIMITS = { entries: 1000 }
const FILES = new Map([
  ['package.json', utf8('{"name":"shop"}')],
  ['srv/cat.js', utf8('module.exports = () => 42\n'.repeat(6))],
  ['caf\u00e9.txt', new Uint8Array(0)],
])

let archives: readonly Uint8Array[] = []
beforeAll(async () => {
  archives = await Promise.all(LEGIT.map((writer) => writer.write(FILES)))
})

/** The files as we read them; undefined: refused or too large. Throws what is no refusal. */
function readOurs(bytes: Uint8Array): Map<string, Uint8Array> | undefined {
  try {
    const { entries } = openArchive(bytes, LIMITS)
    // over the limits: never inflated
    if (entries.some(({ size }) => size > 2 ** 20)) return undefined
    return new Map(entries.map((entry) => [entry.path, entry.read() ?? new Uint8Array(0)]))
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

const text = (files: ReadonlyMap<string, Uint8Array>): string[] =>
  [...files].map(([path, data]) => `${path} ${Buffer.from(data).toString('base64')}`).sort()

/** What we accept, both others accept, with the same names and bytes. Gives how many that were. */
async function compare(count: number, draw: (chance: Chance) => Uint8Array): Promise<number> {
  let accepted = 0
  for (let seed = 1; seed <= count; seed++) {
    const bytes = draw(createChance(seed))
    const ours = readOurs(bytes)
    if (ours === undefined) continue
    accepted++
    try {
      const links = new Set(openArchive(bytes, LIMITS).notices.flatMap(({ file }) => file ?? []))
      const { files: theirs, folders } = await openWithZipJs(bytes, links)
      // what we don't read: links, devices, and what calls itself a folder
      const others = new Set([...folders, ...links])
      const without = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> =>
        new Map([...files].filter(([path]) => !others.has(path)))
      expect(text(without(theirs)), `seed ${seed}`).toEqual(text(without(ours)))
      const listed = [...(await openWithYauzl(bytes))].filter((name) => !others.has(name))
      expect(listed.sort(), `seed ${seed}`).toEqual([...without(ours).keys()].sort())
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  return accepted
}

describe('what the gate accepts, others read the same', () => {
  test('bytes that were changed', async () => {
    const count = runs(300_000, 60)
    const accepted = await compare(count, (chance) => mutateBytes(chance.pick(archives), archives, chance))
    expect(accepted).toBeGreaterThan(count / 100)
    expect(accepted).toBeLessThan(count)
  }, 600_000)

  test('archives of honest and dishonest parts', async () => {
    const count = runs(100_000, 60)
    const accepted = await compare(count, drawArchive)
    expect(accepted).toBeGreaterThan(count / 20)
    expect(accepted).toBeLessThan(count)
  }, 600_000)
})

test('nothing but a refusal, whatever the bytes', () => {
  let refused = 0
  const count = runs(2_000_000, 60)
  for (let seed = 1; seed <= count; seed++) {
    const chance = createChance(seed * 7919)
    if (readOurs(mutateBytes(chance.pick(archives), archives, chance)) === undefined) refused++
  }
  expect(refused).toBeGreaterThan(count / 2)
}, 600_000)

describe('deflate streams that were changed', () => {
  const streams = [
    '',
    'x',
    'abc'.repeat(100),
    JSON.stringify(Array.from({ length: 400 }, (_, index) => `${index * index}`)),
  ].flatMap((content) => ([0, 1, 6, 9] as const).map((level) => deflateSync(utf8(content), { level })))

  test('what zlib inflates, we inflate to the same bytes; with a byte more or less we refuse', () => {
    let inflated = 0
    const count = runs(200_000, 60)
    for (let seed = 1; seed <= count; seed++) {
      const chance = createChance(seed)
      const stream = mutateBytes(chance.pick(streams), streams, chance)
      const expected = tryTo(() => inflateRawSync(stream, { maxOutputLength: 2 ** 20 }))
      if (expected === undefined) {
        // whatever length is declared, there is a coded answer
        const size = tryTo(() => inflateSync(stream).length) ?? 100
        if (size < 2 ** 20) tryRefused(() => inflateExactly(stream, size, 'a'))
        continue
      }
      inflated++
      expect(Buffer.from(inflateExactly(stream, expected.length, 'a')).equals(expected), `seed ${seed}`).toBe(true)
      expect(
        tryRefused(() => inflateExactly(stream, expected.length + 1, 'a')),
        `seed ${seed}`,
      ).toBe('size-mismatch')
      if (expected.length > 0)
        expect(
          tryRefused(() => inflateExactly(stream, expected.length - 1, 'a')),
          `seed ${seed}`,
        ).toBe('size-mismatch')
    }
    expect(inflated).toBeGreaterThan(count / 20)
  }, 600_000)
})

function tryTo<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** The reason of the refusal; throws what is none. */
function tryRefused(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.details.reason
  }
}
