import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'
import { bundleProcess } from '../adapters/scripts/bundle-process.ts'
import { NODE_BUNDLE } from '../adapters/scripts/node-bundle.ts'

const ROOT = new URL('../', import.meta.url).pathname
/** Within node_modules, so that nothing is committed; a folder per process, since test files run side by side. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'parapet')
const FOLDER = join(CACHE, String(process.pid))
/** What tests run in a process or thread of its own. The pool of the service looks for its worker beside itself. */
const ENTRIES = [
  'adapters/cli.ts',
  'adapters/node/main.ts',
  'adapters/node/scan-worker.ts',
  'test/node/saver.ts',
  'test/node/decider.ts',
] as const

let built = false

/**
 * One of the adapters as a script for Node, which runs no TypeScript in version 20. Packages are in it, as in the published command line: a start that
 * resolves and reads a thousand modules takes three times as long, and the tests start hundreds of processes.
 */
export function bundleForNode(entry: (typeof ENTRIES)[number]): string {
  if (!built) build()
  built = true
  return join(FOLDER, basename(entry).replace(/\.ts$/, '.js'))
}

function build(): void {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(CACHE)) if (!isRunning(Number(name))) rmSync(join(CACHE, name), { recursive: true, force: true })
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}')
  buildSync({
    ...NODE_BUNDLE,
    entryPoints: ENTRIES.map((path) => join(ROOT, path)),
    splitting: true,
    entryNames: '[name]',
    outdir: FOLDER,
  })
  bundleProcess(join(FOLDER, 'process'))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The script of the process of a scan, beside that of the service. */
export function bundleChild(): URL {
  bundleForNode('adapters/node/main.ts')
  return pathToFileURL(join(FOLDER, 'process', 'scan-child.js'))
}

/** The script of a thread that reads files for a scan. */
export function bundleReadingThread(): URL {
  bundleForNode('adapters/node/main.ts')
  return pathToFileURL(join(FOLDER, 'process', 'reading-thread.js'))
}

export function bundleWorker(): URL {
  return pathToFileURL(bundleForNode('adapters/node/scan-worker.ts'))
}
