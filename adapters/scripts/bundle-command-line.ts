import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { NODE_BUNDLE, toAscii } from './node-bundle.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SERVER = './node/main.ts'
/** Where the build puts it, beside `cli.js`. */
const BUILT_SERVER = './node/main.js'

const { banner: _, ...COMMON_JS } = NODE_BUNDLE

/**
 * Writes the command line as one file, `cli.js`, and what it starts: a cold scan spends most of its time on resolving, reading and compiling a thousand modules. It
 * is CommonJS, which V8's compiled code can be kept of; modules that are imported when they are needed are still run only then. The server is a
 * bundle of its own, since its workers are started by their file; those that are processes have files of their own.
 */
export function bundleCommandLine(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const { outputFiles } = buildSync({
    ...COMMON_JS,
    format: 'cjs',
    // given by who runs it
    define: { ...COMMON_JS.define, 'import.meta.url': 'PARAPET_URL' },
    entryPoints: [`${ROOT}adapters/cli.ts`],
    outfile: join(folder, 'cli-program.cjs'),
    minify: true,
    legalComments: 'external',
    write: false,
    external: [SERVER],
  })
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.cjs') ? toAscii(withLoad(text)) : text)
  buildSync({
    ...NODE_BUNDLE,
    define: { PARAPET_PROGRAM: JSON.stringify(hashOf(readFileSync(join(folder, 'cli-program.cjs')))) },
    entryPoints: [`${ROOT}adapters/start.ts`],
    outfile: join(folder, 'cli.js'),
    minify: true,
  })
}

/** Code that is kept can't import: whoever runs it does. */
function withLoad(text: string): string {
  const [before, after, ...more] = text.split(`import("${SERVER}")`)
  if (after === undefined || more.length > 0 || /\bimport\(["'`]/.test(before + after))
    throw new Error('one import, of the server, is expected')
  return `${before}load("${BUILT_SERVER}")${after}`
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
