import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { excerptOf } from '../../facts/excerpt.ts'
import {
  constantOf,
  fieldOf,
  functionAround,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { bindingOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { isPasswordName, leadingTextOf } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { createUnusedReader } from './_unused-filters.ts'
import { argumentsFor, identityOf, type Identity } from './_user-identities.ts'

/** A request to a service says who asks, and the page decides what it says. */
export interface SentIdentity {
  readonly at: Span
  /** The field, key or parameter that holds it, as it is written. */
  readonly field: string
  /** The value, as it is written. */
  readonly value: string
  /** `named`: a person whom the code names; `listed`: one whose open decisions it lists; `role`: not who asks, but in which role. */
  readonly identity: Identity | 'named' | 'listed' | 'role'
  /** It becomes part of what is stored; else it selects. */
  readonly isWritten: boolean
  readonly isFilter: boolean
  /** Properties of models of the page that it is read from: `user>/id`. */
  readonly models?: readonly string[]
  /** The field does not say that it holds a user: where other requests have it is what tells. */
  readonly isUnnamed?: true
  /** Where the request begins that sends it, as a field or in its path. */
  readonly request?: number
  /** The entity that the request names. */
  readonly entity?: string
}

interface Sent {
  readonly field: string
  readonly value: Value
  readonly isWritten: boolean
  /** The filter that holds it. */
  readonly filter?: CallValue
  /** It is part of a text. */
  readonly isPart?: true
  /** Where the call begins that sends it as a field. */
  readonly request?: number
}

/** Fields that say who a user is, whatever the value is called. */
const USER_FIELD =
  /^(?:[iep][vm]?_?|p_)?(?:(?:logged_?|current_?|session_?|request_?)?user(?:_?(?:name|id|code|no|nr|mail|email))?|usuario|uname|bname|ernam|benutzer(?:name|id)?|created_?by|requested_?by|requester|requestor|owner(?:_?id)?)$/i
/** Fields that say who acts: a person whom the code names is none who is looked for. */
const ACTOR =
  /^(?:[iep][vm]?_?|p_)?(?:(?:acting|action|logged_?|current_?|session_?|request_?)?_?user(?:_?(?:id|name))?|uname|ernam|buyer(?:_?id)?|approver(?:_?(?:id|name|user))?|(?:created|changed|modified|approved|rejected|submitted|posted|requested)_?by|request(?:er|or)|initiator)$/i
/** Of these the ones whose decisions are open, what lists those, and a person as systems name one: capitals alone are as often a status or a kind of person. */
const DECIDER = /^(?:[iep][vm]?_?|p_)?(?:user(?:_?(?:id|name))?|uname|approver(?:_?(?:id|name|user))?)$/i
const LISTS_DECISIONS = /approv|inbox|work_?items?|pending|genehmig|freigabe|aproba|aprova/i
const PERSON =
  /^(?!(?:LEVEL|STAGE|STEP|ROLE|GROUP|TYPE|TEAM|STAT)[A-Z_]{0,8}\d)[A-Z](?=[A-Z_]{0,10}\d)[A-Z\d_]{3,11}$|^[\w.-]{1,60}@[\w.-]{1,60}$/
/** No person, but what stands for one, or for none. */
const NOBODY =
  /^(?:.?|n\/?a|x+|me|self|new|user(?:name|id)?|current.?user|system|anonym\w*|guest|unknown|dummy|test\w*|demo\w*|sample|default|batch|null|undefined|all|none)$/i
/** Such a field with a text. */
const NAMES_PERSON =
  /(?:user(?:_?(?:id|name))?|uname|ernam|buyer(?:_?id)?|approver(?:_?(?:id|name|user))?|[dt]_?by|request(?:er|or)|initiator)["']?\s{0,4}:\s{0,4}["'][\w@. -]{2,60}["']/iy
const PERSON_WORDS = 'user uname ernam buyer approver dby d_by tby t_by requester requestor initiator'.split(' ')
/** The role in which a row is asked for, beside its other keys. */
const ROLE_KEY =
  /^\/?(\w{2,60})\((?:[^()]{1,200},)?\s{0,4}((?:[iep]v?_)?(?:user|current|my)?_?role(?:_?(?:id|name|type))?)='([A-Za-z]\w{1,40})?/i
/** What is kept of roles has them for keys. */
const OF_ROLES = /role|auth|perm|assign|member/i
/** Entities of users: their keys name the one who is looked at. */
const USERS = /\/(?:[a-z]{1,3}_)?(?:users?|usuarios?)(?:_?set)?\(?$/i
/** What belongs to a user and to nobody else, what keeps records, and what has no user yet. */
const HARMLESS =
  /setting|variant|personal|favou?rite|theme|prefer|bookmark|notification|recent|layout|log(?:s|ging|ger)?\b|audit|telemetry|analytic|usage|log_?in|log_?on|sign_?(?:in|up)|auth|passw|register|exists/i
/** What sends the parameters that an object holds. */
const REQUESTS: ReadonlySet<string> = new Set(['fetch', 'ajax', 'callFunction', 'read', 'create', 'update'])
const READS: ReadonlySet<string> = new Set([
  'read',
  'remove',
  'update',
  'create',
  'createEntry',
  'callFunction',
  'bindElement',
  'bindList',
])

/** Forms in which a request holds a value. */
const SENDS =
  /\bFilter\(|\seq '|='["'`$]|[?&]\w{2,40}=["'`$]|\burlParameters\b|\bcreate(?:Key|Entry)\(|\.create\(|\.set(?:Parameter|Property)\(|\bURLSearchParams\b|JSON\.stringify/
/** A field of a user in front of a value. */
const NAMES_USER =
  /(?:user|usuario|[ub]name|ernam|benutzer|created_?by|requested_?by|request(?:er|or)|owner)\w{0,12}(?:\s{1,4}eq\s|='?["'`$]|["']?\s{0,4}[:,]\s|["']\s{0,4},|\s=\s)/iy
const USER_WORDS =
  'user usuario uname bname ernam benutzer createdby created_by requestedby requested_by requester requestor owner'.split(' ')
/** What the page keeps of its user is read. */
const KEEPS_USER =
  /\.get(?:Item)?\(\s{0,4}["'`]\w{0,30}(?:user|usuario|employee|logged|login)|\bUserInfo\b|\.getUser\(\)|(?:local|session)Storage\.\w{0,30}user/iy
const KEEPING_WORDS = ['.get(', '.getitem(', 'userinfo', '.getuser(', 'localstorage.', 'sessionstorage.']
/** What stands in front of a value of a key: `(User='" +`. */
export const KEYED_WORDS: readonly string[] = [`='"`, `='\${`, `=\\'`, `=''`]
/** A key that is given a value beside a property of a model. */
const KEYED = /\/\w{2,60}\((?:[^()\n]{0,100},)?\w{2,60}=(?:'|\\')(?:["'`]|\$\{)/
const ROLE_WORD = "Role='"
const ROLE_IN_KEY = /(?<=[(,]\w{0,10})Role='/y

/**
 * Users by name in filters, keys, parameters and bodies of requests.
 * Facts: API reference of SAPUI5, sap.ui.model.Filter, sap.ui.model.odata.v2.ODataModel, sap.ui.model.odata.v4.ODataContextBinding; OData 4.01, "URL Conventions".
 */
export const sentIdentities: Extract<SentIdentity> = defineExtract({
  name: 'ui5-sent-identities',
  keywords: [
    'FilterOperator',
    'urlParameters',
    'createEntry',
    'createKey',
    'callFunction',
    'URLSearchParams',
    'localStorage',
    'sessionStorage',
    'sap.storage',
    'UserInfo',
    'getUser(',
    'setParameter(',
    '.create(',
    '.ajax(',
    'Role=',
    ...KEYED_WORDS,
  ],
  withFlow: true,
  words: [...USER_WORDS, ...PERSON_WORDS, ...KEEPING_WORDS, ROLE_WORD],
  prefilter: (text, hits) => {
    const holds = (words: readonly string[], sticky: RegExp): boolean => holdsAt(text, hits.places(text, words), sticky)
    const mayBeUser = holds(USER_WORDS, NAMES_USER) || holds(KEEPING_WORDS, KEEPS_USER) || holds([ROLE_WORD], ROLE_IN_KEY)
    return (
      (mayBeUser && SENDS.test(text)) ||
      (KEYED.test(text) && text.includes('.getProperty(')) ||
      (holds(PERSON_WORDS, NAMES_PERSON) && /\.(?:create|createKey|createEntry|callFunction|ajax)\(|\bfetch\(/.test(text))
    )
  },
  collect: ({ facts, text, step }) => findSent(facts, text, step),
})

function* findSent(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<SentIdentity> {
  const requests = facts.calls.filter(({ callee, args }) => READS.has(lastNameOf(callee) ?? '') && args.length > 0)
  const seen = new Set<number>()
  let unused: ((filter: CallValue) => boolean) | undefined
  for (const { field, value, isWritten, filter, isPart, request } of [
    ...textsSent(facts),
    ...fieldsSent(facts, step),
    ...parametersSet(facts, step),
  ]) {
    if (seen.has(value.start)) continue
    const constant = constantOf(value)
    const named =
      typeof constant === 'string' && !NOBODY.test(constant) ? personNamed(field, constant, filter, isPart) : undefined
    // most fields hold constants that name nobody: the request around those is not looked for
    if (constant !== undefined && named === undefined) continue
    const models = new Set<string>()
    const identity = named ?? identityOf(value, facts, step, models)
    const isUnnamed = identity === 'unsure' && !USER_FIELD.test(field)
    if (identity === undefined || (isUnnamed && (isPart !== true || models.size === 0))) continue
    if (filter !== undefined && (unused ??= createUnusedReader(facts, step))(filter)) continue
    const isFilter = filter !== undefined || (isPart === true && isInFilter(value, text))
    if (!isWritten && isViewOfAll(value, facts, isFilter)) continue
    step(requests.length)
    const around = requests.findLast((span) => isWithin(value, span))
    const path = around?.args[0] === undefined ? '' : leadingTextOf(around.args[0]).text
    if (named === 'listed' && !LISTS_DECISIONS.test(path)) continue
    if (HARMLESS.test(path) || (identity === 'unsure' && USERS.test(path))) continue
    seen.add(value.start)
    const at = { start: value.start, end: value.end }
    // what a callback of a request sends is another one's
    const isKey = around?.args[0] !== undefined && isWithin(value, around.args[0])
    const sender = isWritten ? request : isKey ? around?.start : undefined
    const entity = entityOf(isWritten ? requests.find(({ start }) => start === request) : around)
    yield {
      at,
      field,
      value: excerptOf(text, at),
      identity,
      isWritten,
      isFilter,
      ...(sender !== undefined && { request: sender }),
      ...(entity !== undefined && { entity }),
      ...(models.size > 0 && { models: [...models] }),
      ...(isUnnamed && { isUnnamed }),
    }
  }
  yield* rolesSent(facts, text)
}

function entityOf(request: CallValue | undefined): string | undefined {
  const [path] = request?.args ?? []
  return path && /^\/?(\w{1,100})/.exec(leadingTextOf(path).text)?.[1]
}

/** A person whom the code names: who acts, or whose open decisions a list shows, where it is one of those. */
function personNamed(
  field: string,
  person: string,
  filter: CallValue | undefined,
  isPart: true | undefined,
): 'named' | 'listed' | undefined {
  if (filter === undefined) return isPart === undefined && ACTOR.test(field) ? 'named' : undefined
  return DECIDER.test(field) && PERSON.test(person) ? 'listed' : undefined
}

/** `U_Manager eq '` in front of a value. */
const FILTERS = /\w\s{1,4}eq\s{1,4}[\\'"`+\s{$]{0,12}$/i
const LONGEST_FIELD = 120

function isInFilter({ start }: Value, text: string): boolean {
  return FILTERS.test(text.slice(Math.max(0, start - LONGEST_FIELD), start))
}

/** `myOrders`, `onShowMyOrders`. */
const MINE = /^(_?(?:on|show|get|load|fetch|filter|press|display){0,3})my_?([a-z]\w{2,60})$/i
/** `allOrders`, `onShow_all_orders`; no `allowedActions`. */
const ALL = /^(\w{0,40}?)[aA]ll(?=[A-Z_])_?(\w{1,60})$/

/** Whether the same page shows the rows of everybody as well: `myOrders` beside `allOrders`, or a filter of `myApprovals` beside `allOrders`, is a view, and no limit of what its user may see. */
function isViewOfAll({ start }: Value, facts: ScriptFacts, isFilter: boolean): boolean {
  let around = functionAround(facts, start)
  while (around !== undefined && around.name === '') around = around.parent
  const [, lead = '', rest] = MINE.exec(lastName(around?.name ?? '')) ?? []
  if (rest === undefined) return false
  const wanted = plainOf(lead)
  return facts.functions.some(({ name }) => {
    const [, ahead = '', what = ''] = ALL.exec(lastName(name)) ?? []
    return what !== '' && plainOf(ahead) === wanted && (isFilter || plainOf(what) === plainOf(rest))
  })
}

function plainOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** `/Shifts(Worker='1',Role='PLANNER')`: the service is told in which role its user asks. */
function* rolesSent(facts: ScriptFacts, text: string): Generator<SentIdentity> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'literal' && value.kind !== 'template' && value.kind !== 'concat') continue
    // most values are texts without any key
    if (value.kind === 'literal' && !String(value.value).includes("='")) continue
    const [, entity = '', field = '', role] = ROLE_KEY.exec(leadingTextOf(value).text) ?? []
    const at = { start: value.start, end: value.end }
    if (field !== '' && !OF_ROLES.test(entity))
      yield { at, field, value: role ?? excerptOf(text, at), identity: 'role', isWritten: false, isFilter: false }
  }
}

/** The name in front of a value: `(User='`, `,User='`; `User eq '`; `?user=`. */
const KEY = /[(,]\s{0,4}(\w{2,60})='?$/
const FILTER = /(?:^|[\s(='])(\w{2,60})\s{1,4}eq\s{1,4}'?$/i
const PARAMETER = /[?&](\w{2,60})=$/
/** The only key of an entity: `/Users('`. */
const ONLY_KEY = /\/(\w{2,60})\('?$/

/** Values that stand behind the name of a key, a parameter or a field of a filter in a text. */
export function* textsSent(facts: ScriptFacts): Generator<Sent> {
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'template' && value.kind !== 'concat') continue
    const found = value.parts.flatMap((part, index): Sent[] => {
      const before = value.kind === 'template' ? value.texts[index] : value.parts[index - 1]
      const text = typeof before === 'string' ? before : before && constantOf(before)
      const field = typeof text === 'string' ? fieldBefore(text) : undefined
      return field === undefined ? [] : [{ field, value: part, isWritten: false, isPart: true }]
    })
    // who says a password as well is known by it
    if (found.length > 0 && !found.some(({ field }) => isPasswordName(field)) && !HARMLESS.test(leadingTextOf(value).text))
      yield* found
  }
}

function fieldBefore(text: string): string | undefined {
  return (FILTER.exec(text) ?? PARAMETER.exec(text) ?? ONLY_KEY.exec(text) ?? KEY.exec(text))?.[1]
}

function* fieldsSent(facts: ScriptFacts, step: (count?: number) => void): Generator<Sent> {
  for (const call of facts.calls) for (const sent of sentBy(call, facts, step)) yield { ...sent, request: call.start }
}

function* sentBy(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): Generator<Sent> {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const [first, second, third] = args
  switch (name) {
    case 'Filter':
      for (const sent of filterSent(call)) yield { ...sent, filter: call }
      break
    case 'createKey':
      yield* ofObject(second, facts, step, false)
      break
    case 'create':
      // a binding of OData V4 has no path
      yield* ofObject(second ?? first, facts, step, true)
      break
    case 'update':
      yield* ofObject(second, facts, step, true)
      break
    case 'createEntry':
      yield* ofObject(second && fieldOf(resolveValue(second), 'properties')?.value, facts, step, true)
      break
    case 'read':
    case 'callFunction':
      yield* ofObject(second && fieldOf(resolveValue(second), 'urlParameters')?.value, facts, step, name === 'callFunction')
      break
    case 'URLSearchParams':
      yield* ofObject(first, facts, step, false)
      break
    case 'fetch':
      yield* ofObject(bodyOf(second && fieldOf(resolveValue(second), 'body')?.value), facts, step, true)
      break
    case 'ajax':
      yield* ofObject(bodyOf(first && fieldOf(resolveValue(first), 'data')?.value), facts, step, true)
      break
    case 'setParameter':
    case 'setProperty':
      // a property of a row: only then there is a context
      if (first !== undefined && second !== undefined && (name === 'setParameter' || third !== undefined)) {
        const field = constantOf(first)
        if (typeof field === 'string' && callee.kind === 'member')
          yield { field: field.slice(field.lastIndexOf('/') + 1), value: second, isWritten: true }
      }
      break
    default:
  }
}

/** `parameters.LoggedUser = name` in a function that sends something. */
function* parametersSet({ assignments, calls }: ScriptFacts, step: (count?: number) => void): Generator<Sent> {
  for (const { target, value, function: around } of assignments) {
    if (target.name === undefined || !USER_FIELD.test(target.name) || target.object.kind !== 'reference') continue
    const { binding } = target.object
    step(calls.length + assignments.length)
    // a login sends the password along, which is checked
    if (assignments.some((one) => isPasswordName(one.target.name ?? '') && bindingOf(one.target.object) === binding)) continue
    if (calls.some((call) => isWithin(call, around) && REQUESTS.has(lastNameOf(call.callee) ?? '')))
      yield { field: target.name, value, isWritten: false }
  }
}

/** `new Filter("User", FilterOperator.EQ, name)`, `new Filter({ path: "User", operator: …, value1: name })`. */
export function* filterSent({ args: [path, operator, value] }: CallValue): Generator<Sent> {
  if (path === undefined) return
  const settings = resolveValue(path)
  const [field, how, given] =
    settings.kind === 'object'
      ? [fieldOf(settings, 'path')?.value, fieldOf(settings, 'operator')?.value, fieldOf(settings, 'value1')?.value]
      : [path, operator, value]
  const name = field && constantOf(field)
  if (typeof name !== 'string' || how === undefined || given === undefined) return
  const equal = lastNameOf(how) ?? constantOf(how)
  if (equal === 'EQ') yield { field: name, value: given, isWritten: false }
}

/** What `JSON.stringify` makes a text of. */
function bodyOf(value: Value | undefined): Value | undefined {
  const made = value && resolveValue(value)
  return made?.kind === 'call' && lastNameOf(made.callee) === 'stringify' ? made.args[0] : value
}

/** Fields of an object, and those that it is given later by its name. */
function* ofObject(
  value: Value | undefined,
  facts: ScriptFacts,
  step: (count?: number) => void,
  isWritten: boolean,
  depth = 0,
): Generator<Sent> {
  if (value === undefined || depth > 2) return
  const binding = bindingOf(value)
  // a method that sends what others of the file give it
  for (const definition of binding?.definitions ?? []) {
    if (definition.kind !== 'parameter' || definition.path.length > 0) continue
    step(facts.calls.length)
    for (const given of argumentsFor(definition, facts))
      if (given !== value) yield* ofObject(given, facts, step, isWritten, depth + 1)
  }
  const made = resolveValue(value)
  const fields = made.kind === 'object' ? made.fields.map(({ key, value: given }) => ({ key, given })) : []
  if (binding !== undefined) {
    step(facts.assignments.length)
    for (const { target, value: given } of facts.assignments)
      if (target.object.kind === 'reference' && target.object.binding === binding) fields.push({ key: target.name, given })
  }
  if (fields.some(({ key }) => key !== undefined && isPasswordName(key))) return
  for (const { key, given } of fields) if (key !== undefined) yield { field: key, value: given, isWritten }
}
