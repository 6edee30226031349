import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { context } from 'esbuild'
import { bundleProcess } from './bundle-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** As deep as the sources, so that the service finds the page that was built last. */
const FOLDER = `${ROOT}dist/dev`

/** The service from its sources, again after each change. Bundled, because threads of Node 20 run no TypeScript. */
const sources = await context({
  entryPoints: ['main', 'scan-worker'].map((name) => `${ROOT}adapters/node/${name}.ts`),
  outdir: FOLDER,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
await sources.rebuild()
bundleProcess(`${FOLDER}/process`)
await sources.watch()
const service = spawn(process.execPath, ['--enable-source-maps', '--watch', `${FOLDER}/main.js`], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill(signal))
service.once('exit', (code) => process.exit(code ?? 0))
