import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import {
  constantOf,
  fieldOf,
  isConstant,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { createMethodLookup, type HandedTo } from './_app-methods.ts'
import { comparedAccount } from './_compared-accounts.ts'
import { findAnsweredLogins } from './_login-answers.ts'
import { bodyWrappers } from './_body-wrappers.ts'
import { enteredPassword, namedFields, objectIn, sentObjects } from './_sent-bodies.ts'

/** Of one script: an account that it writes, or that it logs users in by itself. */
type AccountUse =
  | { readonly kind: 'created'; readonly at: Span; readonly field: string; readonly role: string | undefined }
  /** `by`: the method of the app that it is handed to. */
  | { readonly kind: 'sent'; readonly at: Span; readonly field: string; readonly role: string; readonly by: HandedTo | undefined }
  /** `isRead`: passwords of accounts come to the page. */
  | { readonly kind: 'login'; readonly isRead: boolean }

const accountUses: Extract<AccountUse> = defineExtract({
  name: 'ui5-account-uses',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    mayNamePassword(text, hits) &&
    /\.create(?:Entry)?\b|navTo|[=!]==?|\.(?:ajax|post|send)\(|\bfetch\(|\baxios\b|JSONModel\(|\bthis\.\w{1,60}\(/.test(text),
  *collect({ facts, text, step }) {
    yield* createdAccounts(facts)
    yield* sentAccounts(facts, text, step)
    yield* filledAccounts(facts, text)
    const callbacks = findCallbacks(facts)
    let login: { isRead: boolean } | undefined
    for (const { value } of valuesOf(facts)) {
      const kept = comparedAccount(value, callbacks)?.kept
      if (kept !== undefined) login = { isRead: login?.isRead === true || kept === 'answer' }
    }
    if (login === undefined && !findAnsweredLogins(facts, text, step).next().done) login = { isRead: false }
    if (login !== undefined) yield { kind: 'login', ...login }
  },
})

/**
 * A page that lets people register by writing an account, with its password, into an entity set, in an app that logs users in by itself.
 * Facts: OWASP Authentication Cheat Sheet, "Password Storage"; CWE-522. SAPUI5 API, ODataModel `create` and `createEntry`: the properties go to the service as they are.
 * Impact: where the page reads passwords of accounts, everybody reads what was registered. Else whether the service keeps the password as it is, or lets strangers create
 * accounts with any role, is not in the project.
 */
export const accountCreatedInClient: Rule = defineRule({
  id: 'ui5/account-created-in-client',
  impact: 'takeover',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [522, 269],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  extracts: [accountUses, bodyWrappers],
  on: 'ui5-app',

  *check({ scripts }) {
    const uses = scripts.get(accountUses)
    const sentBy = createMethodLookup(scripts.get(bodyWrappers))
    for (const { file, value } of uses) {
      if (value.kind !== 'sent' || (value.by !== undefined && sentBy(file, value.by) === undefined)) continue
      yield { at: { file, span: value.at }, args: { field: value.field, role: value.role }, variant: 'sent' }
    }
    const logins = uses.flatMap(({ value }) => (value.kind === 'login' ? value : []))
    if (logins.length === 0) return
    const isRead = logins.some((login) => login.isRead)
    for (const { file, value } of uses) {
      if (value.kind !== 'created') continue
      const { at, field, role } = value
      yield {
        at: { file, span: at },
        args: { field, role: role ?? '' },
        ...(isRead && { evidence: 'shown' as const }),
        ...(role !== undefined && { variant: 'role' }),
      }
    }
  },

  text: {
    en: {
      title: 'Account created with its password by the page',
      message: 'The page writes a new account to an OData service, with the entered password as the property "{field}".',
      why: 'Anyone who can reach the service can create accounts. Users who may read the entity set can read the passwords, which many people also use elsewhere.',
      fix: 'Remove this request: let Identity Authentication or SAP Gateway manage users. If the app needs accounts of its own, send the password to an action that stores a salted hash, and never return it.',
      variants: {
        sent: {
          title: 'Role of a new account chosen by the page',
          message:
            'The page registers a new account with a request that holds the password as "{field}" and the role as "{role}".',
          why: 'Anyone who can reach the server can send the same request with the role of an administrator, if the server takes the role as it is sent.',
          fix: 'Remove the role from this request and let the server assign it, and ignore roles that requests for new accounts contain.',
        },
        role: {
          title: 'Role of a new account chosen by the page',
          message: 'The page writes a new account to an OData service, with the password as "{field}" and the role as "{role}".',
          why: 'Anyone who can reach the service can send the same request with the role of an administrator.',
          fix: 'Remove the role from this request and let the server assign it. Let Identity Authentication or SAP Gateway manage users and their roles.',
        },
      },
    },
    fr: {
      title: 'Compte créé par la page avec son mot de passe',
      message: 'La page écrit un nouveau compte dans un service OData, le mot de passe saisi étant la propriété "{field}".',
      why: 'Tout utilisateur qui accède au service peut créer des comptes, et lire les mots de passe s’il peut lire l’ensemble d’entités ; beaucoup de personnes les utilisent aussi ailleurs.',
      fix: 'Supprimez cette requête : laissez Identity Authentication ou SAP Gateway gérer les utilisateurs. Si l’application a besoin de ses propres comptes, envoyez le mot de passe à une action qui en conserve un hachage salé, et ne le renvoyez jamais.',
      variants: {
        sent: {
          title: 'Rôle d’un nouveau compte choisi par la page',
          message:
            'La page inscrit un nouveau compte par une requête qui contient le mot de passe ("{field}") et le rôle ("{role}").',
          why: 'Tout utilisateur qui accède au serveur peut envoyer la même requête avec le rôle d’un administrateur, si le serveur prend le rôle tel quel.',
          fix: 'Supprimez le rôle de cette requête, faites-le attribuer par le serveur et ignorez les rôles que contiennent les demandes de création de compte.',
        },
        role: {
          title: 'Rôle d’un nouveau compte choisi par la page',
          message:
            'La page écrit un nouveau compte dans un service OData, avec le mot de passe ("{field}") et le rôle ("{role}").',
          why: 'Tout utilisateur qui accède au service peut envoyer la même requête avec le rôle d’un administrateur.',
          fix: 'Supprimez le rôle de cette requête et faites-le attribuer par le serveur. Laissez Identity Authentication ou SAP Gateway gérer les utilisateurs et leurs rôles.',
        },
      },
    },
  },
})

/** Where users register themselves; elsewhere somebody who administers them may well choose a role. */
const SIGN_UP = /sign_?up|regist|create_?account|cadastr|inscri/i

/** `$.post("/users", { email, password, role: "buyer" })`: a role that the code writes down, or that is sent where users register. */
function* sentAccounts(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AccountUse> {
  for (const { call, object: sent, by } of sentObjects(facts, step)) {
    step(sent.fields.length)
    const around = call.function
    // { user: { email, password, role } }
    for (const object of [sent, ...sent.fields.flatMap(({ value }) => objectIn(value) ?? [])]) {
      const fields = namedFields(object)
      const field = enteredPassword(fields)
      const role = fields.find(({ key, value }) => ROLE.test(key) && (isConstant(value) || SIGN_UP.test(around.name)))?.key
      if (field === undefined || role === undefined) continue
      // a method of the app is handed accounts that somebody administers, too
      if (by !== undefined && !SIGN_UP.test(`${around.name} ${text.slice(around.start, around.end)}`)) continue
      yield { kind: 'sent', at: { start: call.start, end: call.end }, field, role, by }
      break
    }
  }
}

/** The controller of a page where users register themselves. */
const OF_SIGN_UP = /\.extend\(\s{0,20}["'`][\w.]{0,100}(?:sign_?up|regist(?:er|ration|ro)|cadastro)["'`]/i

/** `new JSONModel({ email: "", password: "", role: "buyer" })`: what the form of a new account is sent with. */
function* filledAccounts({ calls }: ScriptFacts, text: string): Generator<AccountUse> {
  const isOfSignUp = OF_SIGN_UP.test(text)
  for (const call of calls) {
    if (call.kind !== 'new' || lastNameOf(call.callee) !== 'JSONModel') continue
    const form = call.args[0] && objectIn(call.args[0])
    if (form === undefined || (!isOfSignUp && !SIGN_UP.test(call.function.name))) continue
    for (const object of [form, ...form.fields.flatMap(({ value }) => objectIn(value) ?? [])]) {
      const fields = namedFields(object)
      const field = fields.find(({ key, value }) => isPasswordName(key) && constantOf(value) === '')?.key
      const role = fields.find(({ key, value }) => ROLE.test(key) && (constantOf(value) ?? '') !== '')
      if (field === undefined || role === undefined || !fields.some(({ key }) => /mail|user_?name|login/i.test(key))) continue
      yield { kind: 'sent', at: { start: role.value.start, end: role.value.end }, field, role: role.key, by: undefined }
      break
    }
  }
}

const ROLE = /(?:^|_)(?:user_?)?(?:role|rolle|perfil)s?$|(?:User|user)?Role$|[uU]ser_?[tT]ype$/

/** `model.create("/Users", { name, password })`, `model.createEntry("/Users", { properties: { … } })`. */
function* createdAccounts({ calls }: ScriptFacts): Generator<AccountUse> {
  for (const call of calls) {
    const sent = accountSentBy(call)
    if (sent === undefined) continue
    const keys = namedFields(sent)
    const field = enteredPassword(keys)
    const role = keys.find(({ key }) => ROLE.test(key))?.key
    // one field beside it at least says whose it is
    if (field !== undefined && keys.length > 1) yield { kind: 'created', at: { start: call.start, end: call.end }, field, role }
  }
}

function accountSentBy({ callee, args: [, given] }: CallValue): (Value & { readonly kind: 'object' }) | undefined {
  const name = lastNameOf(callee)
  if (given === undefined || (name !== 'create' && name !== 'createEntry')) return undefined
  const object = resolveValue(given)
  const sent = name === 'create' ? object : resolveValue(fieldOf(object, 'properties')?.value ?? object)
  return 'fields' in sent ? sent : undefined
}
