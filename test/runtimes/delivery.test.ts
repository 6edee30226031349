import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SHOP } from '../runners/projects.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'test'])
const ENVIRONMENT = { ...process.env, PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' }

let folder: string
/** The repository as a stranger clones it, and its address with the commit. */
let repository: string
let address: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-delivery-'))
  repository = join(folder, 'parapet')
  mkdirSync(repository)
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.has(name))
      cpSync(join(ROOT, name), join(repository, name), { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'first')
  address = `git+file://${repository}#${git('rev-parse', 'HEAD')}`
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, 'shop', path)), { recursive: true })
    writeFileSync(join(folder, 'shop', path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): { code: number; out: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...ENVIRONMENT, ...env } })
  return { code: status ?? -1, out: stdout + stderr }
}

test('installed from Git it is built, and runs as a command and as a library', () => {
  const project = join(folder, 'own')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const installed = run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', address], project)
  expect(installed.code, installed.out).toBe(0)
  const scanned = run(join(project, 'node_modules/.bin/parapet'), ['scan', join(folder, 'shop'), '--fail-on', 'high'], project)
  expect([scanned.code, scanned.out]).toEqual([1, expect.stringContaining('cap/cql-injection')])
  writeFileSync(join(project, 'own.js'), "import { RULES } from 'parapet'\nconsole.log(RULES.length > 200)\n")
  expect(run('node', ['own.js'], project).out.trim()).toBe('true')
  const lock = readFileSync(join(project, 'package-lock.json'), 'utf8')
  expect(lock).toContain(address.slice(address.indexOf('#')))
})

// the same installation as above once more, by another command: in a soak alone
test.skipIf(process.env['SOAK'] === undefined)('the line of a pipeline takes it from Git', () => {
  const ci = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')
  const line = /sh '(npx [^']+)'/.exec(ci)?.[1] ?? ''
  const own = line.replace(/"git\+https:[^"]+"/, `"${address}"`)
  expect(own).not.toBe(line)
  expect(run('bash', ['-c', own], join(folder, 'shop'))).toMatchObject({
    code: 1,
    out: expect.stringContaining('cap/cql-injection'),
  })
})

test('the action builds what lies beside it and scans, step by step as a runner does', () => {
  const { runs, inputs } = parse(readFileSync(join(repository, 'action.yml'), 'utf8'))
  const outputs = join(folder, 'output')
  const files = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary'), GITHUB_OUTPUT: outputs }
  const evaluate = (value: string): string =>
    value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) =>
      name === 'github.action_path' ? repository : String(inputs[name.replace('inputs.', '')]?.default),
    )
  const told: string[] = []
  let code = 0
  for (const step of runs.steps) {
    if (step.uses !== undefined) continue
    writeFileSync(outputs, '')
    const given = Object.entries<string>(step.env).map(([name, value]) => [name, evaluate(value)])
    const done = run('bash', ['-c', step.run], join(folder, 'shop'), { ...files, ...Object.fromEntries(given) })
    told.push(done.out)
    code = done.code
    if (step.id !== 'scan') expect(code, done.out).toBe(0)
    if (step.id === 'sources') expect(readFileSync(outputs, 'utf8')).toMatch(/^hash=[0-9a-f]{64}\n$/)
  }
  expect([code, told.at(-1)]).toEqual([1, expect.stringContaining('cap/cql-injection')])
  expect(JSON.parse(readFileSync(join(folder, 'shop/parapet.sarif'), 'utf8')).runs[0].results.length).toBeGreaterThan(5)
})

test('the hook of pre-commit builds the clone that it runs in, once', () => {
  const isSoak = process.env['SOAK'] !== undefined
  const [hook] = parse(readFileSync(join(repository, '.pre-commit-hooks.yaml'), 'utf8'))
  // https://pre-commit.com/#script: the entry is a path within a clone of the repository, run in the project
  const clone = join(folder, 'clone')
  expect(run('git', ['clone', '-q', repository, clone], folder).code).toBe(0)
  // the build is the one of the action above: once more only in a soak
  if (!isSoak) {
    cpSync(join(repository, 'dist'), join(clone, 'dist'), { recursive: true })
    symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
  }
  const start = 'git init -q && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m first'
  const first = run('bash', ['-c', `${start} && "${clone}"/${hook.entry}`], join(folder, 'shop'))
  expect(first.code, first.out).toBe(0)
  const change = "sed -i 's/cds.run(/cds.run (/' srv/shop.js"
  const begun = performance.now()
  expect(run('bash', ['-c', `${change} && "${clone}"/${hook.entry}`], join(folder, 'shop'))).toMatchObject({
    code: 1,
    out: expect.stringContaining('cap/cql-injection'),
  })
  // a build takes a minute and more
  expect(performance.now() - begun).toBeLessThan(40_000)
})
