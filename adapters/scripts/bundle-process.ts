import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { NODE_BUNDLE } from './node-bundle.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Writes the scripts of the process of a scan, each as one file: it starts in a third of the time that a thousand modules take, and needs to read nothing but its
 * own folder.
 */
export function bundleProcess(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
  buildSync({
    ...NODE_BUNDLE,
    entryPoints: [
      `${ROOT}adapters/node/process/scan-child.ts`,
      `${ROOT}adapters/node/process/reading-thread.ts`,
      `${ROOT}adapters/node/scan-worker.ts`,
    ],
    entryNames: '[name]',
    outdir: folder,
    minifySyntax: true,
    minifyWhitespace: true,
  })
}
