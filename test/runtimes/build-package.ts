import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { TestProject } from 'vitest/node'

const ROOT = new URL('../../', import.meta.url).pathname

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the packed package lies: a folder as npm would unpack it. */
    packed: string
  }
}

/** Builds and packs the package once for all tests of this configuration, as `npm publish` would. */
export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, ['adapters/scripts/build-if-stale.js'], { cwd: ROOT, stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'parapet-packed-'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const [tarball = ''] = readdirSync(folder)
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder])
  project.provide('packed', join(folder, 'package'))
  return () => rmSync(folder, { recursive: true })
}

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})

/**
 * An empty project with the package installed: its own files as packed, below them what it declares to depend on and nothing more, so that an
 * import of something undeclared fails. Linked from what is installed here, so it needs no registry. `more`: name to folder.
 */
export function installPackage(packed: string, more: Readonly<Record<string, string>> = {}): string {
  const project = mkdtempSync(join(tmpdir(), 'parapet-project-'))
  const own = join(project, 'node_modules/parapet')
  cpSync(packed, own, { recursive: true })
  const { dependencies, optionalDependencies } = manifest.parse(JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) link(own, name, join(ROOT, 'node_modules', name))
  for (const [name, folder] of Object.entries(more)) link(project, name, folder)
  return project
}

function link(project: string, name: string, folder: string): void {
  const path = join(project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(folder, path)
}
