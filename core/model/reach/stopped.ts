import { groupBy } from '../../lists.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { moduleFolders, type Application, type Mta } from '../deployment/index.ts'
import { isAround } from '../../facts/span-index.ts'

/** Tells what belongs to applications that are deployed and never started: nobody reaches what nothing runs. */
export interface StoppedReader {
  /** A file of such an application's own folder. */
  holds(file: string): boolean
  /** What the descriptor says of such a module. */
  describes(place: Place): boolean
}

/** An application is stopped where every way to deploy it leaves it so: an extension of an MTA may start it. */
export function createStoppedReader(applications: readonly Application[], mtas: readonly Mta[]): StoppedReader {
  const folders = new Set<string>()
  for (const [folder, all] of groupBy(applications, (one) => one.folder))
    // where its descriptor lies in the folder, that holds the other parts too
    if (folder !== undefined && all.every((one) => one.isStopped && !isWithin(one.file, folder))) folders.add(folder)
  const described = new Map<string, Span[]>()
  for (const all of groupBy(applications, ({ file, name }) => `${file} ${name ?? ''}`).values())
    if (all.every((one) => one.isStopped))
      for (const { file, node } of all) described.set(file, [...(described.get(file) ?? []), node])
  const known = new Set([
    ...applications.flatMap(({ folder }) => folder ?? []),
    ...moduleFolders(mtas).map(({ folder }) => folder),
  ])
  return {
    holds: (file) => folders.size > 0 && folders.has(ownerOf(file, known) ?? ''),
    describes: ({ file, span }) => span !== undefined && (described.get(file) ?? []).some((one) => isAround(one, span.start)),
  }
}

function isWithin(file: string, folder: string): boolean {
  const own = folderOf(file)
  return folder === '' || own === folder || own.startsWith(`${folder}/`)
}
