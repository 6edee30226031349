import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/**
 * Writes every compiled module again, without comments and in ASCII. V8 keeps the text of each loaded module in the heap, and keeps two bytes for each character
 * once one of them lies beyond Latin-1, as an apostrophe of a French text does: so a host that embeds the scanner has several MB more for its projects.
 * Declarations keep their comments, and source maps lead to the sources as before.
 */
const modules = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
buildSync({
  entryPoints: modules.map((file) => join(DIST, file)),
  outbase: DIST,
  outdir: DIST,
  allowOverwrite: true,
  charset: 'ascii',
  legalComments: 'none',
  sourcemap: true,
  target: 'es2022',
  logLevel: 'error',
})
