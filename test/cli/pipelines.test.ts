import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import parapetTask from '../../adapters/ui5-task.ts'
import { bundleCli } from '../bundle.ts'
import { SHOP } from '../runners/projects.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const CI = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')
const ENVIRONMENT = { PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' }

let folder: string
let command: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-ci-'))
  command = `${process.execPath} ${bundleCli()}`
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, 'shop', path)), { recursive: true })
    writeFileSync(join(folder, 'shop', path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const bash = (script: string, env: Record<string, string>): { code: number | null; out: string } => {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: join(folder, 'shop'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...ENVIRONMENT, ...env },
  })
  return { code: status, out: stdout + stderr }
}

/** The fence of a language in a section of docs/ci.md. */
function snippet(heading: string, language: string): string {
  const section = CI.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? ''
}

/** A line of a pipeline, with our own build in the place of the package. */
const toLocal = (line: string): string =>
  line.replace(/npx --yes "git\+https:[^"]+"(?= )|^adapters\/scripts\/hook\.js(?= )|^parapet(?= )/, command)

test('the action scans, writes SARIF and a summary, and ends with the code of the scan', () => {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
  const step = action.runs.steps.at(-1)
  expect(action.runs.using).toBe('composite')
  // an expression inside a script would run what an input holds
  expect(step.run).not.toContain('${{')
  const given = { path: '.', 'fail-on': 'critical', sarif: 'out file.sarif', command }
  const env: Record<string, string> = {
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_OUTPUT: join(folder, 'output'),
  }
  for (const [name, value] of Object.entries<string>(step.env)) {
    if (value === '${{ github.action_path }}') continue
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? ''
    expect(action.inputs).toHaveProperty(input)
    env[name] = new Map(Object.entries(given)).get(input) ?? action.inputs[input].default
  }
  expect(bash(step.run, env)).toMatchObject({ code: 1, out: expect.stringContaining('cap/cql-injection') })
  expect(JSON.parse(readFileSync(join(folder, 'shop/out file.sarif'), 'utf8')).runs[0].results).toHaveLength(13)
  expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain('# Parapet: shop')
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('exit-code=1\n')
  const config = join(folder, 'shop/parapet.config.json')
  writeFileSync(config, '{ "failOn": "high" }')
  expect(bash(step.run, { ...env, FAIL_ON: '' }).code).toBe(0)
  rmSync(config)
  const told = readFileSync(join(folder, 'summary'), 'utf8')
  expect(bash(step.run, { ...env, FAIL_ON: 'high; touch injected' }).code).toBe(2)
  // what an earlier step of the job found is not told again
  expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe(told)
  expect(existsSync(join(folder, 'shop/injected'))).toBe(false)
})

test.each([
  ['GitLab', () => parse(snippet('GitLab', 'yaml')).parapet.script[0], ['gl-code-quality-report.json', 'parapet.xml']],
  [
    'Azure',
    () => parse(snippet('Azure', 'yaml')).steps[0].script.replaceAll('$(Build.ArtifactStagingDirectory)/', ''),
    ['parapet.sarif', 'parapet.xml'],
  ],
  ['Jenkins', () => /sh '(.+)'/.exec(snippet('Jenkins', 'groovy'))?.[1], ['parapet.sarif', 'parapet.xml']],
  ['SAP', () => JSON.parse(snippet('SAP', 'json')).scripts.security, ['parapet.sarif']],
])('the line of %s runs and writes its files', (_, line, files) => {
  for (const file of files) rmSync(join(folder, 'shop', file), { force: true })
  const { code, out } = bash(toLocal(String(line())), {})
  expect(code, out).toBe(1)
  for (const file of files) expect(readFileSync(join(folder, 'shop', file), 'utf8').length).toBeGreaterThan(100)
})

test('the other snippets are what their tools read', () => {
  const piper = parse(snippet('SAP', 'yaml'))
  expect(piper.steps.npmExecuteScripts.runScripts).toEqual(Object.keys(JSON.parse(snippet('SAP', 'json')).scripts))
  const job = parse(snippet('GitHub', 'yaml')).jobs.parapet
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
  for (const input of Object.keys(job.steps[1].with)) expect(action.inputs).toHaveProperty(input)
  const [task, app] = parseAllDocuments(snippet('UI5', 'yaml')).map((document) => document.toJS())
  expect(app.builder.customTasks[0].name).toBe(task.metadata.name)
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(`./${task.task.path.replace('node_modules/parapet/', '')}`).toBe(exports['./ui5-task'].default)
})

test('the pre-commit hook runs a command that exists', () => {
  const [hook] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'))
  expect(parse(snippet('pre-commit', 'yaml')).repos[0].hooks[0].id).toBe(hook.id)
  const start = 'git init -q && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m first'
  expect(bash(`${start} && ${toLocal(hook.entry)}`, {}).code).toBe(0)
  expect(
    bash(`printf '// x\\n' >> srv/shop.js && sed -i 's/cds.run(/cds.run (/' srv/shop.js && ${toLocal(hook.entry)}`, {}).code,
  ).toBe(1)
})

test('the hook tells that it builds the first time', () => {
  const clone = join(folder, 'clone')
  mkdirSync(join(clone, 'adapters/scripts'), { recursive: true })
  mkdirSync(join(clone, 'bin'))
  copyFileSync(join(ROOT, 'adapters/scripts/hook.js'), join(clone, 'adapters/scripts/hook.js'))
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(clone, 'bin/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const PATH = `${join(clone, 'bin')}:${process.env['PATH'] ?? ''}`
  const hook = `${process.execPath} ${join(clone, 'adapters/scripts/hook.js')} scan .`
  expect(bash(hook, { PATH })).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^Building Parapet once.+\nnpm ci .+ failed\n/m),
  })
  mkdirSync(join(clone, 'dist/adapters'), { recursive: true })
  for (const built of ['page.js', 'cli.js']) writeFileSync(join(clone, 'dist/adapters', built), '')
  expect(bash(hook, { PATH })).toMatchObject({ code: 0, out: expect.not.stringContaining('Building') })
})

test('the task of the UI5 tooling ends a build, or only tells', async () => {
  const lines: string[] = []
  const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
  const taskUtil = { getProject: () => ({ getRootPath: () => join(folder, 'shop') }) }
  const build = (failOn?: string): Promise<void> =>
    parapetTask({ log, taskUtil, options: { projectName: 'shop', configuration: failOn === undefined ? undefined : { failOn } } })
  await expect(build()).rejects.toThrow(/\d findings at or above high/)
  expect(lines.join('\n')).toContain('cap/cql-injection')
  await expect(build('never')).resolves.toBeUndefined()
  await expect(build('severe')).rejects.toThrow('failOn takes')
  const misspelt: object = { failon: 'low' }
  await expect(parapetTask({ log, taskUtil, options: { projectName: 'shop', configuration: misspelt } })).rejects.toThrow(
    'no setting "failon"',
  )
})

test('nothing is run by a name that somebody else may own, nor at a version that may change', () => {
  const hooks = readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')
  const action = readFileSync(join(ROOT, 'action.yml'), 'utf8')
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  for (const text of [CI, hooks, action]) expect(text).not.toMatch(/npx (?:--yes )?parapet|parapet@(?:latest|v?\d|\$)/)
  expect(readme).not.toMatch(/npx --yes|parapet@/)
  for (const [, used = ''] of action.matchAll(/uses: (\S+)/g)) expect(used).toMatch(/@[0-9a-f]{40}$/)
  // npm would run no script of what it installs from Git for all of the machine: nothing would be built
  expect(parse(hooks)[0]).toMatchObject({
    language: 'script',
    entry: expect.stringMatching(/^adapters\/scripts\/hook\.js scan /),
  })
})
