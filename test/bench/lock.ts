import { readLock } from '../../core/parse/lock/index.ts'

/** How long the lock file of a large project takes, against what JSON.parse alone takes for the same text. */
export interface LockMeasure {
  readonly ratio: number
  readonly packages: number
  readonly kilobytes: number
  readonly readMs: number
  readonly parseMs: number
}

const PACKAGES = 3000
const WARM_UP = 40
const ROUNDS = 120
const FOLDER = 'node_modules/'

/** Warm medians of alternating rounds in this process. Throws where the reading lost a package: a reader that skips them is fast. */
export function measureLock(): LockMeasure {
  const text = buildLock()
  const [reads, parses]: [number[], number[]] = [[], []]
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    let found = 0
    const readMs = time(() => (found = readLock('package-lock.json', { role: 'package-lock' }, text).packages.length))
    const parseMs = time(() => JSON.parse(text))
    if (found !== PACKAGES) throw new Error(`the lock file holds ${PACKAGES} packages, read were ${found}`)
    if (round < 0) continue
    reads.push(readMs)
    parses.push(parseMs)
  }
  const [readMs, parseMs] = [median(reads), median(parses)]
  return { ratio: readMs / parseMs, packages: PACKAGES, kilobytes: text.length / 1000, readMs, parseMs }
}

function time(run: () => unknown): number {
  const start = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - start) / 1e6
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** A package-lock.json of version 3 as npm writes it: some packages in scopes, some below others, a third for development. */
function buildLock(): string {
  const random = createRandom()
  const names = Array.from({ length: PACKAGES }, (_, index) => nameAt(index))
  // npm sorts the keys; what stands below another is an older version of one that stands on top
  const keys = names.map((name, index) =>
    index % 8 === 7 ? `${FOLDER}${names[index - 1]}/${FOLDER}${names[random(index >> 1) & ~7]}` : FOLDER + name,
  )
  const tops = names.filter((_, index) => index % 8 !== 7)
  const pick = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, () => [tops[random(tops.length)] ?? '', `^${random(9) + 1}.${random(20)}.0`]),
    )
  const packages: Record<string, object> = {
    '': { name: 'bench', version: '1.0.0', license: 'Apache-2.0', dependencies: pick(60), devDependencies: pick(40) },
  }
  for (const key of keys.toSorted()) {
    const name = key.slice(key.lastIndexOf(FOLDER) + FOLDER.length)
    const version = `${random(9) + 1}.${random(30)}.${random(20)}`
    const count = Math.max(0, random(8) - 2)
    packages[key] = {
      version,
      resolved: `https://registry.example/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`,
      integrity: `sha512-${Array.from({ length: 86 }, () => BASE64[random(64)]).join('')}==`,
      ...(random(3) === 0 && { dev: true }),
      license: 'MIT',
      ...(count > 0 && { dependencies: pick(count) }),
      ...(random(9) === 0 && { bin: { [name.slice(name.indexOf('/') + 1)]: 'bin/cli.js' } }),
      ...(random(2) === 0 && { engines: { node: `>=${8 + 2 * random(6)}` } }),
      ...(random(6) === 0 && { funding: { type: 'opencollective', url: `https://funding.example/${name}` } }),
      ...(random(20) === 0 && { peerDependencies: pick(1) }),
    }
  }
  return JSON.stringify({ name: 'bench', version: '1.0.0', lockfileVersion: 3, requires: true, packages }, undefined, 2)
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const WORDS = ['array', 'buffer', 'cli', 'date', 'event', 'fetch', 'glob', 'http', 'is', 'json', 'kit', 'log', 'map', 'node']

function nameAt(index: number): string {
  const words = [WORDS[index % 14], WORDS[(index * 5 + 3) % 13], index.toString(36)].join('-')
  return index % 5 === 0 ? `@${WORDS[index % 11]}-tools/${words}` : words
}

/** Whole numbers below a limit, the same in each run. */
function createRandom(): (below: number) => number {
  let state = 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % Math.max(1, below)
  }
}
