import {
  accessesOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type Access,
  type CallValue,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { promisifiedBy } from '../../facts/direct-calls.ts'
import { serviceKindOf, type CapFile } from './cap-receivers.ts'
import { DRIVERS, OTHER_DRIVERS, OTHER_METHODS } from '../tables/drivers.ts'
import { nameOf } from '../graph/names.ts'
import type { QuerySink } from './query-sinks.ts'

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
/** What no other object has. Fact: SAP HANA XS JavaScript API, $.db.Connection and $.hdb.Connection. */
const XS_METHODS: ReadonlySet<string> = new Set(['executeQuery', 'executeUpdate', 'prepareStatement', 'prepareCall'])
/** Fact: @cap-js/db-service 2, SQLService. */
const SERVICE_METHODS: ReadonlySet<string> = new Set(['exec', 'prepare'])
const CONNECTION_NAME =
  /^_?(?:db|hdb|hana|database|pool|conn|connection|client|\w*(?:Conn|Connection|Client|Db|DB|Hana|HANA|Database|HanaService|DbService))$/

/** The SQL that a call hands over to a driver of a database, if it is such a call. */
export function driverSinkOf(call: CallValue, facts: ScriptFacts, file: CapFile): QuerySink | undefined {
  const { callee } = call
  const method = callee.kind === 'reference' ? promisified(callee) : callee
  if (method?.kind !== 'member' || method.name === undefined) return toRunner(call)
  const { name, object } = method
  if (name === 'rpc') return toProcedure(call, object)
  const other = OTHER_METHODS.has(name) ? toOtherDriver(call, name, object) : undefined
  return other ?? (DRIVER_METHODS.has(name) ? toDriver(call, name, object, facts, file) : toRunner(call))
}

const RUNNERS = /^(?:query|sql)(?:Async|Raw)?$|^_?(?:exec|execute|run|do|raw|perform)_?(?:Query|Sql|SQL|Statement)(?:Async)?$/

/** `executeQuery(text)` of another file. */
function toRunner(call: CallValue): QuerySink | undefined {
  const name = lastNameOf(call.callee)
  if (name === undefined || !RUNNERS.test(name)) return undefined
  const sink = { language: 'sql', name, takesNames: false, takesWhole: false, isGuess: true, isUnknown: true } as const
  return { ...sink, texts: call.args.slice(0, 1), isElsewhere: true }
}

function toOtherDriver(call: CallValue, method: string, receiver: Value): QuerySink | undefined {
  if (!accessesThrough(receiver).some(({ root }) => OTHER_DRIVERS.get(root)?.has(method) === true)) return undefined
  const name = `${nameOf(receiver)}.${method}`
  return { language: 'sql', texts: call.args.slice(0, 1).map(textIn), name, takesNames: false, takesWhole: true, isGuess: false }
}

/** `supabase.rpc('exec_sql', { query })`: a procedure that runs the text that it is given, by its name. Fact: supabase-js 2, `rpc`. */
function toProcedure({ args: [procedure, given] }: CallValue, receiver: Value): QuerySink | undefined {
  const called = stringConstantOf(procedure)
  const settings = given && resolveValue(given)
  if (called === undefined || !RUNS_SQL.test(called) || settings === undefined) return undefined
  const text = SQL_FIELDS.map((field) => fieldOf(settings, field)?.value).find((value) => value !== undefined)
  if (text === undefined) return undefined
  return { language: 'sql', texts: [text], name: `${nameOf(receiver)}.rpc`, takesNames: false, takesWhole: true, isGuess: false }
}

const RUNS_SQL = /^(?:\w{1,30}_)?(?:exec|execute|run|raw)_?(?:sql|query|ddl|statement)(?:_\w{1,30})?$/i
const SQL_FIELDS: readonly string[] = ['query', 'sql', 'sql_query', 'query_text', 'statement', 'sql_text']

/** `pool.query({ text, values })`, `connection.query({ sql })`. */
function textIn(value: Value): Value {
  const given = resolveValue(value)
  return given.kind === 'object' ? ((fieldOf(given, 'text') ?? fieldOf(given, 'sql'))?.value ?? value) : value
}

function toDriver(call: CallValue, method: string, receiver: Value, facts: ScriptFacts, file: CapFile): QuerySink | undefined {
  const isImported = facts.imports.some(({ source }) => DRIVERS.test(source))
  const accesses = accessesThrough(receiver)
  const sink = {
    language: 'sql',
    texts: call.args.slice(0, 1),
    name: `${nameOf(receiver)}.${method}`,
    takesNames: false,
    takesWhole: true,
  } as const
  // the database service of CAP has some of them: cds.db.exec(text)
  if (SERVICE_METHODS.has(method)) {
    const kind = serviceKindOf(receiver, file)
    if (kind !== undefined) return { ...sink, isGuess: true }
  }
  const isXsClassic = accesses.some(({ root, steps }) => root === 'global:$' && /^h?db getConnection \(\)$/.test(steps.join(' ')))
  const isNamed = accesses.some(
    ({ root, steps }) => !root.startsWith('module:') && CONNECTION_NAME.test(steps.at(-1) ?? root.slice(root.indexOf(':') + 1)),
  )
  const isSure =
    isXsClassic || (file.isXs && isNamed && XS_METHODS.has(method)) || accesses.some((access) => isFromDriver(access, file))
  // a connection that another file opened: const conn = await getConnection()
  const isOpened = receiver.kind === 'reference' && CONNECTION_NAME.test(receiver.name)
  if (!isSure && !isNamed && !isOpened) return undefined
  const isUnknown = !isSure && (!isImported || !isNamed)
  return { ...sink, isGuess: !isSure, ...(isUnknown && { isUnknown }) }
}

/** The method behind `const exec = promisify(conn.exec).bind(conn)`. */
function promisified(value: Value): MemberValue | undefined {
  let here = resolveValue(value)
  for (let hops = 0; hops < 4; hops++) {
    if (here.kind === 'member') return hops === 0 ? undefined : here
    if (here.kind !== 'call') return undefined
    if (here.callee.kind === 'member' && here.callee.name === 'bind') here = here.callee.object
    else {
      const made = promisifiedBy(here)
      if (made === undefined) return undefined
      here = made
    }
  }
  return undefined
}

/** What a value is read from; of `open()`, a function of the file, what that gives back. */
function accessesThrough(value: Value): readonly Access[] {
  const own = accessesOf(value)
  const opened = own.flatMap(({ binding, steps: [first, ...steps] }) => {
    const made = first === '()' && binding?.definitions.length === 1 ? binding.definitions[0]?.value : undefined
    if (made?.kind !== 'function') return []
    return made.function.returns.flatMap((given) =>
      accessesOf(given).map((access) => ({ ...access, steps: [...access.steps, ...steps] })),
    )
  })
  return opened.length === 0 ? own : [...own, ...opened]
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
