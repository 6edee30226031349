import type { Project, ProjectRow, ProjectSettings } from '../../../core/index.ts'
import { ask } from './api.ts'
import { createResource, type Resource } from './load.ts'

export const projects: Resource<readonly ProjectRow[]> = createResource(async () => (await ask('api/projects')).json())

/** The last segment of an address that leads to a project: two names are no segment, whatever stands for their characters. */
export const segmentOf = ({ name, key }: Pick<ProjectRow, 'name' | 'key'>): string =>
  name === '.' || name === '..' ? `key:${key}` : encodeURIComponent(name.toWellFormed())

export const addressOf = (name: string): string => `api/projects/${encodeURIComponent(name.toWellFormed())}`

export const projectOf = (name: string): Resource<Project> => createResource(async () => (await ask(addressOf(name))).json())

export async function changeProject(name: string, change: Partial<ProjectSettings>): Promise<Project> {
  const headers = { 'content-type': 'application/json' }
  return (await ask(addressOf(name), { method: 'PATCH', headers, body: JSON.stringify(change) })).json()
}

export async function deleteProject(name: string): Promise<void> {
  await ask(addressOf(name), { method: 'DELETE' })
}
