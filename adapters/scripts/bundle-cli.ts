import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleProcess } from './bundle-process.ts'
import { NODE_BUNDLE } from './node-bundle.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Writes the command line over its compiled entry as a few bundled files: a cold scan spends most of its time on resolving and reading a thousand modules. The
 * server stays as it was compiled, since its workers are started by their file; those that are processes have files of their own.
 */
await build({
  ...NODE_BUNDLE,
  entryPoints: [`${ROOT}adapters/cli.ts`],
  outdir: `${ROOT}dist/adapters`,
  chunkNames: 'cli-[hash]',
  splitting: true,
  minify: true,
  plugins: [
    {
      name: 'server-as-compiled',
      setup: ({ onResolve }) => onResolve({ filter: /\/node\/main\.ts$/ }, () => ({ path: './node/main.js', external: true })),
    },
  ],
})
bundleProcess(`${ROOT}dist/adapters/node/process`)
