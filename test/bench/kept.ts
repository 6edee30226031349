import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCompiled } from '../../adapters/node/compiled-code.ts'
import { tuneEngine } from '../../adapters/node/tune-engine.ts'

/**
 * Runs a bundled program of the bench as the installed command line runs: with what V8 made of it the last time. `kept.mjs PROGRAM ZIP [tuned]`; the settings of
 * V8 are chosen before anything is compiled, since compiled code belongs to them.
 */
const [program = ''] = process.argv.splice(2, 1)
if (process.argv[3] === 'tuned') tuneEngine('scans')
runCompiled(program, {
  folder: join(dirname(program), 'compiled'),
  fingerprint: createHash('sha256')
    .update(readFileSync(program))
    .update(process.argv[3] ?? '')
    .digest('hex'),
  isWorthKeeping: true,
  url: pathToFileURL(program).href,
  load: (module) => import(module),
})
