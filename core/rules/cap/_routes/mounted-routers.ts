import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  importedNames,
  type CallValue,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
} from '../../../facts/index.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { resolveModule } from '../../../flow/index.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Place } from '../../../types.ts'
import type { Project } from '../../subjects.ts'

/** Routers of one file that another one mounts, `app.use('/types', types)`, and what answers them. */
type RouterPart =
  | { readonly kind: 'mount'; readonly at: number; readonly router: ImportedName }
  /** What a file exports, with all that is registered on it; without functions of other files, `handlers` has undefined. */
  | { readonly kind: 'router'; readonly methods: readonly string[]; readonly handlers: readonly (ImportedName | undefined)[] }
  /** An exported function that reads nothing of its request and answers the names of a table of values. */
  | { readonly kind: 'list'; readonly name: string }

export const routerParts: Extract<RouterPart> = defineExtract({
  name: 'cap-router-parts',
  keywords: ['.use(', 'Router', 'SELECT'],
  prefilter: (text) => /\bRouter\s{0,4}\(|\.use\(\s{0,9}["'`]\/|["'`]\s{0,20}SELECT\s/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const mounts = facts.calls.flatMap((call): RouterPart[] => {
      const { callee, args, start } = call
      const [path, router, ...more] = args
      if (callee.kind !== 'member' || callee.name !== 'use' || more.length > 0 || path === undefined) return []
      const given = router && importedNames(router)[0]
      return typeof constantOf(path) !== 'string' || given === undefined ? [] : [{ kind: 'mount', at: start, router: given }]
    })
    const callsIn = createInnerIndex(facts.calls)
    const lists = exportedFunctions(facts).flatMap(([name, fact]): RouterPart[] => {
      // one function may be exported by many names
      const inside = callsIn(fact)
      step(1 + inside.length + ((fact.end - fact.start) >> 4))
      return isList(fact, inside, text) ? [{ kind: 'list', name }] : []
    })
    return [...mounts, ...routersOf(facts), ...lists]
  },
})

const METHODS = /^(?:get|post|put|patch|delete)$/

/** Of the one router that a file exports as itself, where it is known what is registered on it. */
function routersOf({ exports, calls }: ScriptFacts): readonly RouterPart[] {
  const exported = exports.find(({ name }) => name === 'default')?.value
  const binding = exported?.kind === 'reference' ? exported.binding : undefined
  if (binding === undefined) return []
  const isOwn = ({ callee }: CallValue): boolean =>
    callee.kind === 'member' && callee.object.kind === 'reference' && callee.object.binding === binding
  const own = calls.filter(isOwn)
  // what gets the router may register more
  if (calls.some(({ args }) => args.some((one) => one.kind === 'reference' && one.binding === binding))) return []
  const methods = own.map(({ callee }) => (callee.kind === 'member' ? (callee.name ?? '') : ''))
  if (own.length === 0 || !methods.every((name) => METHODS.test(name))) return []
  const handlers = own.map(({ args }) => {
    const [, handler] = args
    return handler === undefined || args.length !== 2 ? undefined : importedNames(handler)[0]
  })
  return [{ kind: 'router', methods: [...new Set(methods.map((name) => name.toUpperCase()))], handlers }]
}

/** One statement, of names alone: `SELECT "kindId", TRIM("name") AS "name" FROM "Kind" ORDER BY "kindId"`. */
const STATEMENT =
  /^\s{0,200}SELECT\s{1,200}([^;?$:*]{1,400}?)\s{1,200}FROM\s{1,200}["`]?(?:\w{1,60}["`]?\.["`]?)?(\w{1,60})["`]?\s{0,200}(?:ORDER\s{1,20}BY\s[\w\s",`]{1,200})?;?\s{0,200}$/i
const COLUMN = /^(?:TRIM\s{0,4}\(\s{0,4})?["`]?(\w{1,60})["`]?\s{0,4}\)?(?:\s{1,20}(?:AS\s{1,20})?["`]?\w{1,60}["`]?)?$/i
const NAMING = /(?:^| )(?:id|key|code|name|title|label|text|description|order)$/
const TABLES =
  /(?:^| )(?:status|state|type|categor(?:y|ie)|priorit(?:y|ie)|kind|level|code|role|countr(?:y|ie)|currenc(?:y|ie)|language|unit)(?:e?s)?$/

const WORDS = /[\w$]+/g

function isList(fact: FunctionFact, inside: readonly CallValue[], text: string): boolean {
  const [request] = fact.parameters
  if (
    request === undefined ||
    (text.slice(fact.start, fact.end).match(WORDS) ?? []).filter((word) => word === request.name).length > 1
  )
    return false
  const asked = inside.filter(
    ({ callee }) => callee.kind === 'member' && /^(?:query|execute|all|any|many)$/.test(callee.name ?? ''),
  )
  const [query, ...others] = asked
  const statement = query?.args[0] && constantOf(query.args[0])
  if (others.length > 0 || query?.args.length !== 1 || typeof statement !== 'string') return false
  const [, columns = '', table = ''] = STATEMENT.exec(statement) ?? []
  if (!TABLES.test(toWords(table))) return false
  const names = columns.split(',').map((column) => toWords(COLUMN.exec(column.trim())?.[1] ?? ''))
  return names.every((name) => NAMING.test(name))
}

/** Whether the router of another file that is mounted at a place answers nothing but the names of tables of values. Needs the extract `routerParts`. */
export function isListMountedAt({ file, span }: Place, { scripts, files }: Pick<Project, 'scripts' | 'files'>): boolean {
  const mount = scripts.of(file, routerParts).find((part) => part.kind === 'mount' && part.at === span?.start)
  if (mount?.kind !== 'mount' || mount.router.name !== 'default') return false
  const target = resolveModule(file, mount.router.source, files)?.path
  const routers = target === undefined ? [] : scripts.of(target, routerParts).filter((part) => part.kind === 'router')
  const [router, ...others] = routers
  if (target === undefined || router === undefined || others.length > 0) return false
  const isListed = (handler: ImportedName | undefined): boolean => {
    const from = handler && resolveModule(target, handler.source, files)?.path
    return from !== undefined && scripts.of(from, routerParts).some((part) => part.kind === 'list' && part.name === handler?.name)
  }
  return router.methods.join('') === 'GET' && router.handlers.every(isListed)
}
