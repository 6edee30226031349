import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../../scan-files.ts'
import { managerOfLock } from '../../../core/model/npm/index.ts'

test.each([
  ['package-lock.json', 'npm install'],
  ['app/npm-shrinkwrap.json', 'npm install'],
  ['app/package.json', 'npm install'],
  ['app/yarn.lock', 'yarn install'],
  ['pnpm-lock.yaml', 'pnpm install'],
])('%s is written by %s', (file, install) => {
  expect(managerOfLock(file).install).toBe(install)
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
