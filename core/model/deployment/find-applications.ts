import type { ProjectFile } from '../../files.ts'
import { readManifest, readModules } from './applications.ts'
import { findMtas } from './mta.ts'
import type { Origins } from './origins.ts'
import type { Application, Mta } from './types.ts'

/** The MTAs of a project, and what they and its manifests run; those of tests are left out. */
export function findApplications(
  files: ReadonlyMap<string, ProjectFile>,
  origins: Origins,
): { readonly mtas: readonly Mta[]; readonly applications: readonly Application[] } {
  const mtas = findMtas(files, origins)
  const applications = mtas.flatMap((mta) => [...readModules(mta, files, origins)])
  for (const file of files.values())
    if (file.kind.role === 'cf-manifest' && !file.kind.test) applications.push(...readManifest(file, files, origins))
  return { mtas, applications }
}
