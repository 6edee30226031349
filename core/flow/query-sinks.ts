import { accessesOf, type Access, type CallValue, type ScriptFacts, type Value } from '../facts/index.ts'
import { isCds, serviceKindOf, type CapFile } from './cap-receivers.ts'

/** A call that reads an argument as the text of a query. */
export interface QuerySink {
  /** `sql`: the database runs it as it stands; `cql`: CAP parses it. */
  readonly language: 'sql' | 'cql'
  /** The arguments that are text. */
  readonly texts: readonly Value[]
  /** As a developer calls it: `cds.run`, `SELECT.where`. */
  readonly name: string
  /** Made for names as well as for queries: of a text without blanks and brackets a name is the likelier reading. */
  readonly takesNames: boolean
  /** Made for text alone: what comes from a request as a whole is a query too. */
  readonly takesWhole: boolean
  /** Known by its name alone: then the text has to look like SQL. */
  readonly isGuess: boolean
}

/** Fact: @sap/cds 9.9 lib/ql: Whereable (where, and, or, having), SELECT (from, columns, orderBy), UPDATE (with, set). */
const BUILDERS: ReadonlySet<string> = new Set(['SELECT', 'INSERT', 'UPSERT', 'UPDATE', 'DELETE'])
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'having', 'and', 'or'])
const NAMING: ReadonlySet<string> = new Set(['from', 'into', 'entity', 'one', 'distinct', 'columns', 'orderBy', 'read'])
const CHANGES: ReadonlySet<string> = new Set(['with', 'set'])
/** Shortcuts of services that begin a query. */
const SHORTCUTS: ReadonlySet<string> = new Set(['read', 'update', 'delete'])
const PARSERS: ReadonlySet<string> = new Set(['cql', 'expr', 'xpr'])

/** Fact: the documentations of hdb, @sap/hana-client and @sap/hdbext; of XS classic: SAP HANA XS JavaScript API, $.db and $.hdb. */
const DRIVERS = /^(?:hdb|hdb-pool|@sap\/hana-client|@sap\/hdbext|@sap\/hdbext-promisfied|sap-hdbext-promisfied)(?:\/|$)/
const DRIVER_METHODS: ReadonlySet<string> = new Set([
  'exec',
  'execute',
  'prepare',
  'executeQuery',
  'execQuery',
  'preparePromisified',
  'prepareStatement',
  'prepareCall',
  'executeUpdate',
])
const XS_METHODS: ReadonlySet<string> = new Set(['prepareStatement', 'prepareCall', 'executeQuery', 'executeUpdate'])
const CONNECTION_NAME = /^(?:db|conn|connection|client|\w*(?:Conn|Connection|Client|Db))$/

/** The query text that a call takes, if it is such a call. */
export function querySinkOf(call: CallValue, facts: ScriptFacts, file: CapFile): QuerySink | undefined {
  if (call.kind !== 'call' || call.args.length === 0) return undefined
  const { callee } = call
  if (callee.kind === 'member') {
    const name = callee.name
    if (name === 'run') return toRun(call, callee.object, file)
    if (name !== undefined && DRIVER_METHODS.has(name)) return toDriver(call, name, callee.object, facts, file)
    if (
      name !== undefined &&
      !(CONDITIONS.has(name) || NAMING.has(name) || CHANGES.has(name) || PARSERS.has(name) || isBuilderName(name))
    )
      return undefined
  }
  for (const access of accessesOf(callee)) {
    const sink = toFacade(call, access) ?? toParsed(call, access) ?? toBuilder(call, toBuilderSteps(access))
    if (sink !== undefined) return sink
  }
  return toShortcut(call, file)
}

function isBuilderName(name: string): boolean {
  return BUILDERS.has(name) || name === 'ql' || name === 'CQL'
}

function toRun(call: CallValue, receiver: Value, file: CapFile): QuerySink | undefined {
  const kind = serviceKindOf(receiver, file)
  if (kind === undefined) return undefined
  const name = `${nameOf(receiver)}.run`
  return { language: 'sql', texts: call.args.slice(0, 1), name, takesNames: false, takesWhole: true, isGuess: kind === 'named' }
}

function toDriver(call: CallValue, method: string, receiver: Value, facts: ScriptFacts, file: CapFile): QuerySink | undefined {
  const isImported = facts.imports.some(({ source }) => DRIVERS.test(source))
  if (!isImported && !XS_METHODS.has(method)) return undefined
  const accesses = accessesOf(receiver)
  const isXsClassic = accesses.some(({ root, steps }) => root === 'global:$' && /^h?db getConnection \(\)$/.test(steps.join(' ')))
  if (!isImported && !isXsClassic) return undefined
  const isSure = isXsClassic || accesses.some((access) => isFromDriver(access, file))
  const isNamed = accesses.some(
    ({ root, steps }) => !root.startsWith('module:') && CONNECTION_NAME.test(steps.at(-1) ?? root.slice(root.indexOf(':') + 1)),
  )
  if (!isSure && !isNamed) return undefined
  return {
    language: 'sql',
    texts: call.args.slice(0, 1),
    name: `${nameOf(receiver)}.${method}`,
    takesNames: false,
    takesWhole: true,
    isGuess: !isSure,
  }
}

/** A connection that the driver gave back, or handed to a callback. */
function isFromDriver({ root, binding }: Access, file: CapFile): boolean {
  if (root.startsWith('module:')) return DRIVERS.test(root.slice('module:'.length))
  const callback = binding?.definitions[0]?.kind === 'parameter' ? file.callbacks.get(binding.function) : undefined
  return (
    callback !== undefined &&
    accessesOf(callback.call.callee).some((access) => access.root.startsWith('module:') && isFromDriver(access, file))
  )
}

/** `run(text)` of `const { run } = cds`. */
function toFacade(call: CallValue, access: Access): QuerySink | undefined {
  if (!isCds(access) || !/^(?:db )?run$/.test(access.steps.join(' '))) return undefined
  return { language: 'sql', texts: call.args.slice(0, 1), name: 'cds.run', takesNames: false, takesWhole: true, isGuess: false }
}

/** `cds.parse.cql(text)`, `cds.parse(text)`, `cds.ql(text)`, `CQL(text)`. */
function toParsed(call: CallValue, access: Access): QuerySink | undefined {
  const sink = { language: 'cql', texts: call.args.slice(0, 1), takesNames: false, takesWhole: true, isGuess: false } as const
  if (access.root === 'global:CQL' && access.steps.length === 0) return { ...sink, name: 'CQL' }
  if (!isCds(access)) return undefined
  const [first, second, third] = access.steps
  if (first === 'ql' && second === undefined) return { ...sink, name: 'cds.ql' }
  if (first === 'parse' && second !== undefined && PARSERS.has(second) && third === undefined)
    return { ...sink, name: `cds.parse.${second}` }
  return undefined
}

/** The steps from a query builder on: `['SELECT', 'from', '()', 'where']`; undefined where it is none. */
function toBuilderSteps(access: Access): readonly string[] | undefined {
  const { root, steps } = access
  if (isCds(access)) {
    const own = steps[0] === 'ql' ? steps.slice(1) : steps
    return own[0] !== undefined && BUILDERS.has(own[0]) ? own : undefined
  }
  const name = root.startsWith('global:') ? root.slice('global:'.length) : undefined
  return name !== undefined && BUILDERS.has(name) ? [name, ...steps] : undefined
}

function toBuilder(call: CallValue, steps: readonly string[] | undefined): QuerySink | undefined {
  const [builder] = steps ?? []
  if (steps === undefined || builder === undefined) return undefined
  const method = steps.length === 1 ? undefined : steps.at(-1)
  return toQueryPart(call, builder, method)
}

function toQueryPart(call: CallValue, builder: string, method: string | undefined): QuerySink | undefined {
  const sink = {
    language: 'cql',
    name: method === undefined ? builder : `${builder}.${method}`,
    takesNames: false,
    takesWhole: false,
    isGuess: false,
  } as const
  if (method === undefined || NAMING.has(method))
    return {
      ...sink,
      texts: call.args.flatMap((argument) => (argument.kind === 'array' ? argument.items : [argument])),
      takesNames: true,
    }
  if (CHANGES.has(method)) return { ...sink, texts: call.args.slice(0, 1) }
  return CONDITIONS.has(method) ? { ...sink, texts: textsOfCondition(call.args) } : undefined
}

/** Fact: @sap/cds 9.9 lib/ql/cds.ql-predicates.js: of `where('a =', x, 'and b =', y)` every other argument is text, of `where('a', '=', x)` none. */
function textsOfCondition(args: readonly Value[]): readonly Value[] {
  const operator = args[1]
  if (args.length === 3 && operator?.kind === 'literal' && /^(?:[=<>!]{1,2}|like|in)$/i.test(String(operator.value))) return []
  return args.filter((_, index) => index % 2 === 0)
}

/** `srv.read('Books').where(text)`. */
function toShortcut(call: CallValue, file: CapFile): QuerySink | undefined {
  const { callee } = call
  if (
    callee.kind !== 'member' ||
    callee.name === undefined ||
    !(CONDITIONS.has(callee.name) || CHANGES.has(callee.name) || callee.name === 'columns' || callee.name === 'orderBy')
  )
    return undefined
  const begin = beginOf(callee.object)
  if (begin === undefined || serviceKindOf(begin.receiver, file) === undefined) return undefined
  return toQueryPart(call, `${nameOf(begin.receiver)}.${begin.shortcut}`, callee.name)
}

const MAX_CHAIN = 24

function beginOf(value: Value): { receiver: Value; shortcut: string } | undefined {
  let here = value
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'call' && here.callee.kind === 'member') {
      const { name, object } = here.callee
      if (name !== undefined && SHORTCUTS.has(name)) return { receiver: object, shortcut: name }
      here = object
    } else if (here.kind === 'reference' && here.binding?.definitions[0]?.value) here = here.binding.definitions[0].value
    else if (here.kind === 'await') here = here.value
    else return undefined
  }
  return undefined
}

/** A receiver as a reader knows it: `cds.db`, `tx`, `this`. */
function nameOf(value: Value): string {
  if (value.kind === 'reference') return value.name
  if (value.kind === 'this') return 'this'
  if (value.kind === 'await') return nameOf(value.value)
  if (value.kind === 'member') return `${nameOf(value.object)}.${value.name ?? '[]'}`
  return value.kind === 'call' ? `${nameOf(value.callee)}()` : '…'
}
