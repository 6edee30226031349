import type { CapRoot } from '../../model/cap/index.ts'
import { at } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'

/** Where a package.json asks for a package. */
export type Dependency = 'production' | 'development'

/** How a root comes by a package: by its own package.json, that of its `srv`, or one of a folder around it, the nearest first; undefined: not at all. */
export function dependencyOf({ root }: CapRoot, { files }: Project, name: string): Dependency | undefined {
  const folders = [root === '' ? 'srv' : `${root}/srv`, root]
  for (let slash = root.lastIndexOf('/'); slash > 0; slash = root.lastIndexOf('/', slash - 1)) folders.push(root.slice(0, slash))
  for (const folder of [...folders, '']) {
    const content = files.get(folder === '' ? 'package.json' : `${folder}/package.json`)?.content
    const manifest = content?.as === 'data' ? content.roots[0] : undefined
    if (['dependencies', 'optionalDependencies'].some((part) => at(manifest, part, name) !== undefined)) return 'production'
    if (at(manifest, 'devDependencies', name) !== undefined) return 'development'
  }
  return undefined
}
