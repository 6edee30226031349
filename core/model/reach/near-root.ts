import { foldersAround, ownerOf } from '../../paths.ts'
import type { CapRoot } from '../cap/index.ts'

type Root = Pick<CapRoot, 'root'>

/** The CAP projects of a repository in whose folders some files lie; undefined among them: of none. */
export type Owners = ReadonlySet<string | undefined>

/** In a repository of several CAP projects what deploys one says nothing of its neighbours. */
export interface Nearness {
  ownersOf(files: Iterable<string>): Owners
  /** Whether one of the files lies in the folder of a project, around it, or in that of none. */
  concerns(root: Root, owners: Owners): boolean
}

export function createNearness(roots: readonly Root[]): Nearness {
  const folders = new Set(roots.map(({ root }) => root))
  return {
    ownersOf(files) {
      const owners = new Set<string | undefined>()
      for (const file of files) {
        owners.add(ownerOf(file, folders))
        // these concern all projects, whatever else there is
        if (owners.has(undefined) || owners.size === folders.size) break
      }
      return owners
    },
    concerns: ({ root }, owners) =>
      owners.has(undefined) || owners.has(root) || [...foldersAround(root)].some((folder) => owners.has(folder)),
  }
}
