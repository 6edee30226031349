import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Extracted } from '../../extracts/scripts.ts'
import { holdsAt, matchesAt, type WordPlaces } from '../../keywords/index.ts'
import { packagesByPath } from '../../model/npm/index.ts'
import { blankComments } from '../../model/reach/index.ts'
import { isDeveloperFile, isToolFile, runsInBrowser, runsOnServer } from '../../model/script/index.ts'
import { extensionScripts } from '../../model/ui5/index.ts'
import { lineBefore } from '../../parse/position.ts'
import type { Project } from '../subjects.ts'
import { isIdleImport, packageOf } from './_idle-imports.ts'
import { namesIn } from './_named-functions.ts'
import { USE_ROWS } from './_uses-table.ts'

/** A package that a script loads by its name. */
export interface LoadedPackage {
  readonly name: string
  /** Of a package that advisories tell more of: which of the functions and options that they name stand in the script. */
  readonly names: readonly string[]
  readonly inBrowser: boolean
  /** Nothing builds the script into a page. */
  readonly onServer: boolean
  /** Nothing in the script names it again: what it offers is not called there. Known of packages that advisories tell more of. */
  readonly isIdle?: true
  /** By its path, only developers or pipelines run the script. */
  readonly byTool?: true
}

const LOADS: ReadonlySet<string> = new Set(USE_ROWS.flatMap((row) => row.loads ?? [row.package]))

const KEYWORDS = ['require', 'import', 'sap.ui', 'node_modules/']

/** What the own scripts load: what builds an app to static files puts these packages into them, and advisories ask what is called of them. */
export const loadedPackages: Extract<LoadedPackage> = defineExtract({
  name: 'npm-loaded-packages',
  keywords: KEYWORDS,
  words: ['export', 'define'],
  prefilter: mayLoadPackages,
  *collect({ facts, text, path, step }) {
    const loaded = new Set(facts.imports.map(({ source }) => packageOf(source)))
    // files of a package that are served or read as they are
    for (const name of packagesByPath(text)) loaded.add(name)
    let names: readonly string[] | undefined
    let code: string | undefined
    let onServer: boolean | undefined
    const byTool = (isDeveloperFile(path) || isToolFile(path)) && { byTool: true as const }
    for (const name of loaded) {
      // modules of UI5 are no packages
      if (/^(?:[./]|sap$|jquery\.sap\.)/.test(name)) continue
      onServer ??= runsOnServer(path, facts)
      if (!LOADS.has(name)) {
        yield { name, names: [], inBrowser: false, onServer, ...byTool }
        continue
      }
      if (code === undefined) step(text.length)
      code ??= blankComments(text)
      names ??= namesIn(code, facts)
      const isIdle = isIdleImport(code, facts, name) && { isIdle: true as const }
      yield { name, names, inBrowser: runsInBrowser(path, facts), onServer, ...isIdle, ...byTool }
    }
  },
})

/** Of a project what tells which scripts are run for the app itself. */
export type LoadingProject = Pick<Project, 'once'>

/**
 * Those that the app itself loads: no tests, no modules that nothing else loads, no extensions of its development server and build.
 */
export function loadedByApp(project: LoadingProject): readonly Extracted<LoadedPackage>[] {
  return project.once(splitLoads).byApp
}

/** The others. */
export function loadedByTools(project: LoadingProject): readonly Extracted<LoadedPackage>[] {
  return project.once(splitLoads).byTools
}

function splitLoads(project: Project): Readonly<Record<'byApp' | 'byTools', readonly Extracted<LoadedPackage>[]>> {
  const isForTools = createToolReader(project)
  const byApp: Extracted<LoadedPackage>[] = []
  const byTools: Extracted<LoadedPackage>[] = []
  for (const it of project.scripts.get(loadedPackages)) (isForTools(it) ? byTools : byApp).push(it)
  return { byApp, byTools }
}

/** Tells whether a script loads a package for tools, tests or nothing. */
function createToolReader({ reach, files }: Project): (it: Extracted<LoadedPackage>) => boolean {
  const extensions = new Set(extensionScripts(files))
  return ({ file, value }) => value.byTool === true || extensions.has(file) || reach.usageOf(file) === 'unused'
}

const CALLS_BY_NAME =
  /\b(?:import|require|requireSync)\s{0,20}\(?\s{0,20}["'`](?!\.|\/|sap[./]|jquery\.sap\.)[\w@][\w@./$-]{0,200}["'`]/y
const FROM_NAME = /\bfrom\s{0,20}["'](?!\.|\/|sap\/)[\w@][\w@./$-]{0,200}["']/g
/** A line of a description, which may have an example of an import. */
const DESCRIBES = /^\s*\*/
/** Comments say "from" as well. */
const IS_MODULE = /(?:^|[;}])[ \t]{0,100}(?:import|export)\b/m

/** A list may reach to the end of the script: with more than that it is read. */
const MAX_LISTS = 20
/** What a list of modules is handed to, up to the list; the own name of the module may come first. */
const WIRES = /\b(?:define|require|requirejs)\s{0,20}\(\s{0,200}(?:["'][^"'\n]{0,200}["']\s{0,20},\s{0,200})?/y
/** An example in the description of a module: ` *   sap.ui.define([`. */
const IN_DESCRIPTION = /\n[ \t]{0,20}\*[^\n/][^\n]*$/
const LONGEST_LEAD = 200
const NAME_OF_LIST = /(?:\/[/*]|([\w$]{1,100})\s{0,20},)/y
/** Relative modules, those of UI5, and comments. */
const OWN_LIST = /\[(?:[\s,]|["'](?:\.|\/|sap\/|jquery\.sap\.)[^"'\n]*["']|\/\/[^\n]*\n|\/\*[^*]*\*\/)*\]/y
/** Texts of a list that name none. */
const OWN_TEXT = /["'](?:\.|\/|sap\/|jquery\.sap\.)[^"'\n]{0,300}["']/g
const LONGEST_LIST = 2000
/** A name that is given a text or a list: what any other name holds, no script tells. */
const GIVEN = /([\w$]{1,100})\s{0,10}[:=]\s{0,10}["'`[]/g

/**
 * Whether a script may load anything but files of its own project and modules of UI5. Most scripts of pages don't, and for many of them nothing else
 * needs facts, which cost half of what parsing does.
 */
function mayLoadPackages(text: string, hits: WordPlaces): boolean {
  if (hits.has('node_modules/') || holdsAt(text, hits.places(text, ['require', 'import']), CALLS_BY_NAME)) return true
  if ((hits.has('import') || hits.has('export')) && isNamedInModule(text)) return true
  let lists = 0
  let given: ReadonlySet<string> | undefined
  const isGiven = (name: string): boolean =>
    (given ??= new Set(Array.from(text.matchAll(GIVEN), ([, one = '']) => one))).has(name)
  for (const { 0: before, index } of matchesAt(text, hits.places(text, ['require', 'define']), WIRES)) {
    if (IN_DESCRIPTION.test(text.slice(Math.max(0, index - LONGEST_LEAD), index))) continue
    if (++lists > MAX_LISTS) return true
    const start = index + before.length
    const standing = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = start
      return pattern.exec(text)
    }
    if (text[start] === '[') {
      if (standing(OWN_LIST) !== null) continue
      const names = namesOfList(text, start)
      if (names === undefined || names.some(isGiven)) return true
      continue
    }
    const found = standing(NAME_OF_LIST)
    if (found !== null && (found[1] === undefined || isGiven(found[1]))) return true
  }
  return false
}

/** The names of a list that holds no text but those of UI5 and of the project; undefined: it holds others, or comments, or is long. */
function namesOfList(text: string, start: number): readonly string[] | undefined {
  const list = text.slice(start, start + LONGEST_LIST)
  const end = list.indexOf(']')
  const names = list.slice(0, end).replaceAll(OWN_TEXT, ' ')
  return end < 0 || /["'`/]/.test(names) ? undefined : Array.from(names.matchAll(/[\w$]{1,100}/g), ([name]) => name)
}

function isNamedInModule(text: string): boolean {
  for (const { index } of text.matchAll(FROM_NAME))
    if (!DESCRIBES.test(lineBefore(text, index, LONGEST_LEAD))) return IS_MODULE.test(text)
  return false
}
