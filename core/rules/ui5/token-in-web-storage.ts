import {
  accessesOf,
  asSum,
  constantOf,
  stringConstantOf,
  isConstant,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { append } from '../../lists.ts'
import { cookieKeyOf, leadingTextOf, mayNamePassword, PASSWORD_KEYWORDS, storedSecretName } from '../../model/script/index.ts'
import type { Localized, RuleText, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { checksState, isFromAddress, sessionTokenOf } from './_planted-tokens.ts'

const PASSWORD: Localized<Pick<RuleText, 'why' | 'fix'>> = {
  en: {
    why: 'An attacker can steal the password through an XSS vulnerability or a compromised library and log in with it until it is changed.',
    fix: 'Remove this write: let the approuter log users in (XSUAA or Identity Authentication) and keep the session in its HttpOnly cookie.',
  },
  fr: {
    why: 'Un attaquant peut voler le mot de passe par une faille XSS ou une bibliothèque compromise et l’utiliser pour se connecter tant qu’il n’est pas changé.',
    fix: 'Supprimez cette écriture : laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication) et conserver la session dans son cookie HttpOnly.',
  },
}

/**
 * A token or password in a browser storage that every script of the origin reads. The name of the key or of what is stored decides.
 * Facts: OWASP cheat sheet "HTML5 Security" (local storage); SAPUI5, API of sap.ui.util.Storage: it wraps the storages of the browser.
 * Impact: a second fault is needed, an XSS vulnerability or access to the computer; a token of the address is that of whoever made the link, so its user works in the
 * account of somebody else.
 */
export const tokenInWebStorage: Rule = defineRule({
  id: 'ui5/token-in-web-storage',
  impact: 'defence',
  grades: { planted: { impact: 'bounded', reach: 'anyone' } },
  confidence: 'medium',
  cwe: [384, 922],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#local-storage',
  keywords: [
    'localStorage',
    'sessionStorage',
    'sap/ui/util/Storage',
    'sap.storage',
    'document.cookie',
    'js-cookie',
    'Cookies.set',
    'objectStore',
    '.cookie(',
    'setSession',
  ],
  words: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    /token|secret|jwt|api_?-?key|credential|authorization|bearer|iban|ssn|card|btoa|[kK]ey\b/i.test(text) ||
    mayNamePassword(text, hits),

  checks: {
    *'browser-script'({ path, content: { facts } }) {
      for (const { start, end, name, storage, value } of findStoredSecrets(facts)) {
        const isPlanted = storageOf(`global:${storage}`) !== undefined && isFromAddress(value) && !checksState(facts)
        yield {
          at: { file: path, span: { start, end } },
          args: { name, storage },
          ...(isPlanted ? { variant: 'planted' } : variantOf(name)),
        }
      }
      for (const call of checksState(facts) ? [] : facts.calls) {
        const token = sessionTokenOf(call)
        if (token === undefined || !isFromAddress(token)) continue
        const { start, end } = call
        yield {
          at: { file: path, span: { start, end } },
          args: { name: 'access_token', storage: 'setSession()' },
          variant: 'planted',
        }
      }
    },
    // what callers hand to a function that stores it under another name
    *flow({ at, part, api, steps }) {
      const storage = WRITES_COOKIES.test(api.owner) ? 'document.cookie' : api.owner
      yield { at, args: { name: part, storage }, flow: steps, ...variantOf(part) }
    },
  },

  text: () => ({
    en: {
      title: 'Credential stored in browser storage',
      message: '"{name}" is written to {storage}, where every script of the origin can read it.',
      why: 'An attacker can steal the value through an XSS vulnerability or a compromised library and use it for as long as it is valid.',
      fix: 'Remove this write: let the approuter keep the session in its HttpOnly cookie. If the page itself needs a token, keep it only in a variable.',
      variants: {
        planted: {
          title: 'Session token of the URL stored without a check',
          message:
            '"{name}" is taken from the URL of the page and written to {storage}, without a check that this page began the login.',
          why: 'An attacker can send a link with a token of their own account (login CSRF): the user then works in that account, and what they enter there can be read by the attacker.',
        },
        bearer: { message: 'A bearer token is written to {storage}, where every script of the origin can read it.' },
        basic: {
          ...PASSWORD.en,
          message:
            'Credentials for Basic authentication are written to {storage}, where every script of the origin can read them.',
        },
        password: PASSWORD.en,
        personal: {
          title: 'Personal data stored in browser storage',
          why: 'An attacker can read the value through an XSS vulnerability or a compromised library for as long as it is stored.',
          fix: 'Remove this write: load the value from the server when the page needs it, and keep it only in a variable or a model.',
        },
      },
    },
    fr: {
      title: 'Données d’authentification conservées dans le stockage du navigateur',
      message: '"{name}" est écrit dans {storage}, où tout script de l’origine peut le lire.',
      why: 'Un attaquant peut voler la valeur par une faille XSS ou une bibliothèque compromise et l’utiliser tant qu’elle est valide.',
      fix: 'Supprimez cette écriture : laissez l’approuter conserver la session dans son cookie HttpOnly. Si la page elle-même a besoin d’un jeton, ne le gardez que dans une variable.',
      variants: {
        planted: {
          title: 'Jeton de session pris dans l’URL et conservé sans contrôle',
          message:
            '"{name}" est pris dans l’URL de la page et écrit dans {storage}, sans vérifier que cette page a commencé la connexion.',
          why: 'Un attaquant peut envoyer un lien avec un jeton de son propre compte (login CSRF) : l’utilisateur travaille alors dans ce compte, et l’attaquant peut lire ce qu’il y saisit.',
        },
        bearer: { message: 'Un jeton Bearer est écrit dans {storage}, où tout script de l’origine peut le lire.' },
        basic: {
          ...PASSWORD.fr,
          message:
            'Les identifiants d’une authentification basique sont écrits dans {storage}, où tout script de l’origine peut les lire.',
        },
        password: PASSWORD.fr,
        personal: {
          title: 'Données personnelles conservées dans le stockage du navigateur',
          why: 'Un attaquant peut lire la valeur par une faille XSS ou une bibliothèque compromise tant qu’elle est stockée.',
          fix: 'Supprimez cette écriture : chargez la valeur depuis le serveur quand la page en a besoin, et ne la gardez que dans une variable ou un modèle.',
        },
      },
    },
  }),
})

/** What writes a cookie by its call. */
const WRITES_COOKIES = /^(?:(?:window|globalThis|self)\.)?(?:document|Cookies|js-cookie|jQuery|\$)$/

/** A password and the numbers of a person are no token: neither lasts with the session. */
function variantOf(name: string): { variant?: 'bearer' | 'basic' | 'password' | 'personal' } {
  if (name === 'Bearer') return { variant: 'bearer' }
  if (name === 'Basic') return { variant: 'basic' }
  if (/passw|pwd/i.test(name)) return { variant: 'password' }
  return /\b(?:iban|ssn|credit_?card(?:_?number)?)$/i.test(name) ? { variant: 'personal' } : {}
}

/** A secret that a page writes to a storage of the browser. */
interface StoredSecret extends Span {
  readonly name: string
  readonly storage: string
  readonly value: Value
}

/** What one script writes to localStorage, sessionStorage, sap/ui/util/Storage, jQuery.sap.storage or a cookie. */
function* findStoredSecrets(facts: ScriptFacts): Generator<StoredSecret> {
  const members = new Map(
    facts.assignments.flatMap(({ target, value }) => (target.object.kind === 'this' ? [[target.name ?? '', value]] : [])),
  )
  const filled = createFieldReader(facts)
  for (const call of facts.calls) {
    const written = writtenBy(call, members)
    if (written !== undefined) yield* judge(written.key, written.value, written.storage, call, filled)
  }
  for (const assignment of facts.assignments) {
    const { target, value } = assignment
    const [owner] = accessesOf(target.object)
    if (owner === undefined) continue
    const storage = owner.steps.length === 0 ? storageOf(owner.root) : undefined
    if (storage !== undefined && target.name !== undefined) yield* judge(target.name, value, storage, assignment, filled)
    if (target.name === 'cookie' && owner.root === 'global:document' && owner.steps.length === 0) {
      const key = cookieKeyOf(value)
      yield* judge(key, value, 'document.cookie', assignment, filled)
      const made = key === undefined ? cookieMadeBy(value) : undefined
      if (made !== undefined) yield* judge(made.key, made.value, 'document.cookie', assignment, filled)
    }
  }
}

/** `cookie('supplier.iban', number)`, where a function of the file puts name and value together. */
function cookieMadeBy(value: Value): { readonly key: string; readonly value: Value } | undefined {
  const call = resolveValue(value)
  const made = call.kind === 'call' ? functionOf(call.callee) : undefined
  if (call.kind !== 'call' || made === undefined) return undefined
  for (const text of made.returns) {
    const [name, second] = partsOf(text)
    const at = name?.kind === 'reference' ? made.parameters.findIndex((one) => one !== undefined && one === name.binding) : -1
    const [key, given] = [call.args[at], call.args[at === 0 ? 1 : 0]]
    const written = stringConstantOf(key)
    if (second?.startsWith('=') === true && written !== undefined && given !== undefined) return { key: written, value: given }
  }
  return undefined
}

/** What a text begins with, if that is a value, and the text behind. */
function partsOf(value: Value): readonly [Value?, string?] {
  const text = asSum(resolveValue(value))
  if (text.kind === 'template') return text.texts[0] === '' ? [text.parts[0], text.texts[1]] : []
  if (text.kind !== 'concat' || text.parts[1] === undefined) return []
  return [text.parts[0], leadingTextOf(text.parts[1]).text]
}

/** Names of the fields that a name is given one by one, `settings.password = entered`, or that the rows of a list have, `users.push({ password: entered })`. */
function createFieldReader({ assignments }: ScriptFacts): (value: Value) => readonly string[] {
  const fields = new Map<Binding, string[]>()
  for (const { target, value } of assignments) {
    const { object, name } = target
    if (name !== undefined && 'binding' in object && object.binding !== undefined && !isConstant(value))
      append(fields, object.binding, name)
  }
  const read = (value: Value): readonly string[] => {
    if ('binding' in value) {
      const rows = (value.binding?.additions ?? []).flatMap((row) => ('fields' in row ? row.fields : []))
      const named = rows.flatMap(({ key, value: given }) => (key === undefined || isConstant(given) ? [] : [key]))
      return [...((value.binding && fields.get(value.binding)) ?? []), ...named]
    }
    return 'args' in value && lastNameOf(value.callee) === 'stringify' ? value.args.slice(0, 1).flatMap(read) : []
  }
  return read
}

function* judge(
  key: string | undefined,
  value: Value,
  storage: string,
  { start, end }: Span,
  filled: (value: Value) => readonly string[],
): Generator<StoredSecret> {
  // a mark, or the removal
  if (isConstant(value, isGenerated)) return
  const name = storedSecretName(key, value) ?? filled(value).find((field) => storedSecretName(field, value) === field)
  if (name !== undefined) yield { start, end, name, storage, value }
}

/** An identifier made at run time is no text of others, but may well be a credential. */
function isGenerated(value: Value): boolean | undefined {
  return value.kind === 'call' && lastNameOf(value.callee) === 'randomUUID' ? false : undefined
}

function storageOf(root: string): string | undefined {
  return root === 'global:localStorage' || root === 'global:sessionStorage' ? root.slice('global:'.length) : undefined
}

const JQUERY: ReadonlySet<string> = new Set(['global:jQuery', 'global:$', 'module:sap/ui/thirdparty/jquery'])

function writtenBy(
  { callee, args }: CallValue,
  members: ReadonlyMap<string, Value>,
): { key?: string; value: Value; storage: string } | undefined {
  const [first, value] = args
  if (callee.kind !== 'member' || first === undefined) return undefined
  const { name, object } = callee
  // IndexedDB: the value first, its key second or in a field of the value
  if ((name === 'put' || name === 'add') && isObjectStore(object)) {
    const key = stringConstantOf(value)
    return { value: first, storage: 'IndexedDB', ...(key !== undefined && { key }) }
  }
  if (value === undefined) return undefined
  if (name === 'cookie' && accessesOf(object).some(({ root, steps }) => JQUERY.has(root) && steps.length === 0))
    return { value, storage: 'document.cookie', key: String(constantOf(first) ?? '') }
  const storage = name === 'setItem' || name === 'put' || name === 'set' ? storageOfReceiver(object, name, members, 0) : undefined
  if (storage === undefined) return undefined
  const key = stringConstantOf(first)
  return { value, storage, ...(key !== undefined ? { key } : { key: lastNameOf(first) ?? '' }) }
}

/** `database.transaction(…).objectStore('users')`, also of a database that the code waits for. */
function isObjectStore(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'call' && lastNameOf(made.callee) === 'objectStore') return true
  return accessesOf(value).some(({ steps }) => steps.includes('objectStore'))
}

function storageOfReceiver(object: Value, method: string, members: ReadonlyMap<string, Value>, hops: number): string | undefined {
  for (const { root, steps } of accessesOf(object)) {
    const path = steps.join(' ')
    if (method === 'setItem' && steps.length === 0 && storageOf(root) !== undefined) return storageOf(root)
    if (method === 'put' && root === 'module:sap/ui/util/Storage') return 'sap/ui/util/Storage'
    if (method === 'put' && /^(?:sap )?storage(?: \(\))?$/.test(path)) return 'jQuery.sap.storage'
    if (method === 'set' && (root === 'module:js-cookie' || root === 'global:Cookies') && path === '') return 'document.cookie'
    // this._storage = new Storage(…)
    const last = steps.at(-1)
    if (root !== 'this' || steps.length !== 1 || last === undefined || hops > 0) continue
    const given = members.get(last)
    return given && storageOfReceiver(given, method, members, hops + 1)
  }
  return undefined
}
