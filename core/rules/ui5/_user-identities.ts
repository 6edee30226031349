import {
  accessesOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../../paths.ts'
import { textOf } from './_role-words.ts'

/** How sure it is that a value says who the user of the page is: `user`: where it is kept says so; `unsure`: nothing says what it is. */
export type Identity = 'user' | 'unsure'

/** What a page keeps of its user, by the key that it has in a storage. A session or a token is checked by a server. */
const KEPT_USER = /user|usuario|benutzer|employee|emp_?(?:id|code|no)|logged|^login|^e?mail$/i
/** What a model of rows may be called as well: it counts where the name says that it is the one who looks on. */
const CALLER =
  /^_?(?:current|logged(?:_?in)?|session|login|auth|own|my)_?(?:user|usuario|employee|benutzer)_?(?:info|data|details)?_?(?:id|code|name|mail|email)?$/i
/** What a login has found of its user, in a model: `/loginDetails`. What was entered for it is sent with a password. */
const LOGIN_FOUND = /^_?o?(?:login|logged(?:_?in)?|auth)_?(?:user)?_?(?:details?|info)$/i
/** The state of the whole app, of which one user is the one who looks on: `app>/user`. */
const OF_APP = /^_?(?:app|global|session|shell|root)_?(?:view|model|state|data|info)?$/i
const MODEL_OF_USER =
  /^_?(?:current|logged_?in|session|login|auth|app|my)?_?(?:user(?:info|model|data|session)?|auth|session|userapi|flp|me)$/i
const NO_USER =
  /token|session|settings?|prefs|preferences|theme|variant|language|locale|list|users|roles?|type|rights|plant|group|time|date|isLogged|logged_?in$/i
/** A user who is administered, not the one who looks on. */
const OTHER_USER = /^(?:selected|edited|new|edit|detail|item|row|target|s?other)/i
/** Fields of a kept user that say who it is. */
const IDENTIFIES =
  /^_?s?(?:(?:[a-z]{1,20}_?)?(?:id|user_?name|user|name|mail|email|code|usuario|uname|bname|pernr|number|(?:employee|user)_?(?:no|nr|number)?)|sub)$/i
/** Of what the user belongs to, which others do as well: `companyCode`. */
const OF_ORGANIZATION =
  /^_?s?(?:company|group(?:_?id)?|plant|country|region|area|cost_?cent(?:er|re)|profit_?cent(?:er|re)|org\w{0,20}|dep\w{0,20}|sales_?\w{0,20}|branch|store|office|currency|post\w{0,20}|zip)_?(?:id|code|name|number)$/i
/** Methods of the user info of the launchpad. Fact: SAPUI5 API, sap.ushell.services.UserInfo and sap.ushell.User. */
const SHELL_READS: ReadonlySet<string> = new Set(['getId', 'getEmail', 'getFullName'])
/** What changes how a text is written, and not whom it names. */
const RESHAPES: ReadonlySet<string> = new Set([
  'trim',
  'toUpperCase',
  'toLowerCase',
  'toString',
  'String',
  'parse',
  'encodeURIComponent',
  'atob',
  'padStart',
  'replace',
  'replaceAll',
  'Number',
  'parseInt',
])
const MAX_DEPTH = 10

/** Finds something the first time that it is asked. */
type Once = (what: object | string, find: () => Identity | undefined) => Identity | undefined

/**
 * Whether a value says who the user of the page is, as the page itself keeps it: in a storage of the browser, in a model of the user, in the user info of
 * the launchpad. What is read from a row, from an input or is constant is none. `models`: gets the properties of models that it is read from, `user>/id`.
 * `asked`: what was found for the names and methods on the way, to which many values may lead; nothing, as long as it is being asked.
 */
export function identityOf(
  value: Value,
  facts: ScriptFacts,
  step: (count?: number) => void,
  models: Set<string> = new Set(),
  asked: Map<object | string, Identity | undefined> = new Map(),
  depth = 0,
): Identity | undefined {
  if (depth > MAX_DEPTH) return undefined
  step()
  const behind = (one: Value): Identity | undefined => identityOf(one, facts, step, models, asked, depth + 1)
  const once: Once = (what, find) => {
    if (!asked.has(what)) {
      asked.set(what, undefined)
      asked.set(what, find())
    }
    return asked.get(what)
  }
  switch (value.kind) {
    case 'await':
      return behind(value.value)
    case 'choice':
      return surest(value.options.map(behind))
    case 'reference': {
      const { binding } = value
      return binding && once(binding, () => ofBinding(binding, facts, behind, step))
    }
    case 'member':
      return isOfThis(value.object) && value.name !== undefined
        ? once(`this.${value.name}`, () => ofMember(value, facts, behind, step))
        : ofMember(value, facts, behind, step)
    case 'call':
      return ofOwnMethod(value, facts, behind, step, once) ?? ofCall(value, behind, models)
    default:
      return undefined
  }
}

/** `sCurrentUser`, `LOGGED_IN_USER`: the name of a value says that it is the one who looks on. */
export function isNamedCaller(value: Value): boolean {
  return CALLER.test((lastNameOf(value) ?? '').replace(/^_?[sg](?=[A-Z])/, ''))
}

function saysWho(field: string): boolean {
  return IDENTIFIES.test(field) && !OF_ORGANIZATION.test(field)
}

function surest(found: readonly (Identity | undefined)[]): Identity | undefined {
  return found.includes('user') ? 'user' : found.find((one) => one !== undefined)
}

function ofBinding(
  { definitions, name }: Binding,
  facts: ScriptFacts,
  behind: (value: Value) => Identity | undefined,
  step: (count?: number) => void,
): Identity | undefined {
  const found = definitions.map((definition): Identity | undefined => {
    const { kind, value, path } = definition
    // an argument of a call on the spot is known
    if (kind === 'parameter' && value === undefined) {
      if (path.length > 0) return undefined
      step(facts.calls.length)
      return surest(['unsure', ...argumentsFor(definition, facts).map(behind)])
    }
    if (kind === 'each' || kind === 'key' || value === undefined) return undefined
    return path.length === 0 || saysWho(path.at(-1) ?? '') ? behind(value) : undefined
  })
  return CALLER.test(name) && found.some((one) => one !== undefined) ? 'user' : surest(found)
}

/** What calls of the same file give to a parameter of a method: `this.load(user)`. */
export function argumentsFor({ parameter, function: around }: Definition, { calls }: ScriptFacts): readonly Value[] {
  if (parameter === undefined || around.owner === undefined) return []
  const method = around.name.slice(around.name.lastIndexOf('.') + 1)
  return calls.flatMap(({ callee, args }) =>
    callee.kind === 'member' && callee.name === method && isOfThis(callee.object) ? (args[parameter] ?? []) : [],
  )
}

function ofMember(
  value: MemberValue,
  facts: ScriptFacts,
  behind: (value: Value) => Identity | undefined,
  step: (count?: number) => void,
): Identity | undefined {
  const { object, name } = value
  if (name === undefined) return undefined
  if (isOfThis(object)) {
    step(facts.assignments.length)
    const given = facts.assignments.filter(({ target }) => target.name === name && isOfThis(target.object))
    const found = surest(given.map((one) => behind(one.value)))
    return found ?? (given.length === 0 && CALLER.test(name) ? 'user' : undefined)
  }
  // localStorage.userId
  if (isStorage(object)) return isKeptUser(name) ? 'user' : undefined
  const owner = lastNameOf(object) ?? ''
  if (!saysWho(name) || OTHER_USER.test(owner)) return undefined
  if (COOKIE_SAYS.test(name) && isOfCookie(object, step)) return 'user'
  if (CALLER.test(owner)) return 'user'
  return behind(object) === 'user' ? 'user' : undefined
}

const GETS_CALLER = /^_?get(?:Current|Logged(?:In)?|Session)?User(?:Name|Id|Mail|Email)$/

/** Of what a cookie holds, which may be anything: who its user is, and not what else has an id. */
const COOKIE_SAYS = /mail|user|login|employee|pernr|usuario|benutzer/i
const COOKIE_READ = /^_?(?:get|read)_?cookie(?:_?value)?$/i
/** What looking for a cookie takes. */
const LOOK = 20

/** `JSON.parse(decodeURIComponent(document.cookie.split("app=")[1])).email`. Fact: HTML standard, document.cookie: scripts read no cookie that is HttpOnly, so its user can write it. */
function isOfCookie(value: Value, step: (count?: number) => void): boolean {
  const made = resolveValue(value)
  if (made.kind !== 'call') return false
  step(LOOK)
  return (
    findPart(made, (part) => part.kind === 'member' && part.name === 'cookie' && lastNameOf(part.object) === 'document') !==
    undefined
  )
}

/** What a method of the same file returns: `this._getUserId()`. */
function ofOwnMethod(
  { callee, args }: CallValue,
  { functions }: ScriptFacts,
  behind: (value: Value) => Identity | undefined,
  step: (count?: number) => void,
  once: Once,
): Identity | undefined {
  if (callee.kind !== 'member' || args.length > 0 || !isOfThis(callee.object)) return undefined
  step(functions.length)
  const method = functions.find(({ name, owner }) => owner !== undefined && lastName(name) === callee.name)
  // of a base controller: without an argument it is the user who looks on
  if (method === undefined) return GETS_CALLER.test(callee.name ?? '') ? 'user' : undefined
  return once(method, () => surest(method.returns.map(behind)))
}

function ofCall(call: CallValue, behind: (value: Value) => Identity | undefined, models: Set<string>): Identity | undefined {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const [first] = args
  if (COOKIE_READ.test(name)) return isKeptUser(textOf(first)) ? 'user' : undefined
  if (RESHAPES.has(name)) {
    if (first !== undefined && (callee.kind === 'reference' || name === 'parse')) return behind(first)
    return callee.kind === 'member' ? behind(callee.object) : undefined
  }
  if (callee.kind !== 'member') return undefined
  const key = textOf(first)
  if (name === 'getItem' || name === 'get') return isStorage(callee.object) && isKeptUser(key) ? 'user' : undefined
  if (SHELL_READS.has(name)) return args.length === 0 && isShellUser(callee.object) ? 'user' : undefined
  if (name === 'getData' && args.length === 0) return MODEL_OF_USER.test(modelOf(callee.object) ?? '') ? 'user' : undefined
  return name === 'getProperty' ? ofProperty(key, callee.object, models) : undefined
}

/** `getModel("user").getProperty("/id")`, `getModel("app").getProperty("/currentUser/id")`; of a named model without such words nobody knows. */
function ofProperty(path: string, object: Value, models: Set<string>): Identity | undefined {
  const [model, rest] = path.includes('>') ? path.split('>') : [modelOf(object), path]
  if (!rest?.startsWith('/')) return undefined
  const steps = rest.slice(1).split('/')
  const last = steps.at(-1) ?? ''
  if (steps.some((one) => OTHER_USER.test(one))) return undefined
  if (model !== undefined && model !== '') models.add(`${model}>${rest}`)
  if (CALLER.test(last) || (model !== undefined && LOGIN_FOUND.test(last))) return 'user'
  if (OF_APP.test(model ?? '') && /^user$/i.test(last)) return 'user'
  const owners = [model ?? '', ...steps.slice(0, -1)]
  if (saysWho(last) && owners.some((one) => MODEL_OF_USER.test(one) || CALLER.test(one))) return 'user'
  return model !== undefined && model !== '' && steps.length === 1 ? 'unsure' : undefined
}

/** The name of `this.getModel("user")`, or that of a name that it has; undefined: the model without a name. */
export function modelOf(value: Value, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (value.kind === 'call')
    return /^get\w{0,20}Model\w{0,20}$/.test(lastNameOf(value.callee) ?? '') ? textOf(value.args[0]) : undefined
  const [only, ...more] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (more.length === 0 && only?.value !== undefined && only.path.length === 0) return modelOf(only.value, depth + 1)
  return undefined
}

/** Whether a storage keeps under this key who the user is. */
export function isKeptUser(key: string): boolean {
  return KEPT_USER.test(key) && !NO_USER.test(key)
}

/** What gives a storage of the browser. Facts: HTML standard, "Web storage"; SAPUI5 API, sap.ui.util.Storage and jQuery.sap.storage. */
const STORAGE =
  /^global:(?:(?:window|globalThis) )?(?:local|session)Storage$|^module:sap\/ui\/util\/Storage new$|(?:^| )sap storage(?: \(\))?$/

/** Whether a value is a storage of the browser. */
export function isStorage(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => STORAGE.test([root, ...steps].join(' ')))
}

/** `sap.ushell.Container.getUser()`, `getService("UserInfo")`, a name that such a thing has. */
function isShellUser(value: Value, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  switch (value.kind) {
    case 'await':
      return isShellUser(value.value, depth + 1)
    case 'call': {
      const name = lastNameOf(value.callee) ?? ''
      if (name === 'getUser') return true
      return /^getService(?:Async)?$/.test(name) && textOf(value.args[0]) === 'UserInfo'
    }
    case 'reference': {
      const definitions = value.binding?.definitions ?? []
      if (
        definitions.some(({ kind, value: given }) => kind !== 'parameter' && given !== undefined && isShellUser(given, depth + 1))
      )
        return true
      return definitions.some(({ kind }) => kind === 'parameter') && /^o?(?:User(?:Info)?(?:Service)?)$/i.test(value.name)
    }
    default:
      return false
  }
}

/** `this`, and the names that it is kept by for callbacks. */
export function isOfThis(value: Value): boolean {
  if (value.kind === 'this') return true
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  return definitions.length > 0 && definitions.every(({ value: given, path }) => given?.kind === 'this' && path.length === 0)
}
