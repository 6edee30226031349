import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleProcess } from './bundle-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Writes the command line over its compiled entry as a few bundled files: a cold scan spends most of its time on resolving and reading a thousand modules. The
 * server stays as it was compiled, since its workers are started by their file; those that are processes have files of their own.
 */
await build({
  entryPoints: [`${ROOT}adapters/cli.ts`],
  outdir: `${ROOT}dist/adapters`,
  chunkNames: 'cli-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // of packages with several forms the one with static imports
  mainFields: ['module', 'main'],
  // packages in CommonJS ask for modules of Node.js by require
  banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" },
  plugins: [
    {
      name: 'server-as-compiled',
      setup: ({ onResolve }) => onResolve({ filter: /\/node\/main\.ts$/ }, () => ({ path: './node/main.js', external: true })),
    },
  ],
})
bundleProcess(`${ROOT}dist/adapters/node/process`)
