import type { NpmProject } from '../../../model/npm/index.ts'
import { foldersAround } from '../../../paths.ts'
import { REQUEST_LIMITERS } from '../../../server-frameworks.ts'

/** Whether a package around a file needs what limits requests; what only developers install limits nothing. */
export function isLimited(file: string, { byFolder }: Pick<NpmProject, 'byFolder'>): boolean {
  return [...foldersAround(file)].some((folder) =>
    byFolder.get(folder)?.dependencies.some(({ name, member }) => member === 'dependencies' && REQUEST_LIMITERS.test(name)),
  )
}
