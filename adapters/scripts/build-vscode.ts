import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = `${ROOT}editors/vscode`
const PROGRAM = `${ROOT}dist/adapters`
const OUT = `${FOLDER}/parapet.vsix`

/** Writes editors/vscode/parapet.vsix: the extension as one file, and the command line as `npm run build` leaves it. */
if (!existsSync(`${PROGRAM}/cli-program.cjs`)) throw new Error('npm run build comes first')
await build({
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['vscode'],
  entryPoints: [`${FOLDER}/src/extension.ts`],
  outfile: `${FOLDER}/dist/extension.cjs`,
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
})
rmSync(`${FOLDER}/server`, { recursive: true, force: true })
mkdirSync(`${FOLDER}/server`)
for (const name of readdirSync(PROGRAM))
  if (/^cli(?:-program)?\.(?:js|cjs)(?:\.LEGAL\.txt)?$/.test(name)) copyFileSync(`${PROGRAM}/${name}`, `${FOLDER}/server/${name}`)
writeFileSync(`${FOLDER}/server/package.json`, '{"type":"module"}\n')
for (const name of ['LICENSE', 'NOTICE']) copyFileSync(`${ROOT}${name}`, `${FOLDER}/${name}`)
execFileSync(
  process.execPath,
  [`${FOLDER}/node_modules/@vscode/vsce/vsce`, 'package', '--no-dependencies', '--allow-missing-repository', '--out', OUT],
  { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] },
)
process.stdout.write(`${OUT.slice(ROOT.length)}: ${Math.round(statSync(OUT).size / 1024)} KiB\n`)
