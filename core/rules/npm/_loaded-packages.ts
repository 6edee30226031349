import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isDeveloperFile, isToolFile, runsInBrowser } from '../../model/script/index.ts'
import { USE_ROWS } from './_uses-table.ts'

/** A package that a script loads by its name. */
export interface LoadedPackage {
  readonly name: string
  /** Of a package that advisories tell more of: which of the functions and options that they name stand in the script. */
  readonly names: readonly string[]
  readonly inBrowser: boolean
}

const LOADS: ReadonlySet<string> = new Set(USE_ROWS.flatMap((row) => row.loads ?? [row.package]))
const NAMES: ReadonlySet<string> = new Set(USE_ROWS.flatMap(({ names = [] }) => names))

/** What the own scripts load: what builds an app to static files puts these packages into them, and advisories ask what is called of them. */
export const loadedPackages: Extract<LoadedPackage> = defineExtract({
  name: 'npm-loaded-packages',
  keywords: ['require', 'import', 'sap.ui'],
  prefilter: mayLoadPackages,
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  *collect({ facts, text, path, step }) {
    const loaded = new Set(facts.imports.map(({ source }) => packageOf(source)))
    let names: readonly string[] | undefined
    for (const name of loaded) {
      // modules of UI5 are no packages
      if (/^(?:[./]|sap$|jquery\.sap\.)/.test(name)) continue
      if (!LOADS.has(name)) {
        yield { name, names: [], inBrowser: false }
        continue
      }
      if (names === undefined) step(text.length)
      names ??= [...new Set(text.match(/[\w$]+/g))].filter((word) => NAMES.has(word))
      yield { name, names, inBrowser: runsInBrowser(path, facts) }
    }
  },
})

/** `@scope/name/part` to `@scope/name`. */
function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

const CALLS_BY_NAME =
  /\b(?:import|require|requireSync)\s{0,20}\(?\s{0,20}["'`](?!\.|\/|sap[./]|jquery\.sap\.)[\w@][\w@./$-]{0,200}["'`]/
const FROM_NAME = /\bfrom\s{0,20}["'](?!\.|\/|sap\/)[\w@][\w@./$-]{0,200}["']/
/** Comments say "from" as well. */
const IS_MODULE = /(?:^|[;}])[ \t]{0,100}(?:import|export)\b/m

/** A list may reach to the end of the script: with more than that it is read. */
const MAX_LISTS = 20
/** What a list of modules is handed to, up to the list; the own name of the module may come first. */
const WIRES = /\b(?:define|require|requirejs)\s{0,20}\(\s{0,200}(?:["'][^"'\n]{0,200}["']\s{0,20},\s{0,200})?/g
const NAME_OF_LIST = /(?:\/[/*]|[\w$]{1,100}\s{0,20},)/y
/** Relative modules, those of UI5, and comments. */
const OWN_LIST = /\[(?:[\s,]|["'](?:\.|\/|sap\/|jquery\.sap\.)[^"'\n]*["']|\/\/[^\n]*\n|\/\*[^*]*\*\/)*\]/y

/**
 * Whether a script may load anything but files of its own project and modules of UI5. Most scripts of pages don't, and for many of them nothing else
 * needs facts, which cost half of what parsing does.
 */
function mayLoadPackages(text: string): boolean {
  if (CALLS_BY_NAME.test(text) || (FROM_NAME.test(text) && IS_MODULE.test(text))) return true
  let lists = 0
  for (const { 0: before, index } of text.matchAll(WIRES)) {
    if (++lists > MAX_LISTS) return true
    const start = index + before.length
    const stands = (pattern: RegExp): boolean => {
      pattern.lastIndex = start
      return pattern.test(text)
    }
    if (text[start] === '[' ? !stands(OWN_LIST) : stands(NAME_OF_LIST)) return true
  }
  return false
}
