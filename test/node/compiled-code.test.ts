import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/** Says what it was built as, then what a module outside of it says; `fail`: throws where `main` is called, `work`: computes for a second. */
const programOf = (version: string): string => `
function main(name) {
  if (name === 'fail') throw new Error('failed')
  if (name === 'work') for (const end = Date.now() + 1000; Date.now() < end; );
  process.stdout.write('${version} ' + require('node:path').basename(__filenameOf()) + ' ' + name)
}
function __filenameOf() { return '/a/program' }
load('./outside.mjs').then(({ word }) => process.stdout.write(' ' + word))
main(process.argv[2])
`

let folder = ''
let starter = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-compiled-'))
  starter = join(folder, 'start.mjs')
  writeFileSync(join(folder, 'outside.mjs'), 'export const word = "outside"\n')
  const module = fileURLToPath(new URL('../../adapters/node/compiled-code.ts', import.meta.url))
  buildSync({
    stdin: {
      contents: `import { runCompiled } from ${JSON.stringify(module)}
        const [, , , fingerprint, keep] = process.argv
        runCompiled(${JSON.stringify(join(folder, 'program.cjs'))}, { folder: ${JSON.stringify(join(folder, 'compiled'))}, fingerprint, isWorthKeeping: keep !== 'no', url: 'file:///program/', load: (name) => import(new URL(name, import.meta.url).href) })`,
      resolveDir: folder,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: starter,
  })
})
beforeEach(() => {
  rmSync(join(folder, 'compiled'), { recursive: true, force: true })
  writeFileSync(join(folder, 'program.cjs'), programOf('one'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [starter, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const kept = (): string[] => readdirSync(join(folder, 'compiled')).map((name) => join(folder, 'compiled', name))
const only = (): string => kept()[0] ?? ''

test('what was compiled is kept, and serves the next run', () => {
  expect(run('ada', 'print-1')).toBe('one program ada outside')
  expect(kept()).toHaveLength(1)
  const { mtimeMs, ino } = statSync(only())
  expect(run('bob', 'print-1')).toBe('one program bob outside')
  expect(statSync(only())).toMatchObject({ mtimeMs, ino })
})

test('a run that takes far longer keeps its own, and no shorter one after it', () => {
  run('ada', 'print-1')
  const { mtimeMs } = statSync(only())
  expect(run('work', 'print-1')).toBe('one program work outside')
  const renewed = statSync(only())
  expect(renewed.mtimeMs).toBeGreaterThan(mtimeMs)
  expect(kept()).toHaveLength(1)
  expect(run('ada', 'print-1')).toBe('one program ada outside')
  expect(run('work', 'print-1')).toBe('one program work outside')
  expect(statSync(only())).toMatchObject({ mtimeMs: renewed.mtimeMs, ino: renewed.ino })
})

test('another program of the same length meets nothing of the first', () => {
  run('ada', 'print-1')
  writeFileSync(join(folder, 'program.cjs'), programOf('two'))
  expect(run('ada', 'print-2')).toBe('two program ada outside')
  expect(kept()).toHaveLength(2)
})

test.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['changed by a bit', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)))],
  ['foreign', () => Buffer.from('not code at all, but long enough to have the hash of something')],
])('code that is %s is compiled anew, and replaced', (_, spoil) => {
  run('ada', 'print-1')
  const { length } = readFileSync(only())
  const spoilt = spoil(readFileSync(only()))
  writeFileSync(only(), spoilt)
  expect(run('ada', 'print-1')).toBe('one program ada outside')
  expect(readFileSync(only()).equals(spoilt)).toBe(false)
  expect(readFileSync(only()).length).toBeGreaterThan(length / 2)
})

test('nothing is kept where it is not worth it, or may not be written', () => {
  expect(run('ada', 'print-1', 'no')).toBe('one program ada outside')
  expect(() => kept()).toThrow()
  writeFileSync(join(folder, 'compiled'), 'a file')
  expect(run('ada', 'print-1')).toBe('one program ada outside')
})

test('what a program throws is thrown, kept or not', () => {
  expect(() => run('fail', 'print-1')).toThrow()
  expect(() => run('fail', 'print-1')).toThrow()
})
