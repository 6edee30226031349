import type { StepCounter } from '../../budget.ts'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import type { CdsAnnotation, CdsDocument, CdsUsing } from '../../parse/cds/types.ts'
import { folderOf, joinPath, resolvePath } from '../../paths.ts'
import { createNames, type CdsNames } from './names.ts'
import type { CapAnnotation } from './types.ts'

/** One .cds file of a model. */
export interface CapDocument {
  readonly file: string
  readonly document: CdsDocument
  readonly names: CdsNames
}

/** Folder of each package of the project, by name: workspaces use each other as `@scope/name`. */
export function findPackages(files: ReadonlyMap<string, ProjectFile>): ReadonlyMap<string, string> {
  const packages = new Map<string, string>()
  for (const { path, kind, content } of files.values()) {
    if (kind.role !== 'package' || content.as !== 'data') continue
    const name = stringOf(at(content.roots[0], 'name'))
    if (name !== undefined && !packages.has(name)) packages.set(name, folderOf(path))
  }
  return packages
}

/** Where models look for what a file uses. */
export interface CdsSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  /** Folders by the name of their package. */
  readonly packages: ReadonlyMap<string, string>
  readonly budget: StepCounter
}

/** The files `own`, and all that they use, directly or not, as far as it lies in the project; sorted by path. */
export function collectDocuments(own: readonly ProjectFile[], sources: CdsSources): CapDocument[] {
  const seen = new Set<string>()
  const documents: CapDocument[] = []
  const queue = [...own]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file.path) || file.content.as !== 'cds') continue
    seen.add(file.path)
    const { document } = file.content
    sources.budget.step(1 + document.usings.length + document.definitions.length)
    documents.push({ file: file.path, document, names: createNames(document) })
    for (const using of document.usings) {
      const used = resolveUsing(file.path, using, sources)
      if (used !== undefined) queue.push(used)
    }
  }
  return documents.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** `./schema`, `@scope/package/srv/service`: a file, with or without ending, or the index of a folder. */
export function resolveUsing(from: string, using: CdsUsing, sources: CdsSources): ProjectFile | undefined {
  return using.from === undefined ? undefined : resolveSpecifier(from, using.from, sources)
}

/** The same of what a setting names. */
export function resolveSpecifier(from: string, specifier: string, { files, packages }: CdsSources): ProjectFile | undefined {
  const path = /^\.\.?(?:\/|$)/.test(specifier) ? resolvePath(from, specifier) : resolvePackage(specifier, packages)
  if (path === undefined) return undefined
  const names = [path, `${path}.cds`, joinPath(path, 'index.cds'), joinPath(path, 'srv/index.cds')]
  for (const name of names) {
    const file = files.get(name)
    if (file !== undefined) return file
  }
  return undefined
}

function resolvePackage(specifier: string, packages: ReadonlyMap<string, string>): string | undefined {
  const segments = specifier.split('/')
  const length = specifier.startsWith('@') ? 2 : 1
  const folder = packages.get(segments.slice(0, length).join('/'))
  return folder === undefined ? undefined : joinPath(folder, segments.slice(length).join('/'))
}

/** What `annotate` and `extend` say about a definition as a whole, by its qualified name. */
export function collectAnnotations(
  documents: readonly CapDocument[],
  budget: StepCounter,
): ReadonlyMap<string, readonly (CapAnnotation & { name: string })[]> {
  const byTarget = new Map<string, (CapAnnotation & { name: string })[]>()
  for (const { file, document, names } of documents) {
    for (const { target, scope, annotations } of [...document.annotates, ...document.extends]) {
      budget.step(1 + annotations.length)
      if (target.element !== undefined || annotations.length === 0) continue
      const name = names.resolve(target.path, scope)
      const known = byTarget.get(name) ?? []
      byTarget.set(name, known)
      for (const annotation of annotations) known.push(toAnnotation(file, annotation))
    }
  }
  return byTarget
}

export function toAnnotation(file: string, { name, value, start, end }: CdsAnnotation): CapAnnotation & { name: string } {
  return { name, value, place: { file, span: { start, end } } }
}
