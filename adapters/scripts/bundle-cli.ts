import { fileURLToPath } from 'node:url'
import { bundleCommandLine } from './bundle-command-line.ts'
import { bundleProcess } from './bundle-process.ts'

const FOLDER = fileURLToPath(new URL('../../dist/adapters', import.meta.url))

bundleCommandLine(FOLDER)
bundleProcess(`${FOLDER}/node/process`)
