import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { isAround } from '../../facts/span-index.ts'
import { fileNameOf, foldersAround } from '../../paths.ts'
import type { Place } from '../../types.ts'
import type { NpmProject } from '../npm/index.ts'
import { isDeployedCode, isOfUi5App } from '../script/index.ts'
import { CLIENT, DATABASE } from './demo-data.ts'

/** A file of rows that a script names. */
interface NamedTable {
  readonly name: string
  readonly at: number
}

const TABLE = /(["'`])((?:[^"'`\\\s]{1,200}\/)?[\w.-]{1,100}\.csv)\1/g

/** The CSV files that scripts of servers name. */
export const namedTables: Extract<NamedTable> = defineExtract({
  name: 'reach-named-tables',
  keywords: ['.csv'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    for (const { 2: name = '', index } of text.matchAll(TABLE)) yield { name: fileNameOf(name), at: index }
  },
})

/** Facts: Node.js 22, Global objects (`fetch`), `node:http`, `node:net`, `node:sqlite`. */
const CONNECTS = /\bfetch\s{0,4}\(|['"](?:node:)?(?:https?|http2|net|tls)['"]|['"]node:sqlite['"]/

/** One item for each script of a server that may get or keep rows elsewhere without a package. */
export const connectingScripts: Extract<true> = defineExtract({
  name: 'reach-connecting-scripts',
  keywords: ['fetch', 'http', 'net', 'tls', 'node:sqlite'],
  isFor: isDeployedCode,
  *collectText(text) {
    if (CONNECTS.test(text)) yield true
  },
})

/** Tables of accounts: whoever may read or write one becomes somebody else. */
const ACCOUNTS = /user|account|login|logon|credential|passw|auth|token|secret|session/i

/** What a route does, and where its functions stand. */
export interface TableRoute {
  readonly at: Place
  readonly method: string
  readonly answeredBy: readonly Place[]
}

/** What tells whether a server has rows of its own. */
export interface SampleSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly npm: Pick<NpmProject, 'byFolder'>
  readonly isDeployedSomehow: () => boolean
}

/**
 * Tells routes of servers of the own that hold nothing but rows of CSV files of the project: nothing deploys it, no package of it knows a database or another system, and the functions
 * of the route name such files alone, none of accounts. To delete an account gives nobody another one.
 */
export function createSampleReader({ files, scripts, npm, isDeployedSomehow }: SampleSources): (route: TableRoute) => boolean {
  let known: ReadonlySet<string> | undefined
  let isAlone: boolean | undefined
  const isSelfContained = (file: string): boolean => {
    const around = [...foldersAround(file)].flatMap((folder) => npm.byFolder.get(folder) ?? [])
    const names = around.flatMap(({ dependencies }) =>
      dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : name)),
    )
    return around.length > 0 && !names.some((name) => DATABASE.test(name) || CLIENT.test(name) || name.startsWith('@sap/'))
  }
  return ({ at, method, answeredBy }) => {
    const named = answeredBy.flatMap(({ file, span }) =>
      span === undefined ? [] : scripts.of(file, namedTables).flatMap((one) => (isAround(span, one.at) ? one.name : [])),
    )
    // the path of the only table of a script may be a constant
    const tables = named.length > 0 ? named : scripts.of(at.file, namedTables).map(({ name }) => name)
    if (tables.length === 0 || (method !== 'DELETE' && tables.some((name) => ACCOUNTS.test(name)))) return false
    known ??= new Set([...files.keys()].flatMap((path) => (path.endsWith('.csv') ? fileNameOf(path) : [])))
    if (!tables.every((name) => known?.has(name))) return false
    isAlone ??= !isDeployedSomehow() && scripts.get(connectingScripts).length === 0
    return isAlone && isSelfContained(at.file)
  }
}
