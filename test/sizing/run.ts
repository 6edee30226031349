/**
 * Measures what a project of each corpus needs, simulates days of many, and writes both into docs/operations.md: `npm run sizing`. On a quiet machine; figures of a loaded one are too high.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import * as z from 'zod'
import { buildCorpora, CACHE } from '../bench/corpus.ts'
import { FIGURES, figures, PAGE, putSizing } from './page.ts'

const ROUNDS = { S: 30, M: 10, L: 4 } as const

const script = join(CACHE, 'scan-warm.mjs')
buildSync({
  entryPoints: [new URL('scan-warm.ts', import.meta.url).pathname],
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outfile: script,
  packages: 'external',
  minify: true,
})
const measured = Object.fromEntries(
  [...buildCorpora()].map(([name, zip]) => {
    const told = execFileSync(process.execPath, [script, zip, String(ROUNDS[name])], { encoding: 'utf8' })
    process.stdout.write(`${name} ${told}\n`)
    return [name, z.unknown().parse(JSON.parse(told))]
  }),
)
const all = figures.parse(measured)
writeFileSync(FIGURES, `${JSON.stringify(all, undefined, 2)}\n`)
writeFileSync(PAGE, putSizing(readFileSync(PAGE, 'utf8'), all))
