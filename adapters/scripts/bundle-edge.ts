import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Writes the entry of edge runtimes over its compiled place, with the parts that a worker loads when they are asked for; packages stay outside. */
await build({
  entryPoints: { edge: join(DIST, 'adapters/edge.js') },
  outdir: join(DIST, 'adapters'),
  chunkNames: 'edge-[hash]',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  packages: 'external',
  minify: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
})
