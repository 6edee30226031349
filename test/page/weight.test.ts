import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { WEB } from './browser.ts'

test('the page weighs at most 60 kB with all themes, and each language, a file of its own, 7 kB more', () => {
  const names = [
    'index.html',
    ...readdirSync(join(WEB, 'assets'))
      .filter((name) => /\.(?:js|css|svg)$/.test(name))
      .map((name) => `assets/${name}`),
  ]
  const weights = names.map((name) => [name, gzipSync(readFileSync(join(WEB, name)), { level: 9 }).length] as const)
  const languages = weights.filter(([name]) => /\/(?:en|fr)-/.test(name))
  const total = weights.reduce((sum, [, bytes]) => sum + bytes, 0) - languages.reduce((sum, [, bytes]) => sum + bytes, 0)
  process.stdout.write(`page: ${total} bytes gzipped: ${weights.map(([name, bytes]) => `${name} ${bytes}`).join(', ')}\n`)
  expect(weights.length).toBeGreaterThanOrEqual(4)
  expect(languages).toHaveLength(2)
  for (const [, bytes] of languages) expect(bytes).toBeLessThanOrEqual(7_000)
  expect(total).toBeLessThanOrEqual(60_000)
})
