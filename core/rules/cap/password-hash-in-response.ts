import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { isAccountPassword, isDeveloperFile, isOfUi5App, isPasswordHash } from '../../model/script/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { CALLER } from './_callers/looks-at-callers.ts'
import { isAnswer } from './_routes/route-answers.ts'
import { clientData } from './_rows/client-data.ts'
import { fieldPairs } from './_rows/column-pairs.ts'
import { createTableReader, passwordTables } from './_secrets/account-rows.ts'

/** Of one script: a model whose documents hold a password, what takes it out of all answers, or documents that a route sends whole. */
type AccountUse =
  | { readonly kind: 'model'; readonly model: string; readonly field: string; readonly isPlain?: boolean }
  | { readonly kind: 'hidden' }
  /** A code with which somebody sets a new password, as the documents hold it. */
  | { readonly kind: 'token'; readonly model: string; readonly field: string }
  /** The field that a route compares with what the client sends, as it is. */
  | { readonly kind: 'redeemed'; readonly model: string; readonly field: string }
  /** Rows of a table that a statement reads, as they are; the password that the same script reads of them. */
  | {
      readonly kind: 'rows'
      readonly at: Span
      readonly model: string
      readonly isAll: boolean
      readonly read: string | undefined
      /** Something in front of the route lets few callers pass. */
      readonly isForFew: boolean
    }
  | {
      readonly kind: 'sent'
      readonly at: Span
      readonly model: string
      readonly method: string
      /** The password that the same script reads from what it sends. */
      readonly read: string | undefined
      /** The code speaks of the caller or of administrators, or takes codes out of documents. */
      readonly isLimited: boolean
    }

const isPassword = (name: string): boolean => isAccountPassword(name) || isPasswordHash(name)
/** `resetToken`, `resetPassToken`, `passwordResetCode`, `forgotPasswordOtp`: the plain code of a mail. */
const RESETS =
  /^(?=.{0,40}(?:reset|forgot|recover))(?=.{0,40}(?:token|code|otp|key|pin)$)(?!.{0,40}(?:hash|digest))[a-z_]{5,40}$/i
const NAMES_PASSWORD = /passw|pwd|kennwort|senha|contrase|motdepasse|wachtwoord|heslo|haslo/i
/** A transformation of the schema, a scope or a decorator leaves fields out. Facts: Mongoose 8, `toJSON`; Sequelize 6, "Scopes"; class-transformer. */
const HIDES = /\btoJSON\b|\bdefaultScope\b|@Exclude\b|\bmongoose-hidden\b/
/** Facts: Mongoose 8, Model; Sequelize 6, "Model Querying – Finders". */
const FINDS = /^(?:find|findOne|findById|findAll|findByPk|findOneAndUpdate|findByIdAndUpdate)$/
const LISTS = /^(?:find|findAll)$/
const FINDS_MANY_WAYS = /\.find(?:One|ById|All|ByPk)?(?:AndUpdate)?\(/

const INSERTS = /\binsert\s{1,20}into\b/i
const SELECTS_ALL = /\bselect\s{1,20}\*\s{1,20}from\b/i

const accountUses: Extract<AccountUse> = defineExtract({
  name: 'cap-account-uses',
  keywords: ['.model(', '.define(', 'toJSON', 'defaultScope', '@Exclude', '.find', 'select', 'insert'],
  prefilter: (text) =>
    (NAMES_PASSWORD.test(text) && (/\.(?:model|define)\(/.test(text) || HIDES.test(text) || INSERTS.test(text))) ||
    (SELECTS_ALL.test(text) && /\.(?:json|send)\(/.test(text)) ||
    (FINDS_MANY_WAYS.test(text) && /\.(?:json|send)\(|reset|forgot|recover/i.test(text)),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    if (NAMES_PASSWORD.test(text) && HIDES.test(text)) yield { kind: 'hidden' }
    yield* accountModels(facts)
    if (NAMES_PASSWORD.test(text) && (INSERTS.test(text) || SELECTS_ALL.test(text)))
      for (const { table, column, isPlain } of passwordTables(facts, step))
        yield { kind: 'model', model: nameOfModel(table), field: column, isPlain }
    if (SELECTS_ALL.test(text)) yield* sentRows(facts, text, step)
    yield* redeemedTokens(facts, step)
    yield* sentDocuments(facts, text, step)
  },
})

/**
 * A route sends documents of users as they are read, and their model has a password.
 * Facts: Mongoose 8, "Documents" (`toJSON` holds all paths that the query selects) and `Query.prototype.select`; Sequelize 6, "Model Querying" (`attributes`).
 * Impact: hashes are tried out offline, and people use a password elsewhere too. A list has those of others; one document is mostly that of the caller.
 * A code with which a route sets a new password, and which documents hold as it is mailed, is the account: whoever reads it asks for a reset of any user first.
 */
export const passwordHashInResponse: Rule = defineRule({
  id: 'cap/password-hash-in-response',
  impact: 'data',
  confidence: 'medium',
  cwe: [200, 522],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  extracts: [accountUses],
  grades: {
    one: { impact: 'defence', reach: 'user', evidence: 'shown' },
    row: { impact: 'defence', reach: 'user', evidence: 'shown' },
    plainRow: { impact: 'defence', reach: 'user', evidence: 'shown' },
    tokens: { impact: 'takeover' },
  },
  on: 'project',

  *check({ scripts }): Generator<Match> {
    const uses = scripts.get(accountUses)
    if (uses.some(({ value }) => value.kind === 'hidden')) return
    const models = new Map(uses.flatMap(({ value }) => (value.kind === 'model' ? [[value.model, value.field] as const] : [])))
    const plain = new Set(uses.flatMap(({ value }) => (value.kind === 'model' && value.isPlain === true ? value.model : [])))
    const redeemed = new Set(uses.flatMap(({ value }) => (value.kind === 'redeemed' ? [`${value.model} ${value.field}`] : [])))
    const tokens = new Map(
      uses.flatMap(({ value }) =>
        value.kind === 'token' && redeemed.has(`${value.model} ${value.field}`) ? [[value.model, value.field] as const] : [],
      ),
    )
    for (const { file, value } of uses) {
      if (value.kind === 'rows') {
        const column = value.read ?? models.get(value.model)
        if (column !== undefined) yield matchOfRows(file, value, column, plain.has(value.model))
        continue
      }
      if (value.kind !== 'sent') continue
      const token = LISTS.test(value.method) && !value.isLimited ? tokens.get(value.model) : undefined
      if (token !== undefined) {
        const at = { file, span: value.at }
        yield { at, args: { field: token, method: value.method }, variant: 'tokens' }
        continue
      }
      const field = value.read ?? models.get(value.model)
      if (field === undefined) continue
      yield {
        at: { file, span: value.at },
        args: { field, method: value.method },
        ...(LISTS.test(value.method) ? { reach: 'user', evidence: 'assumed' } : { variant: 'one' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Password hash of users in a response',
      message: 'The response contains whole documents of {method}(), with their field "{field}".',
      why: 'Every user who may send the request gets the password hashes of other users, and can try out passwords on them offline.',
      fix: 'Select the fields that the client needs: .select("name mail") with Mongoose, attributes: ["name"] with Sequelize. Or set select: false for "{field}" in the schema.',
      variants: {
        tokens: {
          title: 'Password reset codes of users in a response',
          message:
            'The response contains whole documents of {method}(), with their field "{field}", by which a route of the project finds the account of a new password.',
          why: 'A caller requests a password reset for another user, reads the code here, and sets a new password for that account.',
          fix: 'Select the fields that the client needs: .select("name mail") with Mongoose, attributes: ["name"] with Sequelize. Set select: false for "{field}" in the schema, and store a hash of the code only.',
        },
        rows: {
          message: 'The response contains whole rows of the users, which SELECT * reads, with their column "{field}".',
          fix: 'Name the columns that the client needs in the statement instead of *, and leave "{field}" out.',
        },
        row: {
          message: 'The response contains the whole row of a user, which SELECT * reads, with its column "{field}".',
          why: 'Scripts injected into the page, browser extensions and caches can read the password hash and try out passwords on it offline.',
          fix: 'Name the columns that the client needs in the statement instead of *, and leave "{field}" out.',
        },
        plainRows: {
          title: 'Passwords of users in a response',
          message:
            'The response contains whole rows of the users, which SELECT * reads, with their passwords, unhashed, in "{field}".',
          why: 'Every user who may send the request gets the passwords of other users and can log in as them, here and wherever they use the same password.',
          fix: 'Name the columns that the client needs in the statement instead of *, and leave "{field}" out. Store a hash made by bcrypt or argon2 only.',
        },
        plainRow: {
          title: 'Password of a user in a response',
          message:
            'The response contains the whole row of a user, which SELECT * reads, with the password, unhashed, in "{field}".',
          why: 'Scripts injected into the page, browser extensions and caches can read the password, and log in with it here and wherever the user has the same one.',
          fix: 'Name the columns that the client needs in the statement instead of *, and leave "{field}" out. Store a hash made by bcrypt or argon2 only.',
        },
        one: {
          message: 'The response contains the whole document of {method}(), with its field "{field}".',
          why: 'Scripts injected into the page, browser extensions and caches can read the password hash and try out passwords on it offline.',
        },
      },
    },
    fr: {
      title: 'Hachage du mot de passe des utilisateurs dans une réponse',
      message: 'La réponse contient les documents entiers de {method}(), avec leur champ "{field}".',
      why: 'Tout utilisateur autorisé à envoyer la requête obtient les hachages des mots de passe d’autres utilisateurs et peut y essayer des mots de passe hors ligne.',
      fix: 'Sélectionnez les champs dont le client a besoin : .select("name mail") avec Mongoose, attributes: ["name"] avec Sequelize. Ou mettez select: false pour "{field}" dans le schéma.',
      variants: {
        tokens: {
          title: 'Codes de réinitialisation de mots de passe dans une réponse',
          message:
            'La réponse contient les documents entiers de {method}(), avec leur champ "{field}", par lequel une route du projet trouve le compte dont le mot de passe change.',
          why: 'Un appelant demande la réinitialisation du mot de passe d’un autre utilisateur, lit le code ici et fixe un nouveau mot de passe pour ce compte.',
          fix: 'Sélectionnez les champs dont le client a besoin : .select("name mail") avec Mongoose, attributes: ["name"] avec Sequelize. Mettez select: false pour "{field}" dans le schéma, et n’enregistrez qu’un hachage du code.',
        },
        rows: {
          message: 'La réponse contient les lignes entières des utilisateurs, lues par SELECT *, avec leur colonne "{field}".',
          fix: 'Nommez dans l’instruction les colonnes nécessaires au client au lieu de *, sans "{field}".',
        },
        row: {
          message: 'La réponse contient la ligne entière d’un utilisateur, lue par SELECT *, avec sa colonne "{field}".',
          why: 'Des scripts injectés dans la page, des extensions du navigateur et des caches peuvent lire le hachage et y essayer des mots de passe hors ligne.',
          fix: 'Nommez dans l’instruction les colonnes nécessaires au client au lieu de *, sans "{field}".',
        },
        plainRows: {
          title: 'Mots de passe d’utilisateurs dans une réponse',
          message:
            'La réponse contient les lignes entières des utilisateurs, lues par SELECT *, avec leurs mots de passe non hachés dans "{field}".',
          why: 'Tout utilisateur qui peut envoyer la requête obtient les mots de passe des autres et peut se connecter à leur place, ici et partout où ils utilisent le même.',
          fix: 'Nommez dans l’instruction les colonnes nécessaires au client au lieu de *, sans "{field}". N’enregistrez qu’un hachage produit par bcrypt ou argon2.',
        },
        plainRow: {
          title: 'Mot de passe d’un utilisateur dans une réponse',
          message:
            'La réponse contient la ligne entière d’un utilisateur, lue par SELECT *, avec le mot de passe non haché dans "{field}".',
          why: 'Des scripts injectés dans la page, des extensions du navigateur et des caches peuvent lire le mot de passe et s’en servir ici et partout où l’utilisateur a le même.',
          fix: 'Nommez dans l’instruction les colonnes nécessaires au client au lieu de *, sans "{field}". N’enregistrez qu’un hachage produit par bcrypt ou argon2.',
        },
        one: {
          message: 'La réponse contient le document entier de {method}(), avec son champ "{field}".',
          why: 'Des scripts injectés dans la page, des extensions du navigateur et des caches peuvent lire le hachage et y essayer des mots de passe hors ligne.',
        },
      },
    },
  }),
})

/** Rows of one table; one row is mostly that of the caller. */
function matchOfRows(
  file: string,
  { at, isAll, isForFew }: AccountUse & { kind: 'rows' },
  field: string,
  isPlain: boolean,
): Match {
  const own = { at: { file, span: at }, args: { field } }
  if (!isAll) return { ...own, variant: isPlain ? 'plainRow' : 'row' }
  return { ...own, variant: isPlain ? 'plainRows' : 'rows', reach: isForFew ? 'privileged' : 'user', evidence: 'assumed' }
}

/** `mongoose.model("User", new Schema({ password: String }))`, `sequelize.define("User", { password: … })`. */
function* accountModels({ calls }: ScriptFacts): Generator<AccountUse> {
  for (const { callee, args } of calls) {
    const [name, schema] = args
    if (!/^(?:model|define)$/.test(lastNameOf(callee) ?? '') || name === undefined || schema === undefined) continue
    const model = stringConstantOf(name)
    const made = resolveValue(schema)
    const columns = made.kind === 'new' ? made.args[0] && resolveValue(made.args[0]) : made
    if (model === undefined || columns?.kind !== 'object') continue
    for (const { key, value } of columns.fields) {
      const selected = fieldOf(resolveValue(value), 'select')?.value
      if (key === undefined || (selected !== undefined && constantOf(selected) === false)) continue
      if (isPassword(key)) yield { kind: 'model', model: nameOfModel(model), field: key }
      else if (RESETS.test(key)) yield { kind: 'token', model: nameOfModel(model), field: key }
    }
  }
}

/** `User`, `users` and `UserModel` are one. */
function nameOfModel(name: string): string {
  return name
    .toLowerCase()
    .replace(/_?model$/, '')
    .replace(/s$/, '')
}

/** `findOne({ resetToken: req.body.token })`: nothing hashes what the client sends, so the document holds the code itself. */
function* redeemedTokens({ calls }: ScriptFacts, step: (count?: number) => void): Generator<AccountUse> {
  for (const { callee, args } of calls) {
    step()
    if (!FINDS.test(lastNameOf(callee) ?? '')) continue
    for (const { column, value } of args.flatMap((given) => fieldPairs(given, step)))
      if (RESETS.test(column) && clientData(value) !== undefined && !isChanged(value))
        yield { kind: 'redeemed', model: modelOf(callee), field: column }
  }
}

/** `token = hash(token)` before the query. */
function isChanged(value: Value): boolean {
  return value.kind === 'reference' && (value.binding?.definitions.length ?? 0) > 1
}

function modelOf(callee: Value): string {
  return nameOfModel(callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : '')
}

/** In front of the handler of a route, or of all routes of a file: not every caller gets there. */
const FOR_FEW = /admin|role|permi|privileg|superuser|manager|authori[sz]e/i
const GUARDS = /\.use\([^\n]{0,120}(?:admin|role|permi|privileg|superuser|manager|authori[sz]e)/i

function* sentDocuments(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AccountUse> {
  const removes = [...facts.deletions.map(({ name }) => name), ...facts.assignments.map(({ target }) => target.name)]
  if (removes.some((name) => name !== undefined && isPassword(name))) return
  const takesOut = removes.some((name) => name !== undefined && RESETS.test(name))
  const isGuarded = GUARDS.test(text)
  const reads = new Map<unknown, string>()
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'member' || value.object.kind !== 'reference' || !isPassword(value.name ?? '')) continue
    reads.set(value.object.binding, value.name ?? '')
  }
  for (const call of facts.calls) {
    step()
    if (!isAnswer(call)) continue
    for (const part of call.args.flatMap((arg) => writtenParts(arg))) {
      const query = queryOf(part)
      if (query?.callee.kind !== 'member') continue
      const model = modelOf(query.callee)
      const read = part.kind === 'reference' && part.binding !== undefined ? reads.get(part.binding) : undefined
      const around = text.slice(call.function.start, call.function.end)
      // a method may be called `getUser`
      const isOfCaller = CALLER.test(around.slice(around.indexOf('(')))
      const isLimited = isOfCaller || takesOut || isGuarded || FOR_FEW.test(inFrontOf(call, text))
      const at = { start: part.start, end: part.end }
      yield { kind: 'sent', at, model, method: query.callee.name ?? '', read, isLimited }
    }
  }
}

/** `res.json(rows)` of `const [rows] = await pool.query('SELECT * FROM users')`, where nothing takes the password out. */
function* sentRows(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AccountUse> {
  const removes = [...facts.deletions.map(({ name }) => name), ...facts.assignments.map(({ target }) => target.name)]
  if (removes.some((name) => name !== undefined && isPassword(name))) return
  const rowsOf = createTableReader(facts)
  const isGuarded = GUARDS.test(text)
  const changed = changedLists(facts)
  const reads = new Map<string, string>()
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'member' || !isPassword(value.name ?? '')) continue
    const rows = rowsOf(value.object)
    if (rows !== undefined) reads.set(rows.table, value.name ?? '')
  }
  for (const call of facts.calls) {
    step()
    if (!isAnswer(call)) continue
    for (const part of call.args.flatMap((arg) => writtenParts(arg))) {
      const rows = rowsOf(part)
      if (rows === undefined || (part.kind === 'reference' && changed.has(part.binding))) continue
      const { start, end } = part
      const { table, isAll } = rows
      const isForFew = isGuarded || FOR_FEW.test(inFrontOf(call, text))
      yield { kind: 'rows', at: { start, end }, model: nameOfModel(table), isAll, read: reads.get(table), isForFew }
    }
  }
}

/** What stands on the line in front of the function around a call: other handlers of its route. */
function inFrontOf({ function: { start } }: CallValue, text: string): string {
  return text.slice(text.lastIndexOf('\n', start) + 1, start)
}

/** `rows.forEach(clean)`: a function of another file may take the password out of each. */
function changedLists({ calls }: ScriptFacts): ReadonlySet<unknown> {
  return new Set(
    calls.flatMap(({ callee, args: [each] }) => {
      const isChanged = callee.kind === 'member' && callee.name === 'forEach' && functionOf(each) === undefined
      return isChanged && callee.object.kind === 'reference' ? [callee.object.binding] : []
    }),
  )
}

/** Methods of a query that leave its fields as they are. */
const KEEPS_FIELDS = /^(?:lean|exec|sort|limit|skip|populate|where|setOptions)$/
const MAX_CHAIN = 8

/** The query that reads whole documents; undefined: a projection or `attributes` may choose fields. */
function queryOf(part: Value): CallValue | undefined {
  let value = resolveValue(part)
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (value.kind === 'await') value = resolveValue(value.value)
    if (value.kind !== 'call' || value.callee.kind !== 'member') return undefined
    const { name = '', object } = value.callee
    if (FINDS.test(name)) return choosesFields(name, value) ? undefined : value
    if (!KEEPS_FIELDS.test(name)) return undefined
    value = resolveValue(object)
  }
  return undefined
}

function choosesFields(name: string, { args }: CallValue): boolean {
  // a projection, options or a callback: `find(filter, "name")`
  if (args.length > (name.endsWith('AndUpdate') ? 2 : 1)) {
    const last = args.at(-1)
    const options = last && resolveValue(last)
    const isPlain =
      options?.kind === 'object' &&
      options.fields.every(({ key }) => key !== undefined && /^(?:new|upsert|raw|returnDocument)$/.test(key))
    if (!isPlain) return true
  }
  const first = args[0] && resolveValue(args[0])
  if (first === undefined || name === 'findById' || name === 'findByPk') return false
  if (first.kind !== 'object') return name === 'findAll' || first.kind === 'function'
  return first.fields.some(({ key }) => key === undefined || /^(?:attributes|select)$/.test(key))
}
