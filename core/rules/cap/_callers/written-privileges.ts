import {
  accessesOf,
  constantOf,
  createCodeReader,
  excerptOf,
  findPart,
  functionAround,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ImportedName,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createAllowedReader } from '../../../flow/index.ts'
import { append } from '../../../lists.ts'
import { isContextRoot, isDeployedCode, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { moduleOf } from './handed-apps.ts'
import { createPrivilegedListReader } from './privileged-lists.ts'
import { signedUpPrivileges } from './signed-up-users.ts'
import { writtenColumns } from '../_rows/written-columns.ts'

/** A role that a function writes as the client sends it. */
export interface WrittenPrivilege extends Span {
  readonly field: string
  readonly part: string
  /** Where people register. */
  readonly isSignUp: boolean
  readonly isShown: boolean
  /** The class of the rows, if a file of the project exports it. */
  readonly model: ImportedName | undefined
}

export const writtenPrivileges: Extract<WrittenPrivilege> = defineExtract({
  name: 'cap-written-privileges',
  keywords: [
    'role',
    'Role',
    'isAdmin',
    'is_admin',
    'uperAdmin',
    'uper_admin',
    'SUPERADMIN',
    'SUPER_ADMIN',
    'permissions',
    'privileges',
  ],
  prefilter: (text) =>
    (/\bbody\b/.test(text) && WRITES_ANYWHERE.test(text)) || (text.includes('.entries(') && SIGNS_UP.test(text)),
  isFor: (path) => isDeployedCode(path) && !/admin/i.test(path),
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) return
    const isAllowed = createAllowedReader(facts, step)
    const isOneOfPrivileged = createPrivilegedListReader(facts, step)
    const isChecked = (value: Value, { start }: Span, around: FunctionFact): boolean => {
      const made = resolveValue(value)
      const options = 'options' in made ? made.options : [value]
      return isAllowed(value, start) && !options.some((option) => isOneOfPrivileged(option, around))
    }
    const isGuarded = createGuardReader(facts, text, step)
    const asks = createCodeReader(text, asksForRight)
    const passes = createCodeReader(text, letsOwnerPass)
    const told = new Set<number>()
    for (const { at, model, around, written } of writesOf(facts)) {
      step(facts.calls.length)
      for (const { name, value, start, end } of written) {
        if (told.has(start) || isChecked(value, at, around)) continue
        // the field itself is no check: where all of the code is none either, it need not be left out
        const mayAsk = asks(around) || passes(around)
        if (mayAsk) step((around.end - around.start) >> 6)
        const rest = mayAsk ? textWithout(text, around, { start, end }) : ''
        if (asksForRight(rest) || isGuarded(around)) continue
        told.add(start)
        const [field, part] = [name, excerptOf(text, value)]
        yield { start, end, field, part, model, isSignUp: false, isShown: letsOwnerPass(rest) }
      }
    }
    for (const { name, value, call, around, start, end } of signedUpPrivileges(facts, text, PRIVILEGES, step)) {
      if (isChecked(value, call, around) || asks(around)) continue
      const [field, part] = [name, excerptOf(text, value)]
      // a role may be one of ordinary users
      yield { start, end, field, part, model: undefined, isSignUp: true, isShown: /admin|super/i.test(name) }
    }
  },
})

interface Write {
  readonly at: Span
  /** The class that validates the row. */
  readonly model: ImportedName | undefined
  readonly around: FunctionFact
  readonly written: readonly Privilege[]
}

function* writesOf(facts: ScriptFacts): Generator<Write> {
  const aroundOf = ({ start }: Span): FunctionFact | undefined => {
    const around = functionAround(facts, start)
    return around === undefined || /admin/i.test(around.name) ? undefined : around
  }
  for (const call of facts.calls) {
    const written = isWrite(call) || keepsRow(call) ? privilegesIn(call) : columnsIn(call)
    const around = written.length === 0 ? undefined : aroundOf(call)
    if (around !== undefined) yield { at: call, model: isCreating(call) ? modelOf(call) : undefined, around, written }
  }
  for (const { target, operator, value, start, end } of facts.assignments) {
    const name = target.name ?? ''
    if (operator !== '=' || !PRIVILEGES.test(name) || !isOfBody(value)) continue
    const row = documentOf(target.object)
    const around = row === undefined ? undefined : aroundOf(target)
    // save() validates what is changed, too
    if (row !== undefined && around !== undefined)
      yield { at: target, model: modelOf(row), around, written: [{ name, value, start, end }] }
  }
}

/** What validates rows by the schema of their class. Fact: Mongoose 8, "Update Validators": updates do so where they are told alone. */
function isCreating({ callee, kind }: CallValue): boolean {
  return kind === 'new' || /^(?:create|insertMany|build|bulkCreate|findOrCreate)$/.test(lastNameOf(callee) ?? '')
}

/** `User.create(…)`, `new User(…)` of `./models/user`. */
export function modelOf({ callee, kind }: CallValue): ImportedName | undefined {
  return kind === 'new' ? moduleOf(callee) : 'object' in callee ? moduleOf(callee.object) : undefined
}

/** Operations of CAP by which people register. */
const SIGNS_UP = /['"`](?:\w{0,5}sign_?up|\w{0,5}_?regist)\w{0,20}['"`]/i
/** Methods that keep what they are given. Facts: as above; MongoDB 6, Collection. */
const WRITES =
  /^(?:create|insertOne|insertMany|update|updateOne|updateMany|upsert|findByIdAndUpdate|findOneAndUpdate|findOrCreate|replaceOne|build|bulkCreate)$/
export const WRITES_ANYWHERE: RegExp =
  /\b(?:create|insert\w{0,5}|update\w{0,5}|upsert|find\w{2,6}AndUpdate|findOrCreate|replaceOne|build|bulkCreate|new|save|INSERT|UPDATE|setCustomUserClaims)\b|\.(?:add|set|push)\s?\(|\b(?:UPDATE|update)\s{1,20}[\w."`]/
/** Classes of users: `new User({ role })`. */
const ACCOUNTS = /^(?:\w{0,20}(?:User|Account|Member|Employee|Admin))$/
/** What gives its owner rights. */
export const PRIVILEGES: RegExp =
  /^(?:(?:user|account)?_?roles?(?:_?(?:id|name|code))?|is_?admin|(?:is_?)?super_?(?:user|admin)|power_?user|permissions|privileges|authorities|access_?level)$/i
/** What a function looks at that knows the rights of its caller. */
const CHECKS =
  /\b(?:checkLocalScope|checkScope|hasRole|requireRole|isAdmin\(|authInfo|hasPermission|authorize)\b|\.is\(|\b(?:user|session|auth|token|decoded|payload|caller|currentUser)\??\.\w{0,20}(?:[rR]ole|[aA]dmin|[pP]ermission|scope)/

/** `user.role !== 'admin' && user.id !== req.params.id`: refused is only who is neither; the owner of the row goes on. */
const OR_OWNER =
  /\w{0,20}[rR]ole\s{0,5}!==?\s{0,5}["'`][^"'`\n]{1,40}["'`]\s{0,10}&&[^&|()\n]{0,80}[iI][dD]\s{0,5}!==?|[iI][dD]\s{0,5}!==?[^&|()\n]{0,80}&&[^&|()\n]{0,80}[rR]ole\s{0,5}!==?/g

function letsOwnerPass(text: string): boolean {
  return text.replaceAll(OR_OWNER, '').length < text.length
}

export function asksForRight(text: string): boolean {
  return CHECKS.test(text.replaceAll(OR_OWNER, ''))
}

const REGISTERS = /^(?:all|post|put|patch|delete|get|use)$/
/** Middleware by its name: `requireRole('admin')`, `isAdmin`, `authorize(['admin'])`. */
const GATES =
  /\b(?:require|check|has|is|only|need|verify|ensure|validate|allow|restrict|permit)\w{0,20}(?:role|admin|permission|privilege|scope)s?\b|\b(?:authori[sz]e|restrictTo|admin|adminOnly)\b/i

/** Whether each call that registers a function puts one that asks for a right in front of it: `router.post('/users', requireRole('admin'), add)`. */
export function createGuardReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (around: FunctionFact) => boolean {
  let registered: Map<FunctionFact, Registration[]> | undefined
  let guarded: ReadonlyMap<string, number> | undefined
  const known = new Map<FunctionFact, boolean>()
  const isGuarded = (one: FunctionFact): boolean => {
    registered ??= registrations(facts, step)
    guarded ??= guardedFrom(facts, text, step)
    const before = known.get(one)
    if (before !== undefined) return before
    const found = registered.get(one) ?? []
    const answer =
      found.length > 0 &&
      found.every(({ start, end, router }) => {
        step(1 + ((end - start) >> 6))
        const from = router === undefined ? undefined : guarded?.get(router)
        return (from !== undefined && from <= start) || isGate(text.slice(start, end))
      })
    known.set(one, answer)
    return answer
  }
  return (around) => {
    for (let here: FunctionFact | undefined = around; here !== undefined; here = here.parent) {
      step()
      if (isGuarded(here)) return true
    }
    return false
  }
}

function isGate(code: string): boolean {
  return GATES.test(code) || asksForRight(code)
}

/** Behind which offset every request of a router, by its name, has passed `router.use(requireAdmin)`. Fact: Express 5, "Using middleware" (what is registered first runs first). */
function guardedFrom({ calls }: ScriptFacts, text: string, step: (count?: number) => void): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { callee, args, end } of calls) {
    step()
    const router = 'object' in callee && callee.name === 'use' ? lastNameOf(callee.object) : undefined
    const [first] = args
    if (router === undefined || first === undefined || typeof constantOf(first) === 'string') continue
    const fronts = args.filter((given) => functionOf(given) === undefined)
    if (fronts.some((given) => isGate(text.slice(given.start, given.end))))
      found.set(router, Math.min(end, found.get(router) ?? end))
  }
  return found
}

/** What stands in front of a handler, and the name of the router. */
interface Registration extends Span {
  readonly router: string | undefined
}

/** What stands in front of the handlers of routes, without the path. */
function registrations({ calls }: ScriptFacts, step: (count?: number) => void): Map<FunctionFact, Registration[]> {
  const found = new Map<FunctionFact, Registration[]>()
  for (const { callee, args } of calls) {
    step(1 + args.length)
    const [first] = args
    if (first === undefined || callee.kind !== 'member' || !REGISTERS.test(callee.name ?? '')) continue
    const from = typeof constantOf(first) === 'string' ? first.end : first.start
    const router = lastNameOf(callee.object)
    for (const given of args) {
      // asyncHandler(async (req, res) => …)
      const handler = functionOf(given) ?? (given.kind === 'call' ? functionOf(given.args.at(-1)) : undefined)
      if (handler !== undefined) append(found, handler, { start: Math.min(from, given.start), end: given.start, router })
    }
  }
  return found
}

/** Methods that keep a row, by what gives their object; an empty pattern: whatever it is. */
const KEEPS: readonly (readonly [method: RegExp, of: RegExp])[] = [
  // knex 3, @supabase/supabase-js 2; the claims that Firebase puts into the tokens of a user (firebase-admin 13)
  [/^(?:insert|setCustomUserClaims)$/, /^/],
  // drizzle-orm 0.38: db.insert(users).values(row), db.update(users).set(row); TypeORM 0.3: the same of a query builder
  [/^values$/, /^(?:insert|into)$/],
  [/^set$/, /^(?:update|UPDATE|doc|ref|child)$/],
  // Firestore: collection('users').add(row), doc(id).set(row); the Realtime Database: ref('users').push(row)
  [/^add$/, /^collection$/],
  [/^push$/, /^(?:ref|child)$/],
  // capire, "Querying": INSERT.into(Users).entries(row), UPDATE(Users).with(row)
  [/^entries$/, /^(?:into|INSERT|UPSERT)$/],
  [/^(?:with|data)$/, /^(?:UPDATE|entity)$/],
]

/** `db.insert(users).values(row)`: a method that keeps a row because of what it is called on. */
function keepsRow({ callee, kind }: CallValue): boolean {
  if (kind === 'new' || callee.kind !== 'member') return false
  const { name = '', object } = callee
  const of = 'callee' in object ? (lastNameOf(object.callee) ?? '') : ''
  // passport-local-mongoose 8: User.register(new User(row), password)
  if (name === 'register') return ACCOUNTS.test(lastNameOf(object) ?? '')
  return KEEPS.some(([method, giver]) => method.test(name) && giver.test(of))
}

/** Calls that give a row as an object whose `save()` stores its fields. Facts: Mongoose 8 ("Documents"), Sequelize 6 ("Model Instances"), TypeORM 0.3 ("Repository APIs"). */
const GIVES_DOCUMENT = /^(?:findOne|findById|findByPk|findOneBy|findOneOrFail|findOneByOrFail|findOrFail|find|findFirst)$/

/** `new User()`, `await User.findById(id)` behind a name: what gives the object whose fields are set. */
export function documentOf(object: Value): CallValue | undefined {
  const made = resolveValue(object)
  const call = made.kind === 'await' ? resolveValue(made.value) : made
  if (!('callee' in call) || made === object) return undefined
  const name = lastNameOf(call.callee) ?? ''
  return (call.kind === 'new' ? ACCOUNTS : GIVES_DOCUMENT).test(name) ? call : undefined
}

export function isWrite({ callee, kind }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (kind === 'new') return ACCOUNTS.test(name)
  return 'object' in callee && WRITES.test(name) && !/^(?:Object|hash|hmac)$/.test(lastNameOf(callee.object) ?? '')
}

interface Privilege {
  readonly name: string
  readonly value: Value
  readonly start: number
  readonly end: number
}

/** Columns that statements write with what the client sends. */
function columnsIn(call: CallValue): readonly Privilege[] {
  return writtenColumns(call).flatMap(({ name, value }) =>
    PRIVILEGES.test(name) && isOfBody(value) ? [{ name, value, start: value.start, end: value.end }] : [],
  )
}

const MAX_DEPTH = 3

function privilegesIn({ args }: CallValue): readonly Privilege[] {
  const within = (value: Value, depth: number): readonly Privilege[] => {
    const made = resolveValue(value)
    if (depth > MAX_DEPTH) return []
    if (made.kind === 'array') return made.items.flatMap((item) => within(item, depth + 1))
    if (made.kind !== 'object' || isOfConversation(made)) return []
    return made.fields.flatMap(({ key, value: given, start, end }) => {
      // what rows are chosen by is not written
      if (key === undefined || key === 'where') return []
      if (PRIVILEGES.test(key) && isOfBody(given)) return [{ name: key, value: given, start, end }]
      return within(given, depth + 1)
    })
  }
  return args.flatMap((given) => within(given, 0))
}

/** `{ role, content }`: who says a sentence of a conversation, as language models take them. */
function isOfConversation({ fields }: ObjectValue): boolean {
  return fields.some(({ key }) => key === 'role') && fields.some(({ key = '' }) => /^(?:content|parts)$/.test(key))
}

/** `req.body.role`, under whatever name, or what stands for it. */
function isOfBody(value: Value): boolean {
  const made = resolveValue(value)
  const parts = made.kind === 'choice' ? made.options : [value]
  return parts.some((part) => findPart(part, isBodyItself) !== undefined)
}

function isBodyItself(part: Value): boolean {
  return (
    'name' in part &&
    accessesOf(part).some(
      ({ root, steps }) => isContextRoot(root) && steps[steps[0] === 'request' ? 1 : 0] === 'body' && steps.length >= 2,
    )
  )
}

function textWithout(
  text: string,
  around: { readonly start: number; readonly end: number },
  field: { readonly start: number; readonly end: number },
): string {
  return text.slice(around.start, field.start) + text.slice(field.end, around.end)
}
