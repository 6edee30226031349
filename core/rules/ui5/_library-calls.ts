import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Advisory } from '../../advisories/types.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { FileContent } from '../../files.ts'
import { elementsOf } from '../../parse/markup.ts'
import type { Project } from '../subjects.ts'
import { USE_ROWS } from '../npm/_uses-table.ts'
import { holdsAt } from '../../keywords/index.ts'
import { lineBefore } from '../../parse/position.ts'

interface LibraryRow {
  readonly package: string
  readonly advisories: readonly string[]
  /** Functions of the library of which a page calls one before it is concerned; none: no page does what the advisory is about. */
  readonly names: readonly string[]
  /** Objects of other things have functions of these names too (a model of OData is read): calls count of what is called like this. */
  readonly of?: RegExp
  /** What it is about happens on a server alone: in a browser the user could do the same without the page. */
  readonly onServer?: true
  /** Attributes of a page do the same. */
  readonly byAttributes?: true
}

/** What an advisory is about in a browser, by its own words (github.com/advisories/<id>), 2026-11. */
const ROWS: readonly LibraryRow[] = [
  { package: 'underscore', advisories: ['GHSA-cf4h-3jhx-xvhq'], names: ['template'] },
  { package: 'crypto-js', advisories: ['GHSA-xwcq-pm8m-c4vf'], names: ['PBKDF2', 'EvpKDF'] },
  { package: 'crypto-js', advisories: ['GHSA-3w3w-pxmm-2w2j'], names: ['random', 'encrypt'] },
  // settings that the page takes from somebody else
  { package: 'requirejs', advisories: ['GHSA-x3m3-4wpv-5vgc'], names: ['config', 'configure'], of: /require(?:js)?$/i },
  // files of a server; a browser loads no locale by its path
  { package: 'moment', advisories: ['GHSA-8hfj-j24r-96c4'], names: [], onServer: true },
  // files of a server: "only the node.js builds of the library are affected"
  { package: 'jspdf', advisories: ['GHSA-f8cm-6447-x5h2'], names: [], onServer: true },
  // addresses of pictures, which the server loads from inside of its network
  { package: 'pdfmake', advisories: ['GHSA-wp52-r2fp-4vmr'], names: [], onServer: true },
  // files that are read; most pages only write some
  {
    package: 'xlsx',
    advisories: ['GHSA-4r6h-8v6p-xvw6', 'GHSA-5pgg-2g8v-p4x9'],
    names: ['read', 'readFile'],
    of: /xls|sheet|excel|workbook|^x$/i,
  },
  // components of a page: targets, templates, containers and labels that their attributes or settings name
  {
    package: 'bootstrap',
    advisories: [
      'GHSA-3mgp-fx93-9xv5',
      'GHSA-3wqf-4x89-9g79',
      'GHSA-4p24-vmcr-4gqj',
      'GHSA-7mvr-5x2g-wfc8',
      'GHSA-9v3m-8fp8-mj99',
      'GHSA-ph58-4vrj-w6hr',
      'GHSA-vxmc-5x29-h64v',
    ],
    names: ['tooltip', 'popover', 'collapse', 'affix', 'carousel', 'scrollspy', 'button'],
    byAttributes: true,
  },
  ...USE_ROWS.flatMap(({ package: name, advisories, names, needsAnother, onServer }) =>
    advisories !== undefined && (names !== undefined || needsAnother === true || onServer === true)
      ? { package: name, advisories, names: needsAnother === true || onServer === true ? [] : (names ?? []) }
      : [],
  ),
]

const NAMES: readonly string[] = [...new Set(ROWS.flatMap(({ names }) => names))]
const CALLS = NAMES.map((name) => ({ name, call: `.${name}(` }))
/** By these a page starts a component of Bootstrap. Fact: Bootstrap 3.4, "JavaScript", "Data attributes". */
const STARTS = /\bdata-(?:bs-)?(?:toggle|target|parent|ride|slide|spy|loading-text|offset-top)\b/
/** The same, where its word stands. */
const STARTS_AT = /\bdata-(?:bs-)?(?:toggle|target|parent|ride|slide|spy|loading-text|offset-top)\b/y
const BY_ATTRIBUTE = 'data-toggle'
/** What stands before a call in a line of a comment. */
const COMMENT = /^\s*(?:\/?\*|\/\/)|\s\/\/\s/
const LONGEST_LINE = 500

/**
 * Functions that advisories about such libraries name, by the scripts that call them. Of the text: a third of the scripts of a large project calls some `parse`
 * or `set`, and trees of all of them cost a twentieth of its scan.
 */
export const libraryCalls: Extract<string> = defineExtract({
  name: 'ui5-library-calls',
  keywords: [...CALLS.map(({ call }) => call), 'data-'],
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  collectText(text, hits) {
    const called = new Set<string>()
    for (const { name, call } of CALLS) {
      if (!hits.has(call)) continue
      const narrower = OF.filter(({ names }) => names.includes(name))
      for (const index of hits.places(text, [call])) {
        if (!text.startsWith(call, index)) continue
        const receiver =
          narrower.length > 0 ? (RECEIVER.exec(text.slice(Math.max(0, index - LONGEST_NAME), index))?.[0] ?? '') : ''
        const names = [name, ...narrower.flatMap((row) => (row.of?.test(receiver) ? keyOf(row, name) : []))]
        if (!names.every((it) => called.has(it)) && !COMMENT.test(lineBefore(text, index, LONGEST_LINE)))
          for (const it of names) called.add(it)
        if (narrower.length === 0 && called.has(name)) break
      }
    }
    if (holdsAt(text, hits.places(text, ['data-']), STARTS_AT)) called.add(BY_ATTRIBUTE)
    return called
  },
})

const OF = ROWS.filter((row) => row.of !== undefined)
const RECEIVER = /[\w$]{1,60}$/
const LONGEST_NAME = 60

/** What is collected of a call that a row asks for. */
function keyOf({ package: library, of }: LibraryRow, name: string): string {
  return of === undefined ? name : `${library}.${name}`
}

const CODE = /\.(?:[cm]?[jt]sx?|html?)$/i

/** Whether the project's own code may do what an advisory is about; `impossible`: no page can. */
export type LibraryUse = 'possible' | 'absent' | 'impossible'

/** Says it of advisories about libraries that were copied or that pages load from a network. */
export function createCallReader({ files, scripts }: Pick<Project, 'files' | 'scripts'>): (advisory: Advisory) => LibraryUse {
  const called = new Set(scripts.get(libraryCalls).flatMap(({ value }) => value))
  // without code of its own nothing tells what will be called
  const hasCode = [...files.values()].some(
    ({ path, library, scope }) => CODE.test(path) && library === undefined && scope === 'all',
  )
  let hasAttributes: boolean | undefined
  const startsByAttribute = (): boolean =>
    (hasAttributes ??= called.has(BY_ATTRIBUTE) || [...files.values()].some(({ content }) => holdsAttributes(content)))
  return ({ id, package: name }) => {
    const row = hasCode ? ROWS.find((one) => one.package === name && one.advisories.includes(id)) : undefined
    if (row === undefined || row.names.some((it) => called.has(keyOf(row, it)))) return 'possible'
    if (row.onServer === true) return 'impossible'
    return row.byAttributes === true && startsByAttribute() ? 'possible' : 'absent'
  }
}

function holdsAttributes(content: FileContent): boolean {
  if (content.as !== 'markup') return false
  for (const { attributes } of elementsOf(content.document)) if (attributes.some(({ name }) => STARTS.test(name))) return true
  return false
}
