import type { ProjectFile } from '../../files.ts'
import { at, membersOf, type DataNode } from '../../parse/data.ts'
import { elementsOf, type MarkupDocument, type MarkupElement } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { fileNameOf, folderOf, joinPath, ownerOf } from '../../paths.ts'

/** Folders of a CAP project that may hold a package.json or pom.xml of their own. */
const PARTS: ReadonlySet<string> = new Set(['srv', 'db', 'app', 'integration-tests'])

/** The folders that are CAP projects, sorted. */
export function findRootFolders(files: ReadonlyMap<string, ProjectFile>): string[] {
  const candidates = new Set<string>()
  for (const file of files.values()) if (file.scope === 'all' && isMark(file)) candidates.add(folderOf(file.path))
  const roots = new Set<string>()
  for (const folder of candidates) if (!isPart(folder, candidates)) roots.add(folder)
  // models without anything around them
  for (const file of files.values()) {
    if (file.content.as !== 'cds' || file.content.document.definitions.length === 0 || ownerOf(file.path, roots) !== undefined)
      continue
    roots.add(modelRoot(file.path))
  }
  return [...roots].sort()
}

/** `srv/pom.xml`, `db/package.json`: a part of the project around it. */
function isPart(folder: string, candidates: ReadonlySet<string>): boolean {
  return folder !== '' && PARTS.has(fileNameOf(folder)) && candidates.has(folderOf(folder))
}

function modelRoot(path: string): string {
  const segments = path.split('/')
  const part = segments.findIndex((segment) => PARTS.has(segment))
  return part === -1 ? folderOf(path) : segments.slice(0, part).join('/')
}

function isMark({ kind, content }: ProjectFile): boolean {
  if (kind.role === 'cdsrc') return true
  if (kind.role === 'package' && content.as === 'data') {
    const [root] = content.roots
    return membersOf(at(root, 'cds')).length > 0 || dependsOnCds(root)
  }
  return kind.role === 'pom' && content.as === 'markup' && isCapPom(content.document)
}

function dependsOnCds(root: DataNode | undefined): boolean {
  return ['dependencies', 'devDependencies', 'peerDependencies'].some((part) => at(root, part, '@sap/cds') !== undefined)
}

function isCapPom(document: MarkupDocument): boolean {
  for (const { localName, texts } of elementsOf(document)) {
    if (localName === 'groupId' && texts.some(({ text }) => text.trim() === 'com.sap.cds')) return true
  }
  return false
}

/** The first CAP Java, whose requests the servlet container authenticates. Fact: capire, "Migration", from CAP Java Classic. */
function isClassicPom(document: MarkupDocument): boolean {
  return [...elementsOf(document)].some(
    ({ localName, texts }) =>
      localName === 'groupId' && texts.some(({ text }) => /^\s*com\.sap\.cloud\.servicesdk(?:\.|\s*$)/.test(text)),
  )
}

/** Node.js or Java: a pom.xml of CAP in the root or in its `srv` decides, unless the project is written for both. */
export function runtimeOf(root: string, own: readonly ProjectFile[], files: ReadonlyMap<string, ProjectFile>): 'node' | 'java' {
  const poms = [joinPath(root, 'pom.xml'), joinPath(root, 'srv/pom.xml')]
  const isJava = poms.some((path) => {
    const content = files.get(path)?.content
    return content?.as === 'markup' && (isCapPom(content.document) || isClassicPom(content.document))
  })
  if (!isJava) return 'node'
  const content = files.get(joinPath(root, 'package.json'))?.content
  const runsNode = content?.as === 'data' && at(content.roots[0], 'dependencies', '@sap/cds') !== undefined
  const handlers = joinPath(root, 'srv/')
  return runsNode && own.some(({ path, kind }) => kind.language === 'script' && path.startsWith(handlers)) ? 'node' : 'java'
}

/** The version of CAP Java that a pom.xml names: the property `cds.services.version`, or that of its bill of materials. */
export function javaVersion(
  root: string,
  files: ReadonlyMap<string, ProjectFile>,
): { version: string; place: Place } | undefined {
  for (const file of [joinPath(root, 'pom.xml'), joinPath(root, 'srv/pom.xml')]) {
    const content = files.get(file)?.content
    if (content?.as !== 'markup') continue
    for (const element of elementsOf(content.document)) {
      const isProperty = element.localName === 'cds.services.version'
      const named = isProperty ? element : isBillOfMaterials(element) ? childOf(element, 'version') : undefined
      const text = named?.texts.find((part) => /\S/.test(part.text))
      const version = text?.text.trim() ?? ''
      if (text === undefined || !/^\d{1,4}(?:[.\w-]{0,50})$/.test(version)) continue
      const start = text.start + text.text.search(/\S/)
      return { version, place: { file, span: { start, end: start + version.length } } }
    }
  }
  return undefined
}

function isBillOfMaterials(element: MarkupElement): boolean {
  return element.localName === 'dependency' && /^cds-services-bom$/.test(textOf(childOf(element, 'artifactId')))
}

function childOf({ children }: MarkupElement, name: string): MarkupElement | undefined {
  return children.find(({ localName }) => localName === name)
}

function textOf(element: MarkupElement | undefined): string {
  return (element?.texts ?? [])
    .map(({ text }) => text)
    .join('')
    .trim()
}
