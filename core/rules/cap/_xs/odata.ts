import type { ProjectFile } from '../../../files.ts'
import { append } from '../../../lists.ts'
import { fileNameOf } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'
import { readXsEntities, type XsEntity, type XsScript } from './services.ts'

export interface FoundCheck {
  readonly file: string
  readonly value: XsScript
}

export interface XsService {
  readonly file: string
  readonly isOfTests: boolean
  readonly entities: readonly XsEntity[]
}

/** The OData services of XS classic in a project. */
export function* readServices(files: Project['files']): Generator<XsService> {
  const isWritableView = createWritableViewReader(files)
  for (const { path: file, kind, content } of files.values())
    if (kind.role === 'xsodata' && content.as === 'text')
      yield { file, isOfTests: kind.test, entities: readXsEntities(content.text ?? '', isWritableView) }
}

/** The operations of an entity whose functions check a privilege. */
export type ExitReader = (entity: XsEntity) => readonly { readonly operation: string; readonly privilege: string }[]

export function createExitReader(checks: readonly FoundCheck[], step: Project['step']): ExitReader {
  const byFunction = new Map<string, FoundCheck[]>()
  for (const one of checks)
    for (const name of new Set(one.value.functions)) append(byFunction, `${fileNameOf(one.file)} ${name}`, one)
  return ({ replaced }) =>
    [...replaced].flatMap(([operation, exit]) => {
      const alike = byFunction.get(`${fileNameOf(exit.file)} ${exit.name}`) ?? []
      step(1 + alike.length)
      const check = alike.find(({ file }) => `/${file}`.endsWith(`/${exit.file}`))
      return check === undefined ? [] : [{ operation, privilege: check.value.name }]
    })
}

/** `VIEW "stock.Shelves" ( "ID" ) AS SELECT …`: the name, and what it selects. */
const VIEW = /^\s{0,200}(?:create\s{1,20})?view\s{1,20}"([^"\n]{1,200})"([\s\S]{0,20000})$/i
const SOURCE = /\bfrom\s{1,20}"[^"\n]{1,200}"/gi
/** What leaves no row of one table to write. */
const COMBINES = /\b(?:join|union|except|intersect|group\s{1,20}by|distinct|having|count|sum|avg|min|max)\b/i
/** `FROM "Stock" AS "s", "Shelf"`. */
const SECOND_SOURCE = /\bfrom\s{1,20}"[^"\n]{1,200}"(?:\s{1,20}(?:as\s{1,20})?"[^"\n]{1,200}")?\s{0,20},/i

/**
 * Tells views whose rows are those of one table, so that a service writes through them.
 * Facts: SAP HANA Developer Guide, "Create a View in CDS" (define view … as select from …); SAP HANA SQL Reference, CREATE VIEW ("Updatable views": one table, no aggregation, DISTINCT or set operator); @sap/xsodata 8.4.1, lib/sql (views are written as tables are).
 */
function createWritableViewReader(files: ReadonlyMap<string, ProjectFile>): (table: string) => boolean {
  let known: ReadonlySet<string> | undefined
  return (table) => {
    known ??= new Set(
      [...files.values()].flatMap(({ kind, content }) => {
        if (kind.test || content.as !== 'text') return []
        if (kind.role === 'hdbview') return writableView(content.text ?? '')
        return kind.role === 'hdbcds' ? writableCdsViews(content.text ?? '') : []
      }),
    )
    return known.has(table)
  }
}

function writableView(text: string): readonly string[] {
  const [, name = '', rest = ''] = VIEW.exec(text) ?? []
  const isSimple = rest.match(SOURCE)?.length === 1 && !COMBINES.test(rest) && !SECOND_SOURCE.test(rest)
  return name !== '' && isSimple ? [name] : []
}

/** `define view Berths as select from Berth { ID as id };` of one context. */
const CDS_VIEW = /\bview\s{1,20}(\w{1,100})\s{1,20}as\s{1,20}select\s{1,20}from\s{1,20}"?[\w.:]{1,200}"?([^;]{0,20000});/gi
/** What takes columns of other tables: `_town.name as town` follows an association. */
const FOLLOWS = /\b\w{1,100}\.\w/

/** As the database names them: `acme.db::stock.Shelves` of `namespace acme.db; context stock { … }`. */
function writableCdsViews(text: string): readonly string[] {
  const code = text.replace(/\/\/[^\n]{0,2000}|\/\*[^*]{0,20000}\*\//g, ' ')
  const [, namespace] = /\bnamespace\s{1,20}([\w.]{1,200})\s{0,20};/.exec(code) ?? []
  const [, context] = /\bcontext\s{1,20}(\w{1,100})\s{0,20}\{/.exec(code) ?? []
  const before = `${namespace === undefined ? '' : `${namespace}::`}${context === undefined ? '' : `${context}.`}`
  return [...code.matchAll(CDS_VIEW)].flatMap(([, name = '', rest = '']) =>
    COMBINES.test(rest) || FOLLOWS.test(rest) ? [] : [`${before}${name}`],
  )
}
