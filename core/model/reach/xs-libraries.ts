import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { groupBy } from '../../lists.ts'
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
/** With fewer imports, the libraries of a project are used in a way that is not understood here. */
const LEAST_IMPORTS = 3

/** Libraries of XS classic that no script of the project imports: only a script starts what stands in one, and services and jobs that name it. */
export function findUnimported(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): ReadonlySet<string> {
  const libraries = [...files.keys()].filter((path) => path.endsWith('.xsjslib'))
  if (libraries.length === 0) return new Set()
  const imports = new Set(scripts.get(xsImports).map(({ value }) => value))
  if (imports.has(ANY) || imports.size < LEAST_IMPORTS) return new Set()
  const byName = groupBy(libraries, nameOf)
  const imported = new Set([...imports].flatMap((path) => librariesAt(path, byName)))
  const left = libraries.filter((path) => !imported.has(path))
  if (left.length === 0) return new Set()
  const texts = [...files.values()].flatMap(({ content }) => (content.as === 'text' ? (content.text ?? []) : [])).join('\n')
  return new Set(left.filter((path) => !texts.includes(`${nameOf(path)}.xsjslib`)))
}

/** Where its package begins, no file says: those whose path ends with most of what is written. */
function librariesAt(source: string, byName: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const parts = source.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  const named = byName.get(parts.at(-1) ?? '') ?? []
  for (; parts.length > 0; parts.shift()) {
    const end = `/${parts.join('/')}.xsjslib`
    const found = named.filter((path) => `/${path}`.endsWith(end))
    if (found.length > 0) return found
  }
  return []
}

function nameOf(path: string): string {
  return fileNameOf(path).replace(/\.xsjslib$/, '')
}
