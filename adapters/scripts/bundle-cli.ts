import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleProcess } from './bundle-process.ts'
import { NODE_BUNDLE } from './node-bundle.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = `${ROOT}dist/adapters`

const { banner: _, ...COMMON_JS } = NODE_BUNDLE

/**
 * Writes the command line as one file: a cold scan spends most of its time on resolving, reading and compiling a thousand modules. It is CommonJS, which V8's
 * compiled code can be kept of; modules that are imported when they are needed are still run only then. The server stays as it was compiled, since its workers are
 * started by their file; those that are processes have files of their own.
 */
const { outputFiles } = await build({
  ...COMMON_JS,
  format: 'cjs',
  // given by who runs it
  define: { ...COMMON_JS.define, 'import.meta.url': 'PARAPET_URL' },
  entryPoints: [`${ROOT}adapters/cli.ts`],
  outfile: `${FOLDER}/cli-program.cjs`,
  minify: true,
  legalComments: 'external',
  write: false,
  plugins: [
    {
      name: 'server-as-compiled',
      setup: ({ onResolve }) => onResolve({ filter: /\/node\/main\.ts$/ }, () => ({ path: './node/main.js', external: true })),
    },
  ],
})
for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.cjs') ? toAscii(withLoad(text)) : text)

await build({
  ...NODE_BUNDLE,
  define: { PARAPET_PROGRAM: JSON.stringify(hashOf(readFileSync(`${FOLDER}/cli-program.cjs`))) },
  entryPoints: [`${ROOT}adapters/start.ts`],
  outfile: `${FOLDER}/cli.js`,
  minify: true,
})
bundleProcess(`${FOLDER}/node/process`)

/** Code that is kept can't import: whoever runs it does. */
function withLoad(text: string): string {
  const [before, after, ...more] = text.split('import("./node/main.js")')
  if (after === undefined || more.length > 0 || /\bimport\(["'`]/.test(before + after))
    throw new Error('one import, of the server, is expected')
  return `${before}load("./node/main.js")${after}`
}

/** Text of one byte a letter is read, kept and compared at half the cost. esbuild leaves letters of other kinds in regular expressions alone. */
function toAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
