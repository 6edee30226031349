import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SHOP, zipOf } from '../runners/projects.ts'
import { installPackage } from './build-package.ts'

const ROOT = new URL('../../', import.meta.url).pathname

let project: string

beforeAll(() => {
  project = installPackage(inject('packed'), { '@types/node': join(ROOT, 'node_modules/@types/node') })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'shop.zip'), zipOf(SHOP))
})
afterAll(() => rmSync(project, { recursive: true }))

/** Runs a program of the stranger, and gives what it prints. */
function run(program: string): string {
  writeFileSync(join(project, 'program.js'), program)
  return execFileSync(process.execPath, ['program.js'], { cwd: project, encoding: 'utf8' }).trim()
}

describe('each entry does what it says', () => {
  test('parapet: a scan by one call', () => {
    const told = run(`
      import { readFileSync } from 'node:fs'
      import { isRefusal, scanProject } from 'parapet'
      const report = await scanProject(readFileSync('shop.zip'), { projectName: 'shop', locale: 'fr' })
      const refused = await scanProject(new TextEncoder().encode('hello')).catch((error) => error)
      console.log(report.projectName, report.summary.critical, report.results.cap.findings.length > 0, isRefusal(refused), refused.code)
    `)
    expect(told).toBe('shop 3 true true archive-invalid')
  })

  test('parapet: an app that answers requests', () => {
    const told = run(`
      import { readFileSync } from 'node:fs'
      import { createScannerApp } from 'parapet'
      const app = createScannerApp()
      const form = new FormData()
      form.append('project', new Blob([readFileSync('shop.zip')]), 'shop.zip')
      const made = await app.request('/api/scan/upload', { method: 'POST', body: form })
      const read = await app.request(made.headers.get('location'))
      console.log(made.status, read.status, (await made.text()) === (await read.text()))
    `)
    expect(told).toBe('201 200 true')
  })

  test('parapet/node: worker threads, folders, a durable history', () => {
    const told = run(`
      import { createScannerApp, createBundledAdvisories, createBundledCatalogue } from 'parapet'
      import { createDirectoryPolicy, createDurableStorage, createLog, createWorkerPool } from 'parapet/node'
      const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
      const pool = createWorkerPool({ workers: 1, queueLength: 4, ports, log: createLog('json') })
      const app = createScannerApp({
        runner: pool.runner,
        allocate: pool.allocate,
        resolveDirectory: createDirectoryPolicy([process.cwd()]),
        storage: createDurableStorage(process.cwd() + '/history'),
      })
      const body = JSON.stringify({ dirPath: process.cwd(), projectName: 'own' })
      const made = await app.request('/api/scan/directory', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const history = await (await app.request('/api/scan/history')).json()
      console.log(made.status, history.map(({ projectName }) => projectName).join())
      await pool.close()
    `)
    expect(told).toBe('201 own')
  })

  test('parapet/edge: the entry of a worker', () => {
    const told = run(`
      import worker from 'parapet/edge'
      const answer = await worker.fetch(new Request('http://localhost/api/health'), {})
      console.log(answer.status, (await answer.json()).status)
    `)
    expect(told).toBe('200 ok')
  })

  test('parapet/ui5-task: a task of the UI5 tooling', () => {
    const told = run(`
      import task from 'parapet/ui5-task'
      const log = { info() {}, warn() {} }
      const path = process.cwd() + '/node_modules/parapet'
      await task({ log, options: { projectName: 'x', configuration: { path, failOn: 'never' } } })
      console.log('done')
    `)
    expect(told).toBe('done')
  })

  test('parapet: the command', () => {
    const told = spawnSync(
      process.execPath,
      ['node_modules/parapet/dist/adapters/cli.js', 'scan', 'shop.zip', '--fail-on', 'high'],
      {
        cwd: project,
        encoding: 'utf8',
      },
    )
    expect(told.status).toBe(1)
    expect(told.stdout).toContain('3 critical')
  })
})

const PROGRAMS: Readonly<Record<string, string>> = {
  parapet: `
    import { createScannerApp, scanProject, type Report, type ScannerOptions } from 'parapet'
    const options: ScannerOptions = { base: '/scanner', retention: { limit: 3 } }
    export const answer: Response | Promise<Response> = createScannerApp(options).fetch(new Request('http://localhost/'))
    export const report: Promise<Report> = scanProject(new Uint8Array(), { locale: 'fr' })
  `,
  'parapet/node': `
    import { createLog, createWorkerPool, startServer, readSettings, type RunningServer, type WorkerPool } from 'parapet/node'
    export const make: typeof createWorkerPool = createWorkerPool
    export const server: Promise<RunningServer> = startServer(readSettings({ PORT: '0' }), createLog('json'))
    export type Pool = WorkerPool
  `,
  'parapet/edge': `
    import worker from 'parapet/edge'
    export const answer: Response | Promise<Response> = worker.fetch(new Request('http://localhost/'), {})
  `,
  'parapet/ui5-task': `
    import task, { type TaskParameters } from 'parapet/ui5-task'
    export const run = (parameters: TaskParameters): Promise<void> => task(parameters)
  `,
}

/** What the strictest compiler says of a program, and of the libraries that it uses. */
function compile(program: string, types: readonly string[]): string[] {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types,
  }
  writeFileSync(join(project, 'program.ts'), program)
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { cwd: project, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(': error TS'))
}

test.each(Object.entries(PROGRAMS))(
  '%s: a strict compiler finds nothing in its types, nor in a program that uses them',
  (entry, program) => {
    const found = compile(program, entry === 'parapet/node' ? ['node'] : [])
    expect(found.filter((line) => !line.includes('node_modules/') || line.includes('node_modules/parapet/'))).toEqual([])
  },
)

test('and it would find a fault', () => {
  const found = compile("import { scanProject } from 'parapet'\nexport const report: number = scanProject(new Uint8Array())", [])
  expect(found).toContainEqual(expect.stringContaining('program.ts(2,14): error TS2322'))
})

/** Every file of the package that an entry imports, and everything else that these name. */
function reach(entry: string): { files: Set<string>; packages: Set<string> } {
  const own = join(project, 'node_modules/parapet')
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [join(own, entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const text = readFileSync(file, 'utf8')
    const names = text.matchAll(/(?:(?:^|[;}])(?:import|export)\b[^'"`;]{0,3000}?|\bimport\()\s*['"]([^'"\n]{1,300})['"]/gm)
    for (const [, name = ''] of names) {
      // texts of rules quote imports too
      if (name.startsWith('.') && name.endsWith('.js')) waiting.push(join(dirname(file), name))
      else packages.add(name)
    }
  }
  return { files, packages }
}

// the one for the edge is bundled: its parts are those that are loaded when asked for
test.each([
  ['embed', 10],
  ['edge', 10],
])('nothing of Node is reachable from %s', (entry, least) => {
  const { files, packages } = reach(`dist/adapters/${entry}.js`)
  expect(files.size).toBeGreaterThan(least)
  expect([...packages].filter((name) => name.startsWith('node:'))).toEqual([])
  expect([...packages]).toEqual(expect.arrayContaining(['h3', 'zod', 'fflate']))
})

test('from parapet/node it is', () => {
  expect([...reach('dist/adapters/node/index.js').packages]).toEqual(expect.arrayContaining(['node:worker_threads']))
})

test('a project of 5 MB is scanned with a heap of 126 MB: as near as Node comes to an isolate of 128 MB', () => {
  const files: Record<string, string> = { ...SHOP }
  let size = 0
  const library = join(ROOT, 'node_modules/@sap')
  for (const path of readdirSync(library, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.(?:js|cds)$/.test(path) || size > 5_000_000) continue
    const text = readFileSync(join(library, path), 'utf8')
    size += text.length
    // every other one in the app: a server of 5 MB, all of whose files are joined by flows, takes 270 MB
    files[`${Object.keys(files).length % 2 === 0 ? 'srv' : 'webapp'}/lib/${path.replaceAll('node_modules', 'modules')}`] = text
  }
  expect(size).toBeGreaterThan(4_500_000)
  writeFileSync(join(project, 'large.zip'), zipOf(files))
  const program = `
    import { readFileSync } from 'node:fs'
    import { scanProject } from 'parapet'
    const report = await scanProject(readFileSync('large.zip'), { limits: { parse: 256 * 1024 } })
    console.log(report.filesScanned, report.notices.some(({ code }) => code === 'memory-limit'))
    console.error(Math.round(process.resourceUsage().maxRSS / 1024) + ' MB at most, ' + report.filesScanned + ' files')
  `
  writeFileSync(join(project, 'program.js'), program)
  const words = ['--max-old-space-size=126', 'program.js']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' })
  process.stdout.write(`5 MB with a heap of 126 MB: ${stderr.split('\n').slice(-2).join('')}\n`)
  expect([status, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d{3,4} false$/)])
})
