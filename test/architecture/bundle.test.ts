import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

test('a bundle is Latin-1: one character beyond it, such as in a regular expression, doubles the source in memory and slows all that is compiled', () => {
  const { outputFiles } = buildSync({
    entryPoints: [new URL('../../adapters/node/scan-worker.ts', import.meta.url).pathname],
    bundle: true,
    // without comments, as it is published
    minify: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'error',
  })
  const text = outputFiles.map((file) => file.text).join('')
  const beyond = [...text.matchAll(/.{0,60}[^\u0000-\u00ff].{0,20}/gu)].map(([around]) => around)
  expect(text.length).toBeGreaterThan(100_000)
  expect(beyond).toEqual([])
})
