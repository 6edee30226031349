import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** What other scripts of the build wrote there, and what they look for. */
const OTHERS = /^adapters\/(?:cli|page|node\/process\/(?:scan-child|scan-worker|reading-thread))\.js$/

const entries = (names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, join(DIST, `adapters/${name}.js`)]))

/**
 * Written over the compiled modules, with the parts that are loaded when they are asked for; packages stay outside. Without comments and in ASCII, since V8 keeps
 * the text of a loaded module in the heap, and keeps two bytes for each character once one of them lies beyond Latin-1.
 */
const ENTRIES = {
  outdir: join(DIST, 'adapters'),
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
} satisfies BuildOptions

const edge = await build({
  ...ENTRIES,
  entryPoints: entries(['edge']),
  chunkNames: 'edge-[hash]',
  minify: true,
  platform: 'neutral',
})

/**
 * What a host imports and what is started as a program. 1,700 modules cost a host 0.6 s and 10 MB of heap before its first scan. All in one call: what two entries
 * share stays one module, such as the class of refusals. Parts lie where `adapters/node` lies, since modules there find their scripts by their own address. Names
 * stay, for whoever reads a stack.
 */
const rest = await build({
  ...ENTRIES,
  entryPoints: entries([
    'embed',
    'node/index',
    'node/main',
    'node/scan-worker',
    'node/health-check',
    'ui5-task',
    'traces',
    'bun',
    'deno',
  ]),
  chunkNames: 'node/part-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  platform: 'node',
})

const written = new Set([edge, rest].flatMap(({ metafile }) => Object.keys(metafile.outputs)).map((path) => resolve(path)))
for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  const path = join(DIST, name)
  const isCompiled = path.endsWith('.js') && existsSync(`${path.slice(0, -3)}.d.ts`)
  if (isCompiled && !written.has(path) && !OTHERS.test(relative(DIST, path))) rmSync(path)
}
