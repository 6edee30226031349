#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { runCompiled } from './node/compiled-code.ts'
import { tuneEngine } from './node/tune-engine.ts'

/** Written in by the build: a hash of the program. */
declare const PARAPET_PROGRAM: string

/** Commands that run most of the program. */
const SCANNING = ['scan', 'lsp']

// before anything is compiled: compiled code belongs to the settings that it was compiled with
tuneEngine('scans')
runCompiled(fileURLToPath(new URL('./cli-program.cjs', import.meta.url)), {
  folder: fileURLToPath(new URL('./compiled', import.meta.url)),
  fingerprint: PARAPET_PROGRAM,
  // of a command that does less there would be less to keep
  isWorthKeeping: SCANNING.some((command) => process.argv.includes(command)),
  url: new URL('./node/', import.meta.url).href,
  load: (module) => import(new URL(module, import.meta.url).href),
})
