import { strToU8, zipSync, type Zippable } from 'fflate'
import { peakMemory } from './peak.ts'
import { startBuiltServer } from './server.ts'
import { HOSTILE } from '../hostile/hostile-archives.ts'

export interface HostileRun {
  /** Inputs that were answered with 201 or a coded problem. */
  readonly answered: number
  /** Names of those that were not. */
  readonly faults: readonly string[]
  /** MB that the service needed at its peak beyond its base and the largest upload. */
  readonly memory: number
  readonly slowest: { readonly name: string; readonly seconds: number }
}

const one =
  (path: string, text: string): (() => Uint8Array) =>
  () =>
    zipSync({ [path]: strToU8(text) })
const many = (count: number, text: string): Uint8Array => {
  const files: Zippable = {}
  for (let index = 0; index < count; index++) files[`f${index}.js`] = strToU8(text)
  return zipSync(files, { level: 1 })
}

/** Content that is nasty in other ways than its container. */
const CONTENT: readonly (readonly [string, () => Uint8Array])[] = [
  ['one-line-2MB', one('a.js', 'eval(location.hash);'.repeat(100_000))],
  ['one-line-400kB', one('webapp/a.js', 'eval(location.hash);'.repeat(20_000))],
  ['deep-json', one('manifest.json', '['.repeat(200_000))],
  ['deep-json-balanced', one('package.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['deep-parentheses', one('a.js', `x = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`)],
  ['deep-not', one('a.js', `x = ${'!'.repeat(200_000)}1`)],
  ['long-sum', one('a.js', `x = ${'"a" + '.repeat(50_000)}"b"`)],
  ['long-chain', one('a.js', `x${'.a().b'.repeat(60_000)}`)],
  ['deep-xml', one('a.view.xml', '<a>'.repeat(100_000))],
  [
    'entities',
    one(
      'a.view.xml',
      `<!DOCTYPE a [<!ENTITY l "${'l'.repeat(1000)}"><!ENTITY m "${'&l;'.repeat(1000)}">]><a b="${'&m;'.repeat(1000)}"/>`,
    ),
  ],
  ['deep-html', one('index.html', '<div>'.repeat(90_000))],
  [
    'yaml-aliases',
    one(
      'mta.yaml',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((key, index) => `${key}: &${key} [${`*${'abcdefghij'[index]},`.repeat(9)}]`)
        .join('\n')}\n`,
    ),
  ],
  ['yaml-dashes', one('mta.yaml', '- '.repeat(100_000))],
  ['yaml-keys', one('mta.yaml', Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'))],
  ['cds-nesting', one('a.cds', `entity E { ${'a : { '.repeat(60_000)}`)],
  ['cds-annotations', one('a.cds', `@a: ${'['.repeat(100_000)}`)],
  ['keywords', one('a.txt', 'BEGIN PRIVATE KEY://'.repeat(200_000))],
  ['many-small', (): Uint8Array => many(30_000, 'x')],
  ['many-scripts', (): Uint8Array => many(200, 'function a(b) { return b.c + 1 }\n'.repeat(3000))],
  [
    'just-under',
    (): Uint8Array =>
      zipSync(
        Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`b${index}.txt`, new Uint8Array(5_000_000).fill(65)])),
      ),
  ],
]

/** Hands every hostile input to the built service, one after the other and then twenty at once; loopback only, bounded by the inputs. */
export async function measureHostile(): Promise<HostileRun> {
  const server = await startBuiltServer({ PARAPET_WORKERS: '1' })
  const { url } = server
  try {
    const faults: string[] = []
    let slowest = { name: '', seconds: 0 }
    let largest = 0
    const send = async (name: string, bytes: Uint8Array): Promise<void> => {
      const started = performance.now()
      const form = new FormData()
      form.append('project', new Blob([new Uint8Array(bytes)]), 'x.zip')
      largest = Math.max(largest, bytes.length)
      const post = (): Promise<Response | undefined> =>
        fetch(`${url}/api/scan/upload`, { method: 'POST', body: form, signal: AbortSignal.timeout(90_000) }).catch(
          () => undefined,
        )
      // a connection that was idle while an input was made may be closed just as it is used again: that is the client's to repeat
      const answer = (await post()) ?? (await post())
      const body: unknown = answer && JSON.parse(await answer.text())
      const seconds = (performance.now() - started) / 1000
      if (process.env['VERBOSE'] !== undefined)
        process.stderr.write(`${name} ${seconds.toFixed(2)} s, peak ${peakOf(server.pid).toFixed(0)} MB\n`)
      if (seconds > slowest.seconds) slowest = { name, seconds }
      if (answer?.status !== 201 && !(body instanceof Object && 'code' in body && body.code !== 'internal-error'))
        faults.push(name)
    }
    await send('warm', zipSync({ 'package.json': strToU8('{}') }))
    const base = peakOf(server.pid)
    const inputs = [...HOSTILE.map(({ name, build }) => [name, build] as const), ...CONTENT]
    for (const [name, build] of inputs) await send(name, build())
    await Promise.all(inputs.slice(-20).map(([name, build]) => send(`${name} (parallel)`, build())))
    if (!(await fetch(`${url}/api/health`)).ok) faults.push('health')
    return { answered: inputs.length + 20 - faults.length, faults, memory: peakOf(server.pid) - base - largest / 1e6, slowest }
  } finally {
    server.stop()
  }
}

function peakOf(pid: number | undefined): number {
  return peakMemory(pid) / 1000
}
