import { nameWithOwner, receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  constantOf,
  excerptOf,
  fieldOf,
  findPart,
  keyOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
} from '../../facts/index.ts'
import { statementOf } from '../../flow/index.ts'
import { quoteWord } from '../../quote.ts'
import { ACCOUNT_PASSWORD_KEYWORDS, createDevelopmentReader, isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { encryptedPasswords, MAY_DECRYPT } from './_secrets/encrypted-passwords.ts'
import { ownLoads } from './_callers/known-administrators.ts'
import { plainPasswordsOfJava } from './_java/plain-passwords.ts'
import { hashedOnce, rowHandlers } from './_secrets/hashed-once.ts'
import { ACCOUNT, insertedPasswords, isWord, knownPasswords } from './_secrets/inserted-passwords.ts'
import {
  ASKS,
  comparedPasswords,
  comparisons,
  createSentReader,
  fieldsIn,
  isPassword,
  type PlainPassword,
  type SentReader,
} from './_secrets/plain-comparisons.ts'
import { callsByFunction, createRequestReader } from './_xs/statements.ts'
import { hashingScripts, seededPasswords } from './_secrets/seeded-passwords.ts'
import { storedAccounts } from './_secrets/table-passwords.ts'
import { writtenColumns } from './_rows/written-columns.ts'

/**
 * Passwords of users that are kept as they are: one that the client sends is compared with what is stored, is a condition on it, or is stored itself.
 * Facts: OWASP Password Storage Cheat Sheet; Node.js 24, "Crypto" (`scrypt`, `timingSafeEqual`).
 * The same of Java: compared with a row, asked for in a query, or given to a procedure of the project that keeps it.
 * A password in the code that a statement writes as it is opens the account to whoever reads the code.
 * Impact: whoever reads the database, a backup or a dump logs in as any of its users, there and where they have the same password.
 */
export const passwordPlainText: Rule = defineRule({
  id: 'cap/password-plain-text',
  impact: 'takeover',
  reach: 'privileged',
  // the usage of its file does not count; whether the statement has been run is not in the project
  grades: {
    constant: { reach: 'anyone', evidence: 'assumed', usage: 'deployed' },
    // who may read the code is not in the project
    middleware: { impact: 'data', reach: 'anyone', evidence: 'assumed' },
  },
  confidence: 'medium',
  cwe: [256, 257, 798],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  keywords: [...ACCOUNT_PASSWORD_KEYWORDS, 'basic-auth'],
  prefilter: (text) =>
    text.includes('basic-auth') ||
    MAY_DECRYPT.test(text) ||
    (COMPARED_OR_KEPT.test(text) && /\b(?:body|data|req|request)\b|\binsert\s{1,5}into\b/i.test(text)),
  extracts: [rowHandlers, insertedPasswords, comparedPasswords, ownLoads, storedAccounts, hashingScripts],
  yieldsTo: ['cap/known-administrator', 'secrets/generic-password', 'secrets/generic-secret'],
  checks: {
    *'cap-root'(root) {
      yield* hashedOnce(root)
      yield* seededPasswords(root)
    },

    *project(project) {
      yield* plainPasswordsOfJava(project)
      const { scripts } = project
      for (const { file, value } of knownPasswords(scripts)) {
        const { start, end, column, password } = value
        yield {
          at: { file, span: { start, end } },
          args: { stored: quoteWord(column), sent: '' },
          secret: password,
          variant: 'constant',
        }
      }
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isDeveloperFile(path) || isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      const isSent = createSentReader(facts)
      const isOfXs = createRequestReader(callsByFunction(facts), (count) => budget.step(count))
      const stored = [
        ...conditionsAndRows(facts, isSent),
        ...facts.calls.flatMap((call) => [...ofPrepared(call, isSent, isOfXs)]),
      ]
      for (const found of [...comparisons(facts, isSent), ...stored, ...encryptedPasswords(facts), ...guardingPasswords(facts)]) {
        budget.step()
        if (isForDevelopers(found)) continue
        const { start, end, variant, name, value } = found
        const secret = variant === 'constant' || variant === 'middleware' ? constantOf(value) : undefined
        yield {
          at: { file: path, span: { start, end } },
          args: { stored: quoteWord(name), sent: secret === undefined ? quoteWord(excerptOf(text, value)) : '' },
          ...(typeof secret === 'string' && { secret }),
          ...(variant !== undefined && { variant }),
          ...(variant === 'encrypted' && { groupKey: `${path} encrypted` }),
          // whether rows are left that nobody has logged in to since is not in the project
          ...(variant === undefined && isHashedNext(found, facts) && { evidence: 'assumed' as const }),
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Passwords stored in plain text',
      message: 'The stored {stored} is compared with {sent} from the request as it is: the password is kept unhashed.',
      why: 'An attacker with a copy of the data, such as a backup, can log in as any of these users, here and wherever they have the same password.',
      fix: 'Store crypto.scryptSync(password, salt, 64) with its own salt = crypto.randomBytes(16), and compare with crypto.timingSafeEqual. Or use bcrypt.hash and bcrypt.compare. Replace the stored passwords.',
      variants: {
        condition: {
          message: 'This query looks for a row whose {stored} equals {sent} from the request: the password is kept unhashed.',
        },
        stored: {
          message: '{sent} from the request is written into {stored} as it is: the password is kept unhashed.',
          fix: 'Hash it first: store crypto.scryptSync(password, salt, 64) with its own salt = crypto.randomBytes(16), or await bcrypt.hash(password, 12). Replace the passwords that are stored already.',
        },
        once: {
          title: 'Password hashed only when a user is created',
          message:
            '{sent} is hashed before CREATE only: clients can send {stored} with UPDATE as well, which stores it unhashed.',
          fix: "Register the handler for both events: srv.before(['CREATE', 'UPDATE'], …). Or annotate the element with @Core.Immutable and change it by an action that hashes it. Replace the passwords stored unhashed.",
        },
        seeded: {
          message: 'The initial data in {sent} fills {stored} with passwords as they are: they are kept unhashed.',
          fix: 'Hash them: let handlers store crypto.scryptSync(password, salt, 64) with its own salt = crypto.randomBytes(16), or await bcrypt.hash(password, 12), compare with crypto.timingSafeEqual, and remove the accounts from the initial data.',
        },
        xs: {
          message: 'The statement of this script compares {stored} with {sent} from the request: the password is kept unhashed.',
          fix: 'Let the platform log users in: set "authentication": [{ "method": "Form" }] in .xsaccess, read the user with $.session.getUsername(), and drop the column of passwords.',
        },
        java: {
          message:
            'The stored {stored} is compared with {sent} as it is, and the Java code makes no hash of it: the password is kept unhashed.',
          fix: 'Store new BCryptPasswordEncoder().encode(password) of Spring Security, find the row by the name alone, and compare with matches(password, stored). Replace the stored passwords.',
        },
        javaQuery: {
          message:
            'This query compares {stored} with its parameter as it is, and the Java code makes no hash: the password is kept unhashed.',
          fix: 'Store new BCryptPasswordEncoder().encode(password) of Spring Security, find the row by the name alone, and compare with matches(password, stored). Replace the stored passwords.',
        },
        procedure: {
          message:
            'The procedure {procedure} uses {sent} as it is for the column {stored}, and the Java code that calls it makes no hash: the password is kept unhashed.',
          fix: 'Hash in Java: give the procedure new BCryptPasswordEncoder().encode(password) of Spring Security, let it return the stored hash, and compare with matches(password, stored). Replace the stored passwords.',
        },
        encrypted: {
          title: 'Passwords encrypted instead of hashed',
          message: 'The stored {stored} is decrypted and compared with {sent}: passwords of users are encrypted, not hashed.',
          why: 'An attacker with a copy of the data and the key, which the server holds, reads the passwords of all users and logs in with them, here and wherever they use them.',
        },
        middleware: {
          title: 'Basic authentication with a password in the code',
          message: 'The user name and the password that this middleware accepts are constants in the code.',
          why: 'An attacker who reads the code, or guesses such values, passes the login of this server; all its users share one account that nobody can lock or trace.',
          fix: 'Replace the middleware with passport.authenticate("JWT", { session: false }) and the XssecPassportStrategy of @sap/xssec. Where basic authentication must stay, read the password from the environment, and change it.',
        },
        constant: {
          title: 'Account created with a password in the code',
          message: 'This statement creates an account whose {stored} is a constant in the code, and stores it unhashed.',
          why: 'An attacker who can read the code logs in to every installation where the statement has been run and the password has not been changed.',
          fix: 'Read the first password from the environment or generate it, store its hash only, and change the password of accounts that exist already.',
        },
      },
    },
    fr: {
      title: 'Mots de passe stockés en clair',
      message: '{stored}, lu dans les données, est comparé tel quel à {sent} de la requête : le mot de passe n’est pas haché.',
      why: 'Un attaquant muni d’une copie des données, par exemple d’une sauvegarde, peut se connecter au nom de ces utilisateurs, ici et partout où ils ont le même mot de passe.',
      fix: 'Stockez crypto.scryptSync(password, salt, 64) avec son propre salt = crypto.randomBytes(16), et comparez avec crypto.timingSafeEqual. Ou utilisez bcrypt.hash et bcrypt.compare. Remplacez les mots de passe stockés.',
      variants: {
        condition: {
          message:
            'Cette requête cherche une ligne dont {stored} est égal à {sent}, fourni par le client : le mot de passe n’est pas haché.',
        },
        stored: {
          message: '{sent}, fourni par le client, est écrit tel quel dans {stored} : le mot de passe n’est pas haché.',
          fix: 'Hachez-le d’abord : stockez crypto.scryptSync(password, salt, 64) avec son propre salt = crypto.randomBytes(16), ou await bcrypt.hash(password, 12). Remplacez les mots de passe déjà stockés.',
        },
        once: {
          title: 'Mot de passe haché seulement à la création',
          message:
            '{sent} n’est haché qu’avant CREATE : un client peut aussi envoyer {stored} par UPDATE, et la valeur est stockée sans être hachée.',
          fix: "Enregistrez le gestionnaire pour les deux événements : srv.before(['CREATE', 'UPDATE'], …). Ou annotez l’élément avec @Core.Immutable et modifiez-le par une action qui le hache. Remplacez les mots de passe stockés en clair.",
        },
        seeded: {
          message:
            'Les données initiales de {sent} remplissent {stored} avec des mots de passe en clair : ils sont conservés sans hachage.',
          fix: 'Hachez-les : stockez dans les gestionnaires crypto.scryptSync(password, salt, 64) avec un sel propre salt = crypto.randomBytes(16), ou await bcrypt.hash(password, 12), comparez avec crypto.timingSafeEqual, et retirez les comptes des données initiales.',
        },
        xs: {
          message:
            'L’instruction de ce script compare {stored} à {sent}, fourni par le client : le mot de passe n’est pas haché.',
          fix: 'Confiez la connexion à la plateforme : définissez "authentication": [{ "method": "Form" }] dans .xsaccess, lisez l’utilisateur par $.session.getUsername() et supprimez la colonne des mots de passe.',
        },
        java: {
          message:
            '{stored}, lu dans les données, est comparé tel quel à {sent}, et le code Java ne hache rien : le mot de passe est conservé en clair.',
          fix: 'Stockez new BCryptPasswordEncoder().encode(password) de Spring Security, cherchez la ligne par le seul nom et comparez avec matches(password, stored). Remplacez les mots de passe stockés.',
        },
        javaQuery: {
          message:
            'Cette requête compare {stored} tel quel à son paramètre, et le code Java ne hache rien : le mot de passe est conservé en clair.',
          fix: 'Stockez new BCryptPasswordEncoder().encode(password) de Spring Security, cherchez la ligne par le seul nom et comparez avec matches(password, stored). Remplacez les mots de passe stockés.',
        },
        procedure: {
          message:
            'La procédure {procedure} utilise {sent} tel quel pour la colonne {stored}, et le code Java qui l’appelle ne hache rien : le mot de passe est conservé en clair.',
          fix: 'Hachez en Java : transmettez à la procédure new BCryptPasswordEncoder().encode(password) de Spring Security, faites-lui rendre l’empreinte stockée et comparez avec matches(password, stored). Remplacez les mots de passe stockés.',
        },
        encrypted: {
          title: 'Mots de passe chiffrés au lieu d’être hachés',
          message:
            '{stored}, lu dans les données, est déchiffré et comparé à {sent} : les mots de passe des utilisateurs sont chiffrés, pas hachés.',
          why: 'Un attaquant muni d’une copie des données et de la clé, que le serveur détient, lit les mots de passe de tous les utilisateurs et se connecte avec eux, ici et partout où ils servent.',
        },
        middleware: {
          title: 'Authentification Basic avec un mot de passe écrit dans le code',
          message: 'Le nom d’utilisateur et le mot de passe que ce middleware accepte sont des constantes du code.',
          why: 'Un attaquant qui lit le code, ou devine de telles valeurs, franchit l’authentification de ce serveur ; tous ses utilisateurs partagent un compte que personne ne peut bloquer ni tracer.',
          fix: 'Remplacez le middleware par passport.authenticate("JWT", { session: false }) et la XssecPassportStrategy de @sap/xssec. Si l’authentification Basic doit rester, lisez le mot de passe dans l’environnement et changez-le.',
        },
        constant: {
          title: 'Compte créé avec un mot de passe écrit dans le code',
          message: 'Cette instruction crée un compte dont {stored} est une constante du code, et le stocke sans le hacher.',
          why: 'Un attaquant qui peut lire le code se connecte à toute installation où l’instruction a été exécutée sans que le mot de passe ait été changé.',
          fix: 'Lisez le premier mot de passe dans l’environnement ou générez-le, stockez seulement son empreinte, et changez le mot de passe des comptes existants.',
        },
      },
    },
  }),
})

const COMPARED_OR_KEPT =
  /(?:passw(?:or)?[dt]|pwd|kennwort|senha|contrase[nñ]i?a|motdepasse|wachtwoord|heslo|haslo)["'`\])]{0,2}\s{0,5}(?:[!=]==?|=\s{0,3}(?:\?|\$\d|:))|[!=]==?\s{0,5}[\w.?]{0,60}(?:passw(?:or)?[dt]|pwd|kennwort|senha|contrase[nñ]i?a|motdepasse|wachtwoord|heslo|haslo)(?!\w)|\b(?:insert|where|entries|find|findOne|findFirst)\b/i

/** `if (row.password === password) await save(row.ID, await bcrypt.hash(password, 12))`: a login replaces what was stored before passwords were hashed. */
function isHashedNext({ end, value }: PlainPassword, { calls }: ScriptFacts): boolean {
  const key = keyOf(value)
  const within = calls.filter((call) => call.start >= end && HASHES.test(nameWithOwner(call.callee)))
  return within.some(({ function: around, args: [first] }) => {
    const isSameRun = around.start < value.start && end < around.end && around.kind !== 'file'
    return isSameRun && first !== undefined && key !== undefined && keyOf(first) === key
  })
}

/** `bcrypt.hash`, `argon2.hash`, `hashPassword`. */
const HASHES = /(?:^|[^\w])hash(?:Sync)?$|hash_?pass\w{0,10}$|scrypt(?:Sync)?$|pbkdf2(?:Sync)?$/i

const KEEPS = /^(?:entries|insertOne|into)$/
function* conditionsAndRows(facts: ScriptFacts, isSent: SentReader): Generator<PlainPassword> {
  for (const call of facts.calls) {
    yield* ofStatement(call, isSent)
    const method = lastNameOf(call.callee) ?? ''
    const variant = ASKS.test(method) ? 'condition' : KEEPS.test(method) ? 'stored' : undefined
    if (variant === undefined || !('object' in call.callee)) continue
    for (const { key, value, start, end } of call.args.flatMap((given) => fieldsIn(given)))
      if (isPassword(key) && isSent(value)) yield { start, end, variant, name: key, value }
  }
}

/** `INSERT INTO members (…, password) VALUES (?, ?)`, `WHERE name = ? AND password = ?`. */
function* ofStatement(call: CallValue, isSent: SentReader): Generator<PlainPassword> {
  const columns = writtenColumns(call)
  const makesAccount = columns.length > 1 && columns.some(({ name }) => ACCOUNT.test(name))
  for (const { name, value } of columns)
    if (isPassword(name) && makesAccount && isWord(value)) {
      const { start, end } = value
      yield { start: start + 1, end: end - 1, variant: 'constant', name, value }
    } else if (isPassword(name) && isSent(value)) yield { start: value.start, end: value.end, variant: 'stored', name, value }
  const sent = statementOf(call)
  const name = sent && ASKED_COLUMN.exec(sent.text)?.[1]
  if (name === undefined) return
  const given = sent?.given.flatMap((value) => {
    const made = resolveValue(value)
    return made.kind === 'array' ? made.items : [value]
  })
  const value = given?.find(isSent)
  if (value !== undefined) yield { start: value.start, end: value.end, variant: 'condition', name, value }
}

/** `statement = connection.prepareStatement('… WHERE NAME = ? AND PASSWORD = ?')`, `statement.setString(2, password)`. Fact: SAP HANA XS JavaScript API Reference, $.db.PreparedStatement. */
function* ofPrepared(call: CallValue, isSent: SentReader, isOfXs: SentReader): Generator<PlainPassword> {
  const [position, value] = call.args
  const receiver = receiverOf(call)
  if (value === undefined || receiver === undefined || !/^setN?String$/.test(lastNameOf(call.callee) ?? '')) return
  const isPassword = isSent(value)
  if (!isPassword && !isOfXs(value)) return
  const prepared = findPart(
    receiver,
    (part) => 'callee' in part && part.end < call.start && lastNameOf(part.callee) === 'prepareStatement',
  )
  const [statement] = prepared !== undefined && 'callee' in prepared ? prepared.args : []
  const asked = statement && ASKED_COLUMN.exec(String(constantOf(statement)))
  const name = asked?.[1]
  // another name of what is sent: what stands in the place of the column
  const isInPlace = ({ input, index, 0: whole }: RegExpExecArray): boolean =>
    position !== undefined && constantOf(position) === (input.slice(0, index) + whole).split('?').length - 1
  if (asked && name !== undefined && (isPassword || isInPlace(asked)))
    yield { start: value.start, end: value.end, variant: 'xs', name, value }
}

const BASIC_AUTH = /^module:(basic-auth-connect|express-basic-auth)(?: default)?$/

/** `app.use(basicAuth('user', '…'))` of basic-auth-connect, `basicAuth({ users: { name: '…' } })` of express-basic-auth. */
function* guardingPasswords({ calls }: ScriptFacts): Generator<PlainPassword> {
  for (const { callee, args } of calls) {
    const [, name] = BASIC_AUTH.exec(pathOf(callee)?.join(' ') ?? '') ?? []
    const [first, second] = args
    if (name === undefined || first === undefined) continue
    const users = fieldOf(resolveValue(first), 'users')?.value
    const accounts = users && resolveValue(users)
    const passwords = accounts !== undefined && 'fields' in accounts ? accounts.fields.map(({ value }) => value) : []
    for (const written of second === undefined ? passwords : [second]) {
      const value = resolveValue(written)
      if (value.kind !== 'literal' || typeof value.value !== 'string' || value.value === '') continue
      yield { start: value.start + 1, end: value.end - 1, variant: 'middleware', name: 'password', value }
    }
  }
}

const ASKED_COLUMN =
  /\swhere\s[^]{0,400}?["`]?\b(password|passwd|pwd|passwort|senha|contrasena)\b["`]?\s{0,5}=\s{0,5}(?:\?|\$\d{1,2}|:\w{1,30})/i
