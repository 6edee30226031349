import { mkdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const ROOT = new URL('../', import.meta.url).pathname
/** Within node_modules, so that the bundles find the packages and nothing is committed. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'parapet')

/** Bundles one of the adapters for a Node process or thread of its own: Node 20 runs no TypeScript. */
export function bundleForNode(entry: string): string {
  mkdirSync(FOLDER, { recursive: true })
  // a name per process: test files run side by side
  const outfile = join(FOLDER, `${entry.replaceAll(/[^a-z]/g, '-')}-${process.pid}.mjs`)
  buildSync({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    outfile,
    logLevel: 'error',
  })
  return outfile
}

export function bundleWorker(): URL {
  return pathToFileURL(bundleForNode('adapters/node/scan-worker.ts'))
}
