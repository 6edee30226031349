import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { createPathEndings } from '../../path-endings.ts'
import { fileNameOf } from '../../paths.ts'

/** One import of a library: its path as far as it is written, or `*` where that is made at run time. */
export const xsImports: Extract<string> = defineExtract({
  name: 'reach-xs-imports',
  keywords: ['import'],
  isFor: (path) => SCRIPT.test(path),
  *collectText(text) {
    for (const [, first, second, rest] of text.matchAll(IMPORTED))
      yield first === undefined || (rest !== undefined && rest !== ')')
        ? ANY
        : (second === undefined ? first : `${first.replaceAll('.', '/')}/${second}`).replace(/\.xsjslib$/, '')
  },
})

const ANY = '*'
const SCRIPT = /\.xsjs(?:lib)?$/i
/** `$.import('shop.lib', 'db')`, `$.import('/shop/lib/db.xsjslib')`, `$.import("./db.xsjslib")`. Fact: SAP HANA XS JavaScript Reference, "$.import". */
const IMPORTED =
  /\bimport\s{0,10}\((?:\s{0,10}["']([^"'\n]{1,200})["']\s{0,10}(?:,\s{0,10}["']([^"'\n]{1,200})["']\s{0,10})?([^\s]))?/g
const ENDING = '.xsjslib'
const NAMED = /[^\s"'`/\\:;,|()[\]{}<>=]{1,200}\.xsjslib/g
/** With fewer imports, the libraries of a project are used in a way that is not understood here. */
const LEAST_IMPORTS = 3

/** Libraries of XS classic that no script of the project imports: only a script starts what stands in one, and services and jobs that name it. */
export function findUnimported(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): ReadonlySet<string> {
  const libraries = [...files.keys()].filter((path) => path.endsWith(ENDING))
  if (libraries.length === 0) return new Set()
  const imports = new Set(scripts.get(xsImports).map(({ value }) => value))
  if (imports.has(ANY) || imports.size < LEAST_IMPORTS) return new Set()
  const endings = createPathEndings(libraries)
  // lists once each: imports of a name that many libraries have give the same one
  const lists = new Set([...imports].map((path) => endings.closest(`${path}${ENDING}`)))
  const imported = new Set([...lists].flat())
  const left = libraries.filter((path) => !imported.has(path))
  if (left.length === 0) return new Set()
  const named = namesIn(files.values())
  return new Set(left.filter((path) => !named.has(fileNameOf(path))))
}

/** Names of libraries that any file writes, as services and jobs do: `acme.lib:orders.xsjslib`, `/acme/lib/orders.xsjslib`. */
function namesIn(files: Iterable<ProjectFile>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { content } of files) {
    if (content.as !== 'text' || content.text?.includes(ENDING) !== true) continue
    for (const [name = ''] of content.text.matchAll(NAMED)) {
      found.add(name)
      found.add(name.slice(name.lastIndexOf('.', name.length - ENDING.length - 1) + 1))
    }
  }
  return found
}
