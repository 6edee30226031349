import {
  accessesOf,
  stringConstantOf,
  directParts,
  keysOf,
  resolveValue,
  valuesOf,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'

/** Facts: pg 8, "pg.Client" (`connectionString`, `host`); mysql2 3, "createConnection"; tedious 18 (`server`); Sequelize 6, constructor; @cap-js/postgres 2, README; MongoDB driver 6. */
const ADDRESSES = new Set(['host', 'hostname', 'server', 'serverNode', 'connectionString', 'url', 'uri'])
const OF_DATABASE = new Set(['connectionString', 'database', 'databaseName', 'dialect', 'serverNode'])
const DRIVER =
  /^module:(?:pg|postgres|mysql2?(?:\/promise)?|mariadb|mssql|tedious|mongodb|mongoose|i?redis|sequelize|typeorm|knex|hdb|@sap\/hana-client)(?: |$)/
const NAMED = /(?:^|_)(?:database|db|pg|postgres(?:ql)?|mysql|mariadb|mssql|mongo(?:db)?|redis|hana)(?:_|$)/i
/** A host that is written out. */
const HOST =
  /[\w-]\.(?!(?:local|internal|lan|svc)\b)[a-z]{2,24}(?:[:/]|$)|(?<![\d.])(?!1?0\.|127\.|192\.168\.|172\.[123]\d\.)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/i

const MAX_UP = 6
const MAX_PARTS = 60

/** Tells the variables of the environment that alone know the host of the database to which a connection with these options goes; undefined of other connections. */
export function createDatabaseReader(
  facts: ScriptFacts,
  step: (count: number) => void,
): (option: Span) => readonly string[] | undefined {
  let held: HeldOptions | undefined
  return ({ start }) => {
    const { parents, byField } = (held ??= heldOptions(facts, step))
    let here = byField.get(start)
    for (let up = 0; here !== undefined && up < MAX_UP; up++) {
      // the agent of a request, not an option of a driver
      if ('callee' in here && lastNameOf(here.callee) === 'Agent') return undefined
      const found = hostOf(here)
      if (found !== undefined) return found
      here = parents.get(here)
    }
    return undefined
  }
}

/** The values of a script by what is made of them, and its objects by where their fields begin. */
interface HeldOptions {
  readonly parents: ReadonlyMap<Value, Value | undefined>
  readonly byField: ReadonlyMap<number, Value>
}

function heldOptions(facts: ScriptFacts, step: (count: number) => void): HeldOptions {
  const parents = new Map<Value, Value | undefined>()
  const byField = new Map<number, Value>()
  for (const { value, parent } of valuesOf(facts)) {
    step(1)
    parents.set(value, parent)
    // the same object may be held in several places: the first one counts
    if (value.kind === 'object') for (const { start } of value.fields) if (!byField.has(start)) byField.set(start, value)
  }
  return { parents, byField }
}

/** `{ host: process.env.DB_HOST, … }`, `new Sequelize(process.env.DATABASE_URL, …)` */
function hostOf(value: Value): readonly string[] | undefined {
  const addresses =
    value.kind === 'object'
      ? value.fields.flatMap(({ key, value: given }) => (key !== undefined && ADDRESSES.has(key) ? given : []))
      : 'args' in value && isDriver(value)
        ? value.args.filter(({ kind }) => kind !== 'object')
        : []
  const variables = addresses.map(variablesOf)
  const first = variables.find((names) => names.length > 0)
  if (first === undefined || variables.some((names) => names.length === 0)) return undefined
  const isDatabase =
    first.some((name) => NAMED.test(name)) ||
    isDriver(value) ||
    (value.kind === 'object' && [...keysOf(value)].some((key) => OF_DATABASE.has(key)))
  return isDatabase ? first : undefined
}

function isDriver(value: Value): boolean {
  return 'callee' in value && accessesOf(value.callee).some(({ root, steps }) => DRIVER.test([root, ...steps].join(' ')))
}

/** The variables that an address is made of; none where a host is written in it. */
function variablesOf(address: Value): readonly string[] {
  const names: string[] = []
  const open: Value[] = [address]
  for (let visits = 0; visits < MAX_PARTS; visits++) {
    const given = open.pop()
    if (given === undefined) return names
    const here = resolveValue(given)
    const name = variableOf(here)
    const text = stringConstantOf(here)
    if (name !== undefined) names.push(name)
    else if (text !== undefined && HOST.test(text)) return []
    else if (here.kind === 'template' && here.texts.some((one) => HOST.test(one))) return []
    else open.push(...directParts(here))
  }
  return names
}

function variableOf(value: Value): string | undefined {
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  const [access] = accessesOf(value)
  const [first, name, ...more] = access?.steps ?? []
  return access?.root === 'global:process' && first === 'env' && more.length === 0 ? name : undefined
}
