// JavaScript, because it runs where nothing may be installed yet: as `prepare` of a clone or of an installation from Git, and before a start.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Written last by the build. */
const BUILT = join(ROOT, 'dist/adapters/page.js')
const SOURCES = ['core', 'handlers', 'adapters', 'package.json', 'package-lock.json']

/** Whether what was built last is newer than every source. */
function isBuilt() {
  if (!existsSync(BUILT)) return false
  const { mtimeMs } = statSync(BUILT)
  const files = SOURCES.map((name) => join(ROOT, name)).filter(existsSync)
  const all = files.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path],
  )
  return all.every((path) => statSync(path).mtimeMs <= mtimeMs)
}

if (!isBuilt()) {
  if (existsSync(join(ROOT, 'node_modules/typescript'))) {
    const { status } = spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })
    process.exitCode = status ?? 1
  } else process.stderr.write('Not built: the tools of the build are not installed (npm ci installs them).\n')
}
