#!/usr/bin/env node
// JavaScript, because it runs where nothing is installed yet: in the clone that pre-commit keeps. As `language: node` npm would have to build what it installs
// from Git for all of the machine, and since version 11.19 it runs no scripts there.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND = join(ROOT, 'dist/adapters/cli.js')
/** Written last by the build. */
const BUILT = join(ROOT, 'dist/adapters/page.js')

/** What the steps say is told only where they fail: the hook's own words are the findings. */
function prepare(...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' })
  if (status === 0) return true
  process.stderr.write(`npm ${args.join(' ')} failed\n${stdout ?? ''}${stderr ?? ''}`)
  return false
}

const isBuilt = existsSync(BUILT)
if (!isBuilt) process.stderr.write('Building Parapet once, which takes a minute or more …\n')
const isReady = isBuilt || (prepare('ci', '--ignore-scripts', '--no-audit', '--no-fund') && prepare('run', 'build'))
process.exitCode = isReady
  ? (spawnSync(process.execPath, [COMMAND, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 4)
  : 4
