import { defineExtract, type Extract, type OpenScript } from '../../../extracts/extract.ts'
import {
  constantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type ObjectField,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { nameWithOwner } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  createDevelopmentReader,
  isDeployedCode,
  isLoginPassword,
  isOfUi5App,
  runsInBrowser,
} from '../../../model/script/index.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { resolveModule } from '../../../flow/index.ts'
import type { Span } from '../../../types.ts'
import { writtenColumns, type WrittenColumn } from '../_rows/written-columns.ts'

/** An account of an administrator that a server stores with a password that stands in the code. */
export interface KnownAdministrator extends Span {
  readonly password: string
  /** What makes it one, as the code writes it: `role`, `username`. */
  readonly field: string
  /** The password is the default of something, such as a variable of the environment. */
  readonly isFallback: boolean
}

const ROLE = /^(?:(?:user|account)_?)?(?:roles?|type|level|rights)$/i
const FLAG = /^is_?(?:super_?)?(?:admin|user)$/i
const LOGIN = /^(?:user_?)?(?:name|login|id|e?mail(?:_?address)?)$/i
const ADMIN_ROLE = /admin|super_?user|^root$/i
const ADMIN_LOGIN = /^(?:admin(?:istrator)?|root|super_?(?:admin|user)|sysadmin)\d{0,3}(?:@|$)/i
/** What keeps a row. Facts: Mongoose 8, Sequelize 6, Prisma 6, MongoDB 6 (README of each); capire, "INSERT" and "UPSERT". */
export const KEEPS: RegExp =
  /^(?:create\w{0,20}|insert\w{0,20}|save\w{0,20}|upsert\w{0,20}|build|bulkCreate|findOrCreate|findOneAndUpdate|updateOne|setDefault\w{0,10}|ensure\w{0,20}|seed\w{0,20}|register\w{0,10}|add[A-Z]\w{0,20}|entries)$/
const ACCOUNTS = /^\w{0,20}(?:User|Account|Member|Employee|Admin|Model)s?$/
export const HASHES: RegExp = /hash|encrypt|bcrypt|argon|scrypt|pbkdf/i

/** Accounts of administrators in scripts of servers. */
export const knownAdministrators: Extract<KnownAdministrator> = defineExtract({
  name: 'cap-known-administrators',
  keywords: ['admin', 'Admin', 'ADMIN', 'root'],
  prefilter: (text) => /pass|pwd/i.test(text),
  isFor: isDeployedCode,
  *collect(script) {
    const { path, facts, step } = script
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    const seen = new Set<number>()
    for (const call of facts.calls) {
      step()
      for (const found of accountsIn(call, script)) {
        if (seen.has(found.start) || isForDevelopers(call)) continue
        seen.add(found.start)
        yield found
      }
    }
  },
})

/** What scripts load of their own project. */
export const ownLoads: Extract<string> = defineExtract({
  name: 'cap-own-loads',
  keywords: ['require', 'import'],
  prefilter: (text) => /["'`]\./.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts }: { readonly facts: ScriptFacts }) {
    for (const { source } of facts.imports) if (source.startsWith('.')) yield source
  },
})

/** Tells scripts that people run by hand, for tests and demonstrations, and that no script of the project loads. Needs `ownLoads`. */
export function createSeedScriptReader(scripts: Scripts, files: readonly string[]): (path: string) => boolean {
  const paths = new Map(files.map((file) => [file, file]))
  let loaded: ReadonlySet<string> | undefined
  const isLoaded = (path: string): boolean =>
    (loaded ??= new Set(scripts.get(ownLoads).flatMap(({ file, value }) => resolveModule(file, value, paths) ?? []))).has(path)
  return (path) => RUN_BY_HAND.test(path) && !isLoaded(path)
}

const RUN_BY_HAND = /(?:^|\/)(?:scripts?|tools?|migrations?|mocks?|demo|samples?|examples?)\/|seed|fixture/i

type ReadScript = Pick<OpenScript, 'facts' | 'step'>

function accountsIn(call: CallValue, script: ReadScript): readonly KnownAdministrator[] {
  const columns = writtenColumns(call)
  // what stands in the row as it is, is told as a password in plain text
  if (columns.length > 0) {
    const own = accountOf(columns.filter(({ name, value }) => !isLoginPassword(name) || constantOf(value) === undefined))
    return own.length > 0 ? own : rowsOf(columns, script).flatMap(accountOf)
  }
  const name = lastNameOf(call.callee) ?? ''
  const isKept = call.kind === 'new' ? ACCOUNTS.test(name) : KEEPS.test(name)
  return isKept ? call.args.flatMap((given) => accountsWithin(given, script, 0)) : []
}

const MAX_DEPTH = 3

function accountsWithin(given: Value, script: ReadScript, depth: number): readonly KnownAdministrator[] {
  const made = resolveValue(given)
  if (depth > MAX_DEPTH) return []
  if ('items' in made) return made.items.flatMap((item) => accountsWithin(item, script, depth + 1))
  if (!('fields' in made)) return []
  const columns = made.fields.flatMap(toColumn)
  const own = accountOf(columns)
  if (own.length > 0) return own
  const listed = rowsOf(columns, script).flatMap(accountOf)
  return listed.length > 0 ? listed : made.fields.flatMap(({ value }) => accountsWithin(value, script, depth + 1))
}

const MAX_ROWS = 50

/** Of columns that a loop fills from a list of the script, `bcrypt.hash(user.password, 10)`, those of each item. */
function rowsOf(columns: readonly WrittenColumn[], script: ReadScript): readonly (readonly WrittenColumn[])[] {
  const password = columns.find(({ name }) => isLoginPassword(name))
  const loop = password && itemField(password.value)?.of
  const list = loop && listBehind(loop, script)
  if (loop === undefined || list === undefined || !('items' in list) || list.items.length > MAX_ROWS) return []
  return list.items.map((item) => {
    const made = resolveValue(item)
    return columns.flatMap(({ name, value }): readonly WrittenColumn[] => {
      const field = itemField(value)
      if (field === undefined || field.of !== loop) return [{ name, value }]
      const own = fieldOf(made, field.name)
      return own === undefined ? [] : [{ name, value: own.value }]
    })
  })
}

/** The parameter or name of a loop, and what is read of it: `user.password`, hashed or as it is. */
function itemField(value: Value): { readonly of: Binding; readonly name: string } | undefined {
  const made = resolveValue(value)
  const awaited = made.kind === 'await' ? resolveValue(made.value) : made
  const read = 'callee' in awaited ? (HASHES.test(nameWithOwner(awaited.callee)) ? awaited.args[0] : undefined) : awaited
  if (read === undefined) return undefined
  if ('object' in read && read.name !== undefined && 'binding' in read.object && read.object.binding !== undefined)
    return { of: read.object.binding, name: read.name }
  return undefined
}

/** What a loop goes through: `for (const user of users)`, `users.forEach((user) => …)`. */
export function listBehind(binding: Binding, { facts: { calls }, step }: ReadScript): Value | undefined {
  const [definition] = binding.definitions
  if (definition?.kind === 'each') return definition.value && resolveValue(definition.value)
  if (binding.kind !== 'parameter' || binding.function.parameters[0] !== binding) return undefined
  step(calls.length >> 3)
  for (const { callee, args } of calls)
    if ('object' in callee && /^(?:map|flatMap|forEach)$/.test(callee.name ?? '') && functionOf(args[0]) === binding.function)
      return resolveValue(callee.object)
  return undefined
}

function toColumn({ key, value }: ObjectField): readonly WrittenColumn[] {
  return key === undefined ? [] : [{ name: key, value }]
}

function accountOf(columns: readonly WrittenColumn[]): readonly KnownAdministrator[] {
  const named = columns.filter(isOfAdministrator)
  const field = (named.find(({ name }) => !LOGIN.test(name)) ?? named[0])?.name
  const given = columns.find(({ name }) => isLoginPassword(name))?.value
  const word = field === undefined || given === undefined ? undefined : wordOf(given, 0)
  return field === undefined || word === undefined ? [] : [{ ...word, field }]
}

function isOfAdministrator({ name, value }: WrittenColumn): boolean {
  if (ROLE.test(name)) return rolesIn(resolveValue(value)).some((role) => ADMIN_ROLE.test(role))
  const known = constantOf(value)
  return FLAG.test(name) ? known === true || known === 1 : LOGIN.test(name) && ADMIN_LOGIN.test(String(known))
}

/** `'admin'`, `['admin']`, `Role.ADMIN`. */
function rolesIn(value: Value): readonly string[] {
  if ('items' in value) return value.items.flatMap((item) => rolesIn(resolveValue(item)))
  const known = constantOf(value)
  if (known !== undefined) return [String(known)]
  return 'object' in value && value.name !== undefined ? [value.name] : []
}

/** The text of a password, as it is or hashed: `'painting'`, `await bcrypt.hash('painting', 10)`, `process.env.FIRST_PASSWORD || 'painting'`. */
export function wordOf(value: Value, depth: number): Omit<KnownAdministrator, 'field'> | undefined {
  const made = resolveValue(value)
  if (depth > MAX_DEPTH) return undefined
  if (made.kind === 'await') return wordOf(made.value, depth + 1)
  if ('options' in made) {
    const own = made.options.flatMap((option) => wordOf(option, depth + 1) ?? [])[0]
    return own && { ...own, isFallback: true }
  }
  if ('callee' in made) {
    const isHash = made.args[0] !== undefined && HASHES.test(nameWithOwner(made.callee))
    return isHash && made.args[0] !== undefined ? wordOf(made.args[0], depth + 1) : undefined
  }
  if (made.kind !== 'literal' || typeof made.value !== 'string' || !/^[^<{$\s]{3,64}$/.test(made.value)) return undefined
  return { start: made.start + 1, end: made.end - 1, password: made.value, isFallback: false }
}
