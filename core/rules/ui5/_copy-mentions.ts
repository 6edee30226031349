import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { ProjectFile, Role } from '../../files.ts'
import { LIBRARY_FILES } from '../../facts/vendored-libraries.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { textsOfMarkup } from '../../parse/markup.ts'
import type { Project } from '../subjects.ts'
import { groupBy } from '../../lists.ts'
import { textsBelow } from '../../parse/data.ts'
import { folderOf, ownerOf } from '../../paths.ts'

/** Folders that copies of libraries lie in. A part of what is written: `libs`, `3rdparty`. */
const FOLDERS = ['lib', 'party', 'vendor', 'plugin', 'external']
const WORDS = [...LIBRARY_FILES.keys(), ...FOLDERS]
/** What paths in quotes are made of: `x/libs/underscore`, `x.libs.underscore`, `lib/jquery.min.js?v=2`. By codes: libraries name themselves a thousand times. */
const IN_PATH: readonly boolean[] = Array.from({ length: 128 }, (_, code) => /[\w@$./-]/.test(String.fromCharCode(code)))
/** What stands behind one. */
const BEHIND_PATH = /["'`?\\]/
const LONGEST_PATH = 200
const NO_NAMES: readonly string[] = []

/** What scripts write in quotes that may name a copy of a library: the last parts of paths, without endings. */
export const copyMentions: Extract<string> = defineExtract({
  name: 'ui5-copy-mentions',
  keywords: WORDS,
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  inPages: true,
  collectText(text, hits) {
    const names = new Set<string>()
    for (const at of hits.places(text, WORDS)) for (const name of namesAround(text, at)) names.add(name)
    return names
  },
})

/** Of the path that a word stands in; none where it is longer than paths are, or ends in nothing that ends one. */
function namesAround(text: string, at: number): readonly string[] {
  let [start, end] = [at, at]
  while (end - at <= LONGEST_PATH && IN_PATH[text.charCodeAt(end)] === true) end++
  if (!BEHIND_PATH.test(text[end] ?? '')) return NO_NAMES
  while (end - start <= LONGEST_PATH && IN_PATH[text.charCodeAt(start - 1)] === true) start--
  return end - start <= LONGEST_PATH ? namesOf(text.slice(start, end)) : NO_NAMES
}

function namesCopy(path: string): boolean {
  const written = path.toLowerCase()
  return WORDS.some((word) => written.includes(word))
}

/** The last part of a path; of a module with dots, what stands behind the last one too. */
function namesOf(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return path.includes('/') ? [bare(last)] : [bare(last), bare(last.slice(last.lastIndexOf('.') + 1))]
}

/** `jquery.min.js`, `jquery.min-dbg` to `jquery`. */
function bare(name: string): string {
  return name.replace(/\.m?js$/, '').replace(/(?:[.\-_](?:min|dbg)){1,3}$/, '')
}

/**
 * Says whether anything names a copy of a library, so that it may get into a page; undefined: the project shows no page that would have to. What another app
 * names is its own copy, where it has one of the same name.
 */
export function createMentionReader({
  files,
  scripts,
}: Pick<Project, 'files' | 'scripts'>): (file: string) => boolean | undefined {
  /** By name, the apps that name it; empty: a file outside of all apps. */
  let names: ReadonlyMap<string, ReadonlySet<string>> | undefined
  const apps = new Set([...files.values()].flatMap(({ path, kind }) => (kind.role === 'manifest' ? folderOf(path) : [])))
  const appOf = (path: string): string => ownerOf(path, apps) ?? ''
  const read = (): ReadonlyMap<string, ReadonlySet<string>> => {
    // copies name themselves
    const inScripts = scripts
      .get(copyMentions)
      .flatMap(({ file, value }) => (files.get(file)?.library === undefined ? { name: value, app: appOf(file) } : []))
    const inTexts = [...files.values()].flatMap((file) =>
      textsOf(file).flatMap((text) => pathsIn(text).map((name) => ({ name, app: appOf(file.path) }))),
    )
    const found = groupBy([...inScripts, ...inTexts], ({ name }) => name)
    return new Map([...found].map(([name, all]) => [name, new Set(all.map(({ app }) => app))]))
  }
  let copies: ReadonlySet<string> | undefined
  const keyOf = (app: string, name: string): string => `${app} ${name}`
  const hasCopy = (app: string, name: string): boolean => {
    copies ??= new Set(
      [...files.values()].flatMap(({ path, library }) => (library === undefined ? [] : keyOf(appOf(path), nameOf(path)))),
    )
    return copies.has(keyOf(app, name))
  }
  let hasApp: boolean | undefined
  return (file) => {
    hasApp ??= [...files.values()].some(isPage) && [...files.values()].some(isOwnScript)
    const [name = '', folder = ''] = file.split('/').toReversed()
    // what is called otherwise may be loaded by a path that has none of the words
    if (!hasApp || !namesCopy(`${folder}/${name}`)) return undefined
    names ??= read()
    const [own, called] = [appOf(file), nameOf(file)]
    return [...(names.get(called) ?? [])].some((app) => app === own || app === '' || own === '' || !hasCopy(app, called))
  }
}

function nameOf(path: string): string {
  return bare(path.slice(path.lastIndexOf('/') + 1).toLowerCase())
}

function isPage({ kind, scope, content }: ProjectFile): boolean {
  return !kind.test && scope === 'all' && (kind.role === 'manifest' || (kind.language === 'html' && content.as === 'markup'))
}

function isOwnScript({ kind, scope, library, path }: ProjectFile): boolean {
  return kind.language === 'script' && !kind.test && scope === 'all' && library === undefined && !isToolFile(path)
}

/** Lists that a build writes name all files: data without a role is not asked. */
const NAMING: ReadonlySet<Role | undefined> = new Set(['manifest', 'ui5-yaml', 'package', 'xs-app', 'neo-app', 'library'])

function textsOf({ kind, content }: ProjectFile): readonly string[] {
  if (content.as === 'markup') return textsOfMarkup(content.document)
  if (content.as === 'data' && NAMING.has(kind.role))
    return content.roots.flatMap((root) => textsBelow(root).map(({ text }) => text))
  return content.as === 'text' && content.text !== undefined ? [content.text] : []
}

/** A text is a path itself, or has some in it. */
function pathsIn(text: string): readonly string[] {
  return [...`${text}"`.matchAll(IN_TEXT)].flatMap(({ 0: path }) => (namesCopy(path) ? namesOf(path) : []))
}

const IN_TEXT = /[\w@$./-]{1,200}/g
