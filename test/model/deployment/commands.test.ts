import { describe, expect, test } from 'vitest'
import {
  createAppNames,
  findApprouterHost,
  findCommands,
  findCredentialBlocks,
  findStartCommands,
  isReachableDebugger,
  readDeployment,
} from '../../../core/model/deployment/index.ts'
import { readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

describe('commands', () => {
  const files = {
    '.github/workflows/ci.yml': 'on: push\njobs: { a: { steps: [{ run: npm ci }, { uses: a/b@c }] } }\n',
    Dockerfile: 'FROM node:24\nRUN npm ci\nCMD ["node"]\n',
    'package.json': '{ "scripts": { "start": "cds-serve" } }',
    'deploy.sh': '# comment\ncf push\n',
    'ci/Jenkinsfile': "// comment\nsh 'mvn verify'\n",
    '.gitlab-ci.yml': 'a: { script: [npm test] }\n',
    'test/run.sh': 'npm test\n',
    'notes.txt': 'cf push\n',
  }

  test('of pipelines, images, scripts; not of tests and other texts; comments are blank', () => {
    const found = [...findCommands(readProject(files))].map(({ file, runs, text }) => `${file} ${runs}: ${text.trim()}`)
    expect(found.sort()).toEqual([
      '.github/workflows/ci.yml build: npm ci',
      '.gitlab-ci.yml build: npm test',
      'Dockerfile build: npm ci',
      "ci/Jenkinsfile build: sh 'mvn verify'",
      'deploy.sh script: cf push',
      'package.json script: cds-serve',
    ])
  })

  test('offsets are those of the file', () => {
    for (const { file, text, spanOf } of findCommands(readProject(files))) {
      if (file !== 'Dockerfile' && file !== 'deploy.sh') continue
      const index = text.search(/npm|cf/)
      const { start, end } = spanOf(index, index + 2)
      expect(files[file].slice(start, end)).toBe(text.slice(index, index + 2))
    }
  })

  test('comments of a hostile text are linear', () => {
    const start = cpuTime()
    for (const line of ['#', ' ', ' #', '//', '\t'])
      expect([...findCommands(readProject({ 'a.sh': line.repeat(100_000) }))].length).toBeLessThan(2)
    expect(cpuTime() - start).toBeLessThan(20_000)
  })
})

test('start commands of manifests, modules and Procfiles', () => {
  const files = readProject({
    'manifest.yml': 'applications: [{ name: a, command: node a.js }, { name: b }]\n',
    'mta.yaml': 'ID: shop\nmodules:\n  - { name: c, type: nodejs, parameters: { command: node c.js } }\n',
    Procfile: '# processes\nweb: node server.js\nworker:  node worker.js\n',
  })
  const found = [...findStartCommands(files, readDeployment(files))]
  expect(found.map(({ app, text }) => `${app}: ${text}`).sort()).toEqual([
    'a: node a.js',
    'c: node c.js',
    'web: node server.js',
    'worker: node worker.js',
  ])
  expect(found.find(({ app }) => app === 'web')?.place.span).toEqual({ start: 17, end: 31 })
})

test('blocks of Jenkinsfiles with credentials', () => {
  const text =
    "a { environment { T = credentials('t'); U = 'u' } b { c } } d\nwithCredentials([usernamePassword(usernameVariable: 'N', passwordVariable: 'P')]) { e }"
  const found = [...findCredentialBlocks(readProject({ Jenkinsfile: text }))]
  expect(found.map(({ variables, text: block }) => `${variables.join()}:${block}`)).toEqual(['N,P: e ', 'T: b { c } '])
  expect(found.map(({ start, text: block }) => text.slice(start, start + block.length))).toEqual([' e ', ' b { c } '])
})

test('a debugger can be reached where it listens on more than the loopback address', () => {
  const reachable = ['--inspect=0.0.0.0', '--inspect-brk=0.0.0.0:9229', '--inspect=[::]:9229', '--inspect=10.0.0.1:1']
  const local = [
    '--inspect',
    '--inspect-brk',
    '--inspect=9229',
    '--inspect=localhost:9229',
    '--inspect=127.0.0.1',
    '--inspect=[::1]:9229',
  ]
  expect(reachable.filter((option) => !isReachableDebugger(option))).toEqual([])
  expect(local.filter(isReachableDebugger)).toEqual([])
})

test('variables at the top of a manifest are for all of its applications', () => {
  const { applications } = readDeployment(
    readProject({ 'manifest.yml': 'env: { A: 1 }\napplications: [{ name: a }, { name: b, env: { B: 1 } }]\n' }),
  )
  const namesAt = createAppNames(applications)
  const names = applications.flatMap(({ variables }) => variables.map(({ name, place }) => `${name}: ${namesAt(place)}`))
  expect([...new Set(names)].sort()).toEqual(['A: a, b', 'B: b'])
})

test('a folder that only the build writes is pushed for the package beside the manifest', () => {
  const folderOf = (files: Record<string, string>): string | undefined =>
    readDeployment(readProject({ 'orders/manifest.yml': 'applications: [{ name: orders, path: deployment/ }]\n', ...files }))
      .applications[0]?.folder
  expect(folderOf({ 'orders/package.json': '{}' })).toBe('orders')
  expect(folderOf({ 'orders/package.json': '{}', 'orders/deployment/package.json': '{}' })).toBe('orders/deployment')
  expect(folderOf({ 'package.json': '{}' })).toBe('orders/deployment')
  // an archive that a script packs
  const zipped = { 'orders/manifest.yml': 'applications: [{ name: orders, path: ./orders.zip }]\n' }
  expect(folderOf({ ...zipped, 'orders/package.json': '{}' })).toBe('orders')
  expect(folderOf({ ...zipped, 'package.json': '{}' })).toBe('orders/orders.zip')
})

test('the host of the approuter is that of a public route without references', () => {
  const hostOf = (routes: string): string | undefined =>
    findApprouterHost(
      readDeployment(
        readProject({
          'mta.yaml': `ID: shop\nmodules:\n  - { name: web, type: approuter.nodejs, parameters: { routes: [${routes}] } }\n`,
        }),
      ),
    )
  expect(hostOf('{ route: web.apps.internal }, { route: shop.acme.com/app }')).toBe('shop.acme.com')
  expect(hostOf("{ route: 'web.${default-domain}' }, { route: '*.acme.com' }")).toBeUndefined()
})
