import { fileNameOf, folderOf } from '../../paths.ts'
import type { PhpFile, Run } from './run.ts'
import type { PhpValue } from './values.ts'

/** The file of the project that is included: from the folder of the script, from that of the file, or the one whose path ends so. */
export function resolveInclude({ project, entry, file }: Run, path: PhpValue): PhpFile | undefined {
  const { parts } = path
  const last = parts.at(-1)
  if (typeof last !== 'string' || last.length > 500) return undefined
  const text = parts.every((part) => typeof part === 'string') ? parts.join('') : last
  const relative = text.replace(/^\/{1,5}/, '')
  if (relative === '') return undefined
  for (const folder of [folderOf(entry.path), folderOf(file.path), '']) {
    const found = project.files.get(normalized(folder, relative))
    if (found !== undefined) return found
  }
  const ending = relative.replace(/^(?:\.{1,2}\/){1,20}/, '')
  const named = project.byName.get(fileNameOf(ending)) ?? []
  project.step(named.length)
  const found = named.filter(({ path: name }) => name === ending || name.endsWith(`/${ending}`))
  return found.length === 1 ? found[0] : undefined
}

function normalized(folder: string, relative: string): string {
  const segments: string[] = folder === '' ? [] : folder.split('/')
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}
