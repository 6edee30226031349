import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEB } from './browser.ts'

test('every custom property that the style uses is defined, or stands with what to take instead', () => {
  const name = readdirSync(join(WEB, 'assets')).find((file) => file.endsWith('.css')) ?? ''
  const style = readFileSync(join(WEB, 'assets', name), 'utf8')
  const defined = new Set([...style.matchAll(/(--[\w-]+)\s*:/g)].map(([, property]) => property))
  const bare = [...style.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, property]) => property)
  expect(bare.length).toBeGreaterThan(100)
  expect([...new Set(bare)].filter((property) => !defined.has(property))).toEqual([])
})
