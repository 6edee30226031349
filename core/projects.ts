import type { ExclusiveStorage } from './exclusive.ts'
import type { Projects, ProjectsOptions } from './projects/projects.ts'

export const loadProjectsModule = (): Promise<typeof import('./projects/projects.ts')> => import('./projects/projects.ts')

/** Loads what tells scans over time when it is wanted: a scan alone does without. */
export async function loadProjects(storage: ExclusiveStorage, options: ProjectsOptions): Promise<Projects> {
  return (await loadProjectsModule()).createProjects(storage, options)
}
