import { createHash } from 'node:crypto'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { connect } from 'node:net'
import { startHealthProbe } from './health.ts'
import { peakMemory } from './peak.ts'
import { startBuiltServer } from './server.ts'
import { HOSTILE } from '../hostile/hostile-archives.ts'

export interface HostileRun {
  /** Inputs that were answered with 201 or a coded problem. */
  readonly answered: number
  /** Names of those that were not. */
  readonly faults: readonly string[]
  /** MB that the process that answers needed at its peak beyond its base and the largest upload; `memory.ts` has all processes. */
  readonly memory: number
  readonly slowest: { readonly name: string; readonly seconds: number }
  /** The worst p99 of the latencies of health requests while one input was scanned, in ms, and the input. */
  readonly health: { readonly name: string; readonly p99: number }
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
export const CONTENT: readonly (readonly [string, () => Uint8Array])[] = [
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
  [
    'slashes',
    one(
      'mta.yaml',
      `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: a\n    type: nodejs\n    path: ${'/'.repeat(500_000)}\n`,
    ),
  ],
  [
    'image-name',
    one('docker-compose.yml', `services:\n  a:\n    image: ${'a/:'.repeat(150_000)}\n    build: ${'/'.repeat(300_000)}\n`),
  ],
  [
    'route-sources',
    one(
      'xs-app.json',
      JSON.stringify({
        routes: Array.from({ length: 200 }, (_, index) => ({
          source: `^/.*a(?:(?:a{0,14}){0,13}X|b${index}).{20}$`,
          target: '/x/$1',
          destination: 'd',
          authenticationType: index % 2 === 0 ? 'none' : 'xsuaa',
        })),
      }),
    ),
  ],
  [
    'findings-600000',
    (): Uint8Array => {
      const files: Zippable = {}
      for (let index = 0; index < 6000; index++) files[`webapp/many/${index}.js`] = strToU8('eval(location.hash)\n'.repeat(100))
      return zipSync(files, { level: 6 })
    },
  ],
  [
    'credentials-10000',
    (): Uint8Array => {
      const files: Zippable = {}
      for (let index = 0; index < 100; index++) files[`srv/f${index}.js`] = strToU8(credentials(index))
      return zipSync(files, { level: 6 })
    },
  ],
]

/** A hundred addresses with passwords that no other file has. */
function credentials(file: number): string {
  const line = (index: number): string => {
    const drawn = createHash('sha256').update(`bench ${file} ${index}`).digest('base64url').slice(0, 20)
    return `const u${index} = "postgres://u${index}:${drawn}7a@db${index}.corp.cloud/shop"\n`
  }
  return Array.from({ length: 100 }, (_, index) => line(index)).join('')
}

/** Clients that say they send 90 MB each and send next to nothing: others must be served all the same. */
function stall(url: string, count: number): () => void {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/scan/upload HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 90000000\r\n\r\n`,
    )
    return socket
  })
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x'.repeat(1200))
  }, 100)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

/** Hands every hostile input to the built service, one after the other and then twenty at once; loopback only, bounded by the inputs. */
export async function measureHostile(): Promise<HostileRun> {
  // what is kept of earlier scans, up to 256 MiB, is no memory that an input needs
  const server = await startBuiltServer({ PARAPET_WORKERS: '1', PARAPET_HISTORY_BYTES: '32MiB' })
  const { url } = server
  try {
    const faults: string[] = []
    let health = { name: '', p99: 0 }
    let slowest = { name: '', seconds: 0 }
    let largest = 0
    // those that are sent at once would hold up each other's clock
    const send = async (name: string, bytes: Uint8Array, isAlone = true): Promise<void> => {
      const form = new FormData()
      form.append('project', new Blob([new Uint8Array(bytes)]), 'x.zip')
      largest = Math.max(largest, bytes.length)
      const post = (): Promise<Response | undefined> =>
        fetch(`${url}/api/scan/upload`, { method: 'POST', body: form, signal: AbortSignal.timeout(90_000) }).catch(
          () => undefined,
        )
      // connections that the service closed while this thread made an input: they must be seen as closed before one is used again
      await new Promise((resolve) => setTimeout(resolve, 50))
      const probe = isAlone ? startHealthProbe(url) : undefined
      const started = performance.now()
      // one may still be closed just as it is used: that is the client's to repeat
      const answer = (await post()) ?? (await post())
      const body: unknown = answer && JSON.parse(await answer.text())
      const seconds = (performance.now() - started) / 1000
      const { p99, failed } = (await probe?.stop()) ?? { p99: 0, failed: 0 }
      if (failed > 0) faults.push(`${name} (health)`)
      if (p99 > health.p99) health = { name, p99 }
      if (process.env['VERBOSE'] !== undefined)
        process.stderr.write(
          `${name} ${seconds.toFixed(2)} s, health ${p99.toFixed(1)} ms, peak ${peakOf(server.pid).toFixed(0)} MB\n`,
        )
      if (seconds > slowest.seconds) slowest = { name, seconds }
      if (answer?.status !== 201 && !(body instanceof Object && 'code' in body && body.code !== 'internal-error'))
        faults.push(name)
    }
    await send('warm', zipSync({ 'package.json': strToU8('{}') }))
    const base = peakOf(server.pid)
    const inputs = [...HOSTILE.map(({ name, build }) => [name, build] as const), ...CONTENT]
    for (const [name, build] of inputs) await send(name, build())
    await Promise.all(inputs.slice(-20).map(([name, build]) => send(`${name} (parallel)`, build(), false)))
    const release = stall(url, 3)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await send('beside slow clients', zipSync({ 'package.json': strToU8('{}') }))
    release()
    if (!(await fetch(`${url}/api/health`)).ok) faults.push('health')
    return {
      answered: inputs.length + 21 - faults.length,
      faults,
      health,
      memory: peakOf(server.pid) - base - largest / 1e6,
      slowest,
    }
  } finally {
    server.stop()
  }
}

function peakOf(pid: number | undefined): number {
  return peakMemory(pid) / 1000
}
