import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) })

/** A hash of all that results depend on beside the scanned project: the sources of the core, and the packages, which have exact versions. */
export function fingerprintSources(): string {
  const core = join(ROOT, 'core')
  const hash = createHash('sha256')
  const { version, dependencies } = manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  hash.update(JSON.stringify([version, dependencies]))
  const paths = readdirSync(core, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  for (const path of paths.filter((one) => one.endsWith('.ts')).sort())
    hash.update(JSON.stringify([path, readFileSync(join(core, path), 'utf8')]))
  return hash.digest('base64url').slice(0, 32)
}
