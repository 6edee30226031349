import { join } from 'node:path'
import { buildSync } from 'esbuild'

const ROOT = new URL('../../', import.meta.url).pathname

/** The edge entry as one file, as it is deployed; of what was built, since the page is put into it then. */
export function bundleForEdge(folder: string): string {
  const outfile = join(folder, 'edge.mjs')
  buildSync({
    entryPoints: [join(ROOT, 'dist/adapters/edge.js')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  })
  return outfile
}
