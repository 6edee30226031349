import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createWorkerPool, type PoolOptions } from '../../adapters/node/worker-pool.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { bundleForNode } from '../bundle.ts'
import { scanOptions, SHOP, slowProject, zipOf } from './projects.ts'

const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }

/** A pool of one process, ended with the test. */
function poolOf(processes: PoolOptions['processes'], events: string[] = []): ReturnType<typeof createWorkerPool> {
  const log: PoolOptions['log'] = ({ event }) => void events.push(event)
  const pool = createWorkerPool({ workers: 1, queueLength: 4, heap: 100, ports, log, processes })
  onTestFinished(() => pool.close())
  return pool
}
const archive = (files = SHOP): Parameters<ReturnType<typeof poolOf>['runner']>[0] => ({
  kind: 'archive',
  bytes: zipOf(files),
  name: 'x',
})

describe('a process in the place of that of a scan', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parapet-'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Runs a piece of JavaScript where a scan would begin; `tell(text)` fails the scan with it. */
  const scriptOf = (name: string, onScan: string): URL => {
    const path = join(folder, `${name}.js`)
    writeFileSync(
      path,
      `import fs from 'node:fs'
import { spawnSync } from 'node:child_process'
const tell = (message) => process.send({ type: 'failed', message })
const attempt = (work) => { try { work(); return 'allowed' } catch (error) { return error.code } }
process.on('disconnect', () => process.exit())
process.on('message', ({ type }) => { if (type === 'scan') { ${onScan} } })\n`,
    )
    return pathToFileURL(path)
  }
  const told = async (onScan: string, roots?: readonly string[]): Promise<string> => {
    const pool = poolOf({ script: scriptOf(`told-${onScan.length}`, onScan), roots })
    const error: unknown = await pool.runner(archive(), scanOptions(), {}).catch((thrown: unknown) => thrown)
    return error instanceof Error ? error.message : String(error)
  }

  test('one that ends itself costs its scan, not the service', async () => {
    const events: string[] = []
    const pool = poolOf({ script: scriptOf('aborts', 'process.abort()') }, events)
    await expect(pool.runner(archive(), scanOptions(), {})).rejects.toThrow(/a scan process ended with SIG/)
    await expect(pool.runner(archive(), scanOptions(), {})).rejects.toThrow(/a scan process ended with SIG/)
    // each three times: with all rules, with what was found, with less
    expect(events).toEqual(Array.from({ length: 6 }, () => 'worker-out-of-memory'))
    expect(pool.active()).toBe(0)
  })

  test('one that holds much memory is replaced behind its scan', async () => {
    const say = 'const pid = () => tell(String(process.pid))'
    const pidsOf = async (onScan: string): Promise<unknown[]> => {
      const pool = poolOf({ script: scriptOf(`pid-${onScan.length}`, `${say}; ${onScan}`) })
      const pids: unknown[] = []
      for (let scan = 0; scan < 2; scan++) pids.push(await pool.runner(archive(), scanOptions(), {}).catch(String))
      return pids
    }
    const [first, second] = await pidsOf('pid()')
    expect(first).toBe(second)
    const [third, fourth] = await pidsOf("process.send({ type: 'worn' }); pid()")
    expect(third).not.toBe(fourth)
  })

  test('one that still holds much memory when its scan is over is replaced then', async () => {
    const pool = poolOf({
      script: scriptOf('worn-later', "tell(String(process.pid)); setTimeout(() => process.send({ type: 'worn' }), 10)"),
    })
    const scan = (): Promise<string> => pool.runner(archive(), scanOptions(), {}).then(String, String)
    const first = await scan()
    const pid = Number(/\d+/.exec(first)?.[0])
    expect(pid).toBeGreaterThan(1)
    // no other scan has to come
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000)
    expect(await scan()).toMatch(/\d+/)
  })

  test('it gets no environment but the settings of the allocator', async () => {
    process.env['PARAPET_TEST_LEAK'] = 'x'
    onTestFinished(() => void delete process.env['PARAPET_TEST_LEAK'])
    const names: unknown[] = JSON.parse(await told('tell(JSON.stringify(Object.keys(process.env)))'))
    const others = names.filter((name) => !/^MALLOC_[A-Z]{1,9}(?:_[A-Z]{1,9}){0,2}_?$/.test(String(name)))
    expect(others).toEqual(process.platform === 'win32' ? ['SystemRoot'] : [])
  })

  test('it reads its own folder and what may be scanned, writes nothing, starts nothing', async () => {
    const other = mkdtempSync(join(tmpdir(), 'parapet-'))
    onTestFinished(() => rmSync(other, { recursive: true }))
    const [own, outside] = [JSON.stringify(join(folder, 'package.json')), JSON.stringify(join(other, 'a'))]
    const ask = `tell(JSON.stringify([
      attempt(() => fs.readFileSync(${own})), attempt(() => fs.readFileSync(${outside})),
      attempt(() => fs.writeFileSync(${outside}, '')), attempt(() => spawnSync('true'))]))`
    writeFileSync(join(other, 'a'), '')
    const [denied, allowed] = ['ERR_ACCESS_DENIED', 'allowed']
    expect(JSON.parse(await told(ask, []))).toEqual([allowed, denied, denied, denied])
    expect(JSON.parse(await told(`${ask} `, [other]))).toEqual([allowed, allowed, denied, denied])
  })

  test.runIf(existsSync('/usr/bin/prlimit'))('what it allocates beside the heap has a limit', async () => {
    const pool = poolOf({ script: scriptOf('hungry', 'globalThis.all = []; for (;;) all.push(Buffer.alloc(2 ** 26, 1))') })
    await expect(pool.runner(archive(), scanOptions(), {})).rejects.toThrow(/a scan process ended/)
  })
})

/** Processes that a process has started. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return /^PPid:\s+(\d+)$/m.exec(status)?.[1] === String(parent) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function isRunning(pid: number): boolean {
  try {
    // one that nobody waits for is gone as well
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux')(
  'no process of a scan outlives the service, however that ends',
  { timeout: 60_000 },
  async () => {
    const service = spawn(process.execPath, [bundleForNode('adapters/node/main.ts')], {
      env: { PORT: '0', PARAPET_ADVISORIES: 'bundled' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void service.kill('SIGKILL'))
    const url = await new Promise<string>((resolve) => {
      service.stdout.once('data', (line: Buffer) => resolve(String(line).trim().split(' ').at(-1) ?? ''))
    })
    const form = new FormData()
    form.append('project', new Blob([slowProject(2000).slice()]), 'a.zip')
    const running = fetch(`${url.replace(/\/$/, '')}/api/scan/upload`, { method: 'POST', body: form }).catch(() => undefined)
    await sleep(1500)
    const children = childrenOf(service.pid ?? 0)
    expect(children.length).toBe(1)
    service.kill('SIGKILL')
    await running
    for (let waited = 0; waited < 50 && children.some(isRunning); waited++) await sleep(100)
    expect(children.filter(isRunning)).toEqual([])
  },
)
