import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'
import { bundleCommandLine } from '../adapters/scripts/bundle-command-line.ts'
import { bundleProcess } from '../adapters/scripts/bundle-process.ts'
import { NODE_BUNDLE } from '../adapters/scripts/node-bundle.ts'

const ROOT = new URL('../', import.meta.url).pathname
/** Within node_modules, so that nothing is committed; a folder per process, since test files run side by side. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'parapet')
const FOLDER = join(CACHE, String(process.pid))
/** As the build lays it out: the command line looks for it there. */
const NODE = join(FOLDER, 'node')
/** What tests run in a process or thread of its own. The pool of the service looks for its worker beside itself. */
const ENTRIES = ['adapters/node/main.ts', 'adapters/node/scan-worker.ts', 'test/node/saver.ts', 'test/node/decider.ts'] as const

let built = false

/** The command line as it is published: compiled code is kept beside it, which saves each start but the first a third of its time. */
export function bundleCli(): string {
  build()
  return join(FOLDER, 'cli.js')
}

/**
 * One of the adapters as a script for Node, which runs no TypeScript in version 20. Packages are in it, as in the published command line: a start that
 * resolves and reads a thousand modules takes three times as long, and the tests start hundreds of processes.
 */
export function bundleForNode(entry: (typeof ENTRIES)[number]): string {
  build()
  return join(NODE, basename(entry).replace(/\.ts$/, '.js'))
}

function build(): void {
  if (built) return
  built = true
  mkdirSync(FOLDER, { recursive: true })
  // other tests keep folders with names of their own there
  for (const name of readdirSync(CACHE))
    if (/^\d+$/.test(name) && !isRunning(Number(name))) rmSync(join(CACHE, name), { recursive: true, force: true })
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}')
  buildSync({
    ...NODE_BUNDLE,
    entryPoints: ENTRIES.map((path) => join(ROOT, path)),
    splitting: true,
    entryNames: '[name]',
    outdir: NODE,
  })
  bundleCommandLine(FOLDER)
  bundleProcess(join(NODE, 'process'))
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
  return pathToFileURL(join(NODE, 'process', 'scan-child.js'))
}

/** The script of a thread that reads files for a scan. */
export function bundleReadingThread(): URL {
  bundleForNode('adapters/node/main.ts')
  return pathToFileURL(join(NODE, 'process', 'reading-thread.js'))
}

export function bundleWorker(): URL {
  return pathToFileURL(bundleForNode('adapters/node/scan-worker.ts'))
}
