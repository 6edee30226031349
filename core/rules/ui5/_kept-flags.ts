import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import { lineBefore } from '../../parse/position.ts'
import type { Once } from '../../once.ts'
import type { Project } from '../subjects.ts'
import { FLAG } from './_role-decisions.ts'

/** A flag that a script puts into the storage of the browser; '' where it writes something there whose name nobody can tell, which may be any flag. */
export const keptFlags: Extract<string> = defineExtract({
  name: 'ui5-kept-flags',
  keywords: ['localStorage', 'sessionStorage', 'sap.storage', 'util/Storage', 'setItem'],
  inPages: true,
  isFor: (path) => !isDeveloperFile(path),
  collectText(text) {
    const found = new Set<string>()
    const putsAreOfStorage = OF_STORAGE.test(text)
    for (const { 0: whole, 1: method, 3: key = '', index } of text.matchAll(CALL)) {
      const isOfStorage = method !== 'put' || putsAreOfStorage
      if (isOfStorage && (key === '' || FLAG.test(key)) && isCode(text, index + whole.length)) found.add(key)
    }
    for (const { 0: whole, 1: name, 3: key = name ?? '', index } of text.matchAll(ASSIGNMENT))
      if ((key === '' || FLAG.test(key)) && isCode(text, index + whole.length)) found.add(key)
    for (const { 0: whole, index } of text.matchAll(HANDED_ON)) if (isCode(text, index + whole.length)) found.add('')
    return found
  },
})

/** `.setItem("isAdmin", …)`, `.put(KEY, …)`; without a third group the key is no text of its own. Facts: HTML standard, "Web storage"; SAPUI5 API, sap.ui.util.Storage. */
const CALL = /\.(setItem|put)\((?:\s{0,60}(["'`])([^"'`\n$\\]{1,200})\2\s{0,20},)?/g
const OF_STORAGE = /sap\.storage|util\/Storage|(?:local|session)Storage/
/** `localStorage.isAdmin = …`, `localStorage["isAdmin"] = …`, `localStorage[key] = …`. */
const ASSIGNMENT =
  /\b(?:local|session)Storage\s{0,4}(?:\.\s{0,4}([\w$]{1,80})|\[\s{0,4}(?:(["'`])([^"'`\n$\\]{1,200})\2\s{0,4}|[^\]\n]{1,120})\])\s{0,4}[|&?+]{0,2}=(?![=>])/g
/** The storage by another name, or as an argument. */
const HANDED_ON =
  /(?:[=:?,(]|\breturn)\s{0,4}(?:(?:window|globalThis|self)\.)?(?:local|session)Storage\b(?!\s{0,4}(?:\.|\?\.|\[))/g
const LONGEST_LINE = 300

/** A line behind `//` runs nowhere; other comments count as code, since then the flag counts as set. */
function isCode(text: string, end: number): boolean {
  return !/^\s{0,200}\/\//.test(lineBefore(text, end, LONGEST_LINE))
}

/** Whether a script of the project may set a flag: apps of one host share the storage. */
export function isKept(flag: string, once: Once<Pick<Project, 'scripts'>>): boolean {
  const kept = once(readKept)
  return kept.has(flag) || kept.has('')
}

function readKept({ scripts }: Pick<Project, 'scripts'>): ReadonlySet<string> {
  return new Set(scripts.get(keptFlags).map(({ value }) => value))
}
