import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createInProcessRunner } from '../../core/runner.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { openDirectory } from '../../adapters/node/directory.ts'
import { allFindings } from '../scan-files.ts'
import { scanOptions, SHOP, zipOf } from '../runners/projects.ts'
import { freePort, pollHealth } from './processes.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')

interface Step {
  readonly word: string
  readonly rest: string
}

/** The stages of the Dockerfile, each with its steps. */
function readStages(): Step[][] {
  const stages: Step[][] = []
  for (const line of DOCKERFILE.split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (word === 'FROM') stages.push([])
    if (word !== '') stages.at(-1)?.push({ word, rest })
  }
  return stages
}

const hasBuilder = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0

/** What a stage has in its folder: its COPY and RUN steps, by the hand of this test. */
function performStage(steps: readonly Step[], folder: string, from: string): void {
  for (const { word, rest } of steps) {
    if (word === 'RUN') execFileSync('sh', ['-c', rest], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    if (word !== 'COPY') continue
    const words = rest.split(' ').filter((part) => !part.startsWith('--'))
    const target = words.pop() ?? ''
    for (const source of words) {
      const place = target.endsWith('/') ? join(folder, target, source) : join(folder, target)
      mkdirSync(dirname(place), { recursive: true })
      cpSync(join(from, source.replace(/^\/app\//, '')), place, { recursive: true, verbatimSymlinks: true })
    }
  }
}

test('the image: built, not root, nothing written, healthy, and it ends with 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  if (hasBuilder) {
    process.stdout.write('container: built and run by docker\n')
    execFileSync('docker', ['build', '-q', '-t', 'parapet:test', ROOT], { stdio: ['ignore', 'ignore', 'inherit'] })
    const words = ['run', '--rm', '-d', '--read-only', '--cap-drop=ALL', '-p', `127.0.0.1:${port}:3000`, 'parapet:test']
    const id = execFileSync('docker', words, { encoding: 'utf8' }).trim()
    onTestFinished(() => void spawnSync('docker', ['rm', '-f', id]))
    await scanOnce(`http://127.0.0.1:${port}`)
    execFileSync('docker', ['exec', id, '/nodejs/bin/node', 'dist/adapters/node/health-check.js'])
    execFileSync('docker', ['stop', id])
    return
  }
  process.stdout.write('container: no builder here, so the steps of the Dockerfile were run one by one\n')
  const [build = [], final = []] = readStages()
  const [first, image] = [join(folder, 'build'), join(folder, 'app')]
  for (const path of [first, image]) mkdirSync(path)
  performStage(build, first, ROOT)
  performStage(final, image, first)
  const settings = Object.fromEntries(
    final.flatMap(({ word, rest }) => (word === 'ENV' ? [[rest.split('=')[0] ?? '', rest.slice(rest.indexOf('=') + 1)]] : [])),
  )
  expect(settings).toMatchObject({ HOST: '0.0.0.0', NODE_ENV: 'production' })
  const [, script = ''] = wordsOf(final, 'ENTRYPOINT')
  const env = { ...settings, HOST: '127.0.0.1', PORT: String(port), PARAPET_ADVISORIES: 'bundled' }
  // its files are another's, as those of an image are: without rights it can write nothing
  execFileSync('chmod', ['-R', 'a+rX,a-w', folder])
  const asNobody = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {}
  const child = spawn(process.execPath, [script], { cwd: image, env, ...asNobody, stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  await scanOnce(`http://127.0.0.1:${port}`)
  const check = wordsOf(final, 'HEALTHCHECK').at(-1) ?? ''
  const isHealthy = (at: number): boolean =>
    spawnSync(process.execPath, [check], { cwd: image, env: { PORT: String(at) }, ...asNobody }).status === 0
  expect([isHealthy(port), isHealthy(await freePort())]).toEqual([true, false])
  child.kill('SIGTERM')
  expect((await exit)[0]).toBe(0)
  expect(existsSync(join(image, 'node_modules/vitest'))).toBe(false)
})

/** The program of a step in its exec form: without a shell. */
function wordsOf(steps: readonly Step[], word: string): string[] {
  const rest = steps.find((step) => step.word === word)?.rest ?? ''
  return [...rest.slice(rest.indexOf('[')).matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)
}

async function scanOnce(url: string): Promise<void> {
  await pollHealth(url)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  const form = new FormData()
  form.append('project', new Blob([new Uint8Array(zipOf(SHOP))]), 'shop.zip')
  expect((await fetch(`${url}/api/scan/upload`, { method: 'POST', body: form })).status).toBe(201)
}

test('the image names a user that is not root, and no step of its last stage needs a shell', () => {
  const final = readStages().at(-1) ?? []
  expect(final.find(({ word }) => word === 'USER')?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(final.filter(({ word }) => word === 'RUN')).toEqual([])
  for (const word of ['ENTRYPOINT', 'HEALTHCHECK']) expect(wordsOf(final, word).length).toBeGreaterThan(0)
  // what is copied is what the context has
  const known = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)
  expect([...known].map(([, name = '']) => name).filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
})

test.each([
  'compose.yaml',
  'deploy/kubernetes.yaml',
  'deploy/kubernetes-workers.yaml',
  'deploy/keda.yaml',
  'deploy/cloud-foundry/manifest.yml',
  'deploy/btp/mta.yaml',
])('%s is YAML that names probes that there are', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  for (const document of parseAllDocuments(text)) expect(document.errors).toEqual([])
  const probes = [...text.matchAll(/\/api\/\w+/g)].map(([probe]) => probe)
  expect(probes.filter((probe) => !['/api/health', '/api/ready', '/api/metrics'].includes(probe))).toEqual([])
})

test('the samples follow what Parapet itself tells others', async () => {
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const run = createInProcessRunner({ ports, openDirectory })
  const { records } = await run({ kind: 'directory', path: join(ROOT, 'deploy'), name: 'deploy' }, scanOptions(), {})
  const findings = allFindings(JSON.parse(new TextDecoder().decode(records.en)))
  // samples of what others fill in have no lock file
  const told = findings.filter(
    ({ severity, ruleId }) => ['CRITICAL', 'HIGH', 'MEDIUM'].includes(severity) && !ruleId.startsWith('npm/'),
  )
  expect(told.map(({ ruleId, file, line, message }) => `${ruleId} ${file}:${line} ${message}`)).toEqual([])
})
