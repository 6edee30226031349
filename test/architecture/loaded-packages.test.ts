import { buildSync, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { NODE_BUNDLE } from '../../adapters/scripts/node-bundle.ts'

const ROOT = new URL('../../', import.meta.url).pathname

/** Packages that only a shared queue, its dashboard, Redis, S3, metrics or traces need. */
const OPTIONAL = /(?:^|\/)node_modules\/(bullmq|ioredis|aws4fetch|msgpackr|prom-client|@bull-board\/api|@opentelemetry\/api)\//

const ENTRIES = [
  'adapters/node/main.ts',
  'adapters/cli.ts',
  'adapters/embed.ts',
  'adapters/node/index.ts',
  'adapters/edge.ts',
] as const

const { metafile } = buildSync({
  ...NODE_BUNDLE,
  absWorkingDir: ROOT,
  entryPoints: [...ENTRIES],
  splitting: true,
  outdir: 'unwritten',
  write: false,
  metafile: true,
})

/** Optional packages that are loaded with an entry; `late`: also those that are imported when they are needed. */
function listLoaded(built: Metafile, entry: string, late: boolean): string[] {
  return [...new Set([...listModules(built, entry, late)].flatMap((path) => OPTIONAL.exec(path)?.[1] ?? []))].sort()
}

function listModules({ inputs }: Metafile, entry: string, late: boolean): ReadonlySet<string> {
  const seen = new Set([entry])
  for (const path of seen) {
    for (const { path: target, kind, external } of inputs[path]?.imports ?? []) {
      if (external !== true && (late || kind !== 'dynamic-import')) seen.add(target)
    }
  }
  expect(seen.size).toBeGreaterThan(5)
  return seen
}

test.each(ENTRIES)('%s loads no client of a queue, no metrics and no traces at its start', (entry) => {
  expect(listLoaded(metafile, entry, false)).toEqual([])
})

test('the service loads them where they are set', () => {
  expect(listLoaded(metafile, 'adapters/node/main.ts', true)).toEqual([
    '@bull-board/api',
    '@opentelemetry/api',
    'aws4fetch',
    'bullmq',
    'ioredis',
    'msgpackr',
    'prom-client',
  ])
})

test('the edge never does', () => {
  expect(listLoaded(metafile, 'adapters/edge.ts', true)).toEqual([])
})

/** What only scans and lists of rules need. */
const SCANNER = /^core\/(?:rules|flow|model|facts)\/(?!rule\.ts)|(?:^|\/)node_modules\/(?:@babel|yaml|saxes|htmlparser2)\//

test.each(['adapters/edge.ts', 'adapters/node/main.ts'])('%s answers before the scanner is loaded', (entry) => {
  expect([...listModules(metafile, entry, false)].filter((path) => SCANNER.test(path))).toEqual([])
  expect([...listModules(metafile, entry, true)].filter((path) => SCANNER.test(path)).length).toBeGreaterThan(500)
})
