import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../../scan-files.ts'
import { findNpmProject, managerOfLock } from '../../../core/model/npm/index.ts'

const EMPTY = findNpmProject(new Map())
const LOCK = { ownHost: '', others: [] }

test.each([
  ['package-lock.json', 'npm install'],
  ['app/npm-shrinkwrap.json', 'npm install'],
  ['app/yarn.lock', 'yarn install'],
  ['pnpm-lock.yaml', 'pnpm install'],
])('%s is written by %s', (file, install) => {
  expect(managerOfLock({ file, lock: LOCK }, EMPTY).install).toBe(install)
})

test('yarn.lock tells which Yarn wrote it', () => {
  const file = 'yarn.lock'
  expect(managerOfLock({ file, lock: { ...LOCK, descriptors: new Set() } }, EMPTY).audit).toBe('yarn audit --level high')
  expect(managerOfLock({ file, lock: LOCK }, EMPTY).audit).toBe('yarn npm audit --all --recursive --severity high')
})

test('a package.json without a lock file is mended by what its project uses', () => {
  const file = 'app/package.json'
  const manager = { ...EMPTY.manager, install: 'pnpm install' }
  expect(managerOfLock({ file }, { ...EMPTY, manager }).install).toBe('pnpm install')
})

test('the lock file of Bun tells that Bun is used', async () => {
  const manifest = JSON.stringify({ name: 'shop', dependencies: { express: '^4.0.0' } })
  const { en } = await scanFiles(
    new Map([
      ['package.json', manifest],
      ['bun.lock', '{ "lockfileVersion": 1 }'],
    ]),
  )
  const skipped = allFindings(en).find(({ ruleId }) => ruleId === 'npm/advisory-check-skipped')
  expect(skipped?.fix).toContain('"bun install --yarn"')
  expect(skipped?.fix).toContain('"bun audit --audit-level=high"')
})

test.each([
  ['pnpm@9.1.0', 'in package.json ("pnpm.overrides")'],
  ['pnpm@10.5.0', 'in package.json ("pnpm.overrides")'],
  ['pnpm@10.5.1', 'in pnpm-workspace.yaml ("overrides")'],
  ['pnpm@11.0.0', 'in pnpm-workspace.yaml ("overrides")'],
])('%s reads overrides %s', async (packageManager, where) => {
  const manifest = JSON.stringify({ name: 'shop', packageManager, dependencies: { tool: '^1.0.0' } })
  const lock =
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      tool:\n        specifier: ^1.0.0\n        version: 1.0.0\n" +
    'packages:\n  tool@1.0.0:\n    resolution: {integrity: sha512-AAAA}\n  json5@1.0.1:\n    resolution: {integrity: sha512-AAAA}\n' +
    'snapshots:\n  tool@1.0.0:\n    dependencies:\n      json5: 1.0.1\n  json5@1.0.1: {}\n'
  const { en } = await scanFiles(
    new Map([
      ['package.json', manifest],
      ['pnpm-lock.yaml', lock],
    ]),
  )
  expect(allFindings(en).find(({ ruleId }) => ruleId === 'npm/known-vulnerability')?.fix).toContain(where)
})

test.each([
  [undefined, 'npm ci'],
  ['yarn@1.22.22', 'yarn install --frozen-lockfile'],
  ['yarn@4.9.1', 'yarn install --immutable'],
  ['pnpm@11.0.0', 'pnpm install --frozen-lockfile'],
])('packageManager %s builds by %s', async (packageManager, build) => {
  const manifest = JSON.stringify({ name: 'shop', packageManager, dependencies: { express: '^4.0.0' } })
  const { en } = await scanFiles(new Map([['package.json', manifest]]))
  expect(allFindings(en).find(({ ruleId }) => ruleId === 'npm/lockfile-missing')?.fix).toContain(`"${build}"`)
})

test('a fix for an entry of yarn.lock names commands of Yarn', async () => {
  const lock =
    '# yarn lockfile v1\n\n\nexpress@^4.0.0:\n  version "4.21.2"\n  resolved "http://npm.acme.example/express/-/express-4.21.2.tgz"\n'
  const manifest = JSON.stringify({ name: 'shop', dependencies: { express: '^4.0.0' } })
  const { en, fr } = await scanFiles(
    new Map([
      ['package.json', manifest],
      ['yarn.lock', lock],
    ]),
  )
  const fixes = [...allFindings(en), ...allFindings(fr)].filter(({ file }) => file === 'yarn.lock').map(({ fix }) => fix)
  expect(fixes.length).toBeGreaterThanOrEqual(4)
  for (const fix of fixes) {
    expect(fix).toContain('"yarn install"')
    expect(fix).not.toMatch(/\bnpm (?:install|ci)\b/)
  }
})
