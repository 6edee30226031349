import type { MarkupDocument, MarkupElement } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'

/** A text of a pom.xml and where it stands. */
export interface PomText {
  readonly text: string
  readonly place: Place
}

/** A `<dependency>` or `<parent>` as it is written: properties not resolved. */
export interface PomEntry {
  readonly groupId: string
  readonly artifactId: PomText
  readonly version?: PomText
  readonly scope: string
  readonly type: string
  readonly profile?: string
}

export interface Pom {
  readonly file: string
  readonly groupId?: string
  readonly artifactId: string
  readonly version?: PomText
  readonly parent?: PomEntry & { readonly relativePath: string }
  readonly properties: ReadonlyMap<string, PomText>
  readonly dependencies: readonly PomEntry[]
  readonly managed: readonly PomEntry[]
}

/** Reads the first `<project>`. Facts: Maven, "POM Reference" (inheritance, dependencyManagement, relativePath `../pom.xml` by default). */
export function readPom(file: string, document: MarkupDocument): Pom | undefined {
  const project = document.children.find(({ localName }) => localName === 'project')
  if (project === undefined) return undefined
  const parent = childOf(project, 'parent')
  const inherited = parent && toEntry(file, parent)
  return {
    file,
    groupId: textOf(file, project, 'groupId')?.text,
    artifactId: textOf(file, project, 'artifactId')?.text ?? '',
    version: textOf(file, project, 'version'),
    ...(parent !== undefined &&
      inherited !== undefined && {
        parent: { ...inherited, relativePath: relativePathOf(file, parent) },
      }),
    properties: readProperties(file, project),
    dependencies: readEntries(file, project, ['dependencies']),
    managed: readEntries(file, project, ['dependencyManagement', 'dependencies']),
  }
}

/** Absent: `../pom.xml`; there but empty: the parent comes from a repository. */
function relativePathOf(file: string, parent: MarkupElement): string {
  return textOf(file, parent, 'relativePath')?.text ?? (childOf(parent, 'relativePath') === undefined ? '../pom.xml' : '')
}

function readProperties(file: string, project: MarkupElement): ReadonlyMap<string, PomText> {
  const properties = new Map<string, PomText>()
  for (const element of childOf(project, 'properties')?.children ?? []) {
    const found = textIn(file, element)
    if (found !== undefined) properties.set(element.localName, found)
  }
  return properties
}

/** Of the project itself and of its profiles. */
function readEntries(file: string, project: MarkupElement, path: readonly string[]): PomEntry[] {
  const entries: PomEntry[] = []
  const add = (from: MarkupElement, profile?: string): void => {
    let here: MarkupElement | undefined = from
    for (const name of path) here = here && childOf(here, name)
    for (const element of here?.children ?? []) {
      const entry = element.localName === 'dependency' ? toEntry(file, element, profile) : undefined
      if (entry !== undefined) entries.push(entry)
    }
  }
  add(project)
  for (const profile of childOf(project, 'profiles')?.children ?? []) add(profile, textOf(file, profile, 'id')?.text ?? '')
  return entries
}

function toEntry(file: string, element: MarkupElement, profile?: string): PomEntry | undefined {
  const artifactId = textOf(file, element, 'artifactId')
  if (artifactId === undefined) return undefined
  return {
    groupId: textOf(file, element, 'groupId')?.text ?? '',
    artifactId,
    version: textOf(file, element, 'version'),
    scope: textOf(file, element, 'scope')?.text ?? '',
    type: textOf(file, element, 'type')?.text ?? '',
    profile,
  }
}

function childOf(element: MarkupElement, name: string): MarkupElement | undefined {
  return element.children.find(({ localName }) => localName === name)
}

function textOf(file: string, element: MarkupElement, name: string): PomText | undefined {
  const child = childOf(element, name)
  return child && textIn(file, child)
}

/** The text of an element without blanks around it; undefined: there is none. */
function textIn(file: string, { texts }: MarkupElement): PomText | undefined {
  for (const { text, start } of texts) {
    const trimmed = text.trim()
    if (trimmed === '') continue
    const from = start + text.indexOf(trimmed)
    return { text: trimmed, place: { file, span: { start: from, end: from + trimmed.length } } }
  }
  return undefined
}
