import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { excerptOf } from '../../facts/excerpt.ts'
import { constantOf, functionAround, valuesOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import type { HandedTo } from './_app-methods.ts'
import { fieldsSent, HARMLESS, parametersSet, textsSent, USER_FIELD, type Sent } from './_sent-fields.ts'
import { createUnusedReader } from './_unused-filters.ts'
import { identityOf, isNamedCaller, type Identity } from './_user-identities.ts'

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
  /** The address of the request, if that names a host. */
  readonly address?: string
  /** The entity that the request names. */
  readonly entity?: string
  /** The function of the app that may send it. */
  readonly by?: HandedTo
}

/** Fields that say who acts: a person whom the code names is none who is looked for. */
const ACTOR =
  /^(?:[iep][vm]?_?|p_)?(?:(?:acting|action|logged_?|current_?|session_?|request_?)?_?user(?:_?(?:id|name))?|uname|ernam|buyer(?:_?id)?|approver(?:_?(?:id|name|user))?|(?:created|changed|modified|approved|rejected|submitted|posted|requested)_?by|request(?:er|or)|initiator)$/i
/** Of these the ones whose decisions are open, what lists those, and a person as systems name one: capitals alone are as often a status or a kind of person. */
const DECIDER = /^(?:[iep][vm]?_?|p_)?(?:user(?:_?(?:id|name))?|uname|approver(?:_?(?:id|name|user))?)$/i
const LISTS_DECISIONS = /approv|inbox|work_?items?|pending|genehmig|freigabe|aproba|aprova/i
const PERSON =
  /^(?!(?:LEVEL|STAGE|STEP|ROLE|GROUP|TYPE|TEAM|STAT)[A-Z_]{0,8}\d)[A-Z](?=[A-Z_]{0,10}\d)[A-Z\d_]{3,11}$|^[\w.-]{1,60}@[\w.-]{1,60}$/
/** No person, but what stands for one, or for none. */
export const NOBODY: RegExp =
  /^(?:.?|n\/?a|x+|me|self|new|user(?:name|id)?|current.?user|system|anonym\w*|guest|unknown|dummy|test\w*|demo\w*|sample|default|batch|null|undefined|all|none)$/i
/** Such a field with a text. */
const NAMES_PERSON =
  /(?:user(?:_?(?:id|name))?|uname|ernam|buyer(?:_?id)?|approver(?:_?(?:id|name|user))?|[dt]_?by|request(?:er|or)|initiator)["']?\s{0,4}:\s{0,4}["'][\w@. -]{2,60}["']/iy
const PERSON_WORDS = 'user uname ernam buyer approver dby d_by tby t_by requester requestor initiator'.split(' ')
/** The role in which a row is asked for, beside its other keys. */
const ROLE_KEY =
  /^\/?(\w{2,60})\((?:[^()]{1,200},)?\s{0,4}((?:[iep]v?_)?(?:user|current|my)?_?role(?:_?(?:id|name|type))?)='([A-Za-z]\w{1,40})?/i
const NAMES_ROLE = /role\w{0,5}=(?:\\?'|\\x27|\\u0027)/i
/** What is kept of roles has them for keys. */
const OF_ROLES = /role|auth|perm|assign|member/i
/** Entities of users: their keys name the one who is looked at. */
const USERS = /\/(?:[a-z]{1,3}_)?(?:users?|usuarios?)(?:_?set)?\(?$/i
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
  /\bFilter\(|\seq '|='["'`$]|[?&]\w{2,40}=["'`$]|\burlParameters\b|\bcreate(?:Key|Entry)\(|\.create\(|\.set(?:Parameter|Property)\(|\bURLSearchParams\b|JSON\.stringify|\.\w{0,30}(?:ajax|fetch|request|post|put|patch|call|send|save|submit|create)\w{0,30}\(/i
/** A field of a user in front of a value. */
const NAMES_USER =
  /(?:(?:user|usuario|benutzer)\w{0,12}|(?<=(?<![\w$])(?:[iep][vm]?_?|p_)?)(?:[ub]name|ernam|created_?by|requested_?by|request(?:er|or)|owner(?:_?id)?))(?:\s{1,4}eq\s|='?["'`$]|["']?\s{0,4}[:,]\s|["']\s{0,4},|\s=\s)/iy
const USER_WORDS =
  'user usuario uname bname ernam benutzer createdby created_by requestedby requested_by requester requestor owner'.split(' ')
/** What the page keeps of its user is read. */
const KEEPS_USER =
  /\.get(?:Item)?\(\s{0,4}["'`]\w{0,30}(?:user|usuario|employee|logged|login)|\bUserInfo\b|\.getUser(?:Name|Id|Mail|Email)?\(\)|\/log(?:in|ged)\w{2,20}["'`]|document\.cookie|(?:local|session)Storage\.\w{0,30}user/iy
const KEEPING_WORDS = [
  '.get(',
  '.getitem(',
  'userinfo',
  '.getuser',
  'localstorage.',
  'sessionstorage.',
  '/login',
  '/logged',
  'document.cookie',
]
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
    'getUserName(',
    'getUserId(',
    'getUserEmail(',
    'getUserMail(',
    'setParameter(',
    '.create(',
    '.ajax(',
    'fetch(',
    'JSON.stringify',
    'document.cookie',
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
  const seen = new Set<string>()
  let unused: ((filter: CallValue) => boolean) | undefined
  for (const sent of allSent(facts, text, step)) {
    const { field, value, isWritten, filter, isPart, request, by, address } = sent
    // one object may go to several functions, of which one sends it
    const key = `${value.start} ${by === undefined ? '' : `${by.method} ${by.index} ${by.field ?? ''}`}`
    const who = seen.has(key) ? undefined : whoIn(sent, facts, step)
    if (who === undefined) continue
    const { identity, named, models, isUnnamed } = who
    if (filter !== undefined && (unused ??= createUnusedReader(facts, step))(filter)) continue
    const isFilter = filter !== undefined || (isPart === true && isInFilter(value, text))
    if (!isWritten && isViewOfAll(value, facts, isFilter)) continue
    step(requests.length)
    const around = requests.findLast((span) => isWithin(value, span))
    const path = around?.args[0] === undefined ? '' : leadingTextOf(around.args[0]).text
    if (named === 'listed' && !LISTS_DECISIONS.test(path)) continue
    if (HARMLESS.test(path) || (identity === 'unsure' && USERS.test(path))) continue
    seen.add(key)
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
      ...(by !== undefined && { by }),
      ...(address !== undefined && { address }),
    }
  }
  yield* rolesSent(facts, text)
}

function* allSent(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<Sent> {
  yield* textsSent(facts, text)
  yield* fieldsSent(facts, (sent) => whoIn(sent, facts, step) !== undefined, step)
  yield* parametersSet(facts, step)
}

interface Who {
  readonly identity: SentIdentity['identity']
  /** A person whom the code names. */
  readonly named: 'named' | 'listed' | undefined
  /** Properties of models that it is read from. */
  readonly models: ReadonlySet<string>
  readonly isUnnamed: boolean
}

/** The user whom a field may hold. */
function whoIn(sent: Sent, facts: ScriptFacts, step: (count?: number) => void): Who | undefined {
  const { field, value, isPart, by } = sent
  const constant = constantOf(value)
  const named = typeof constant === 'string' && !NOBODY.test(constant) ? personNamed(sent, constant) : undefined
  // most fields hold constants that name nobody: the request around those is not looked for
  if (constant !== undefined && named === undefined) return undefined
  const models = new Set<string>()
  const identity = named ?? identityOf(value, facts, step, models)
  const isUnnamed = identity === 'unsure' && !USER_FIELD.test(field)
  // of a field that a function of the app may send, its name or its value has to say it
  if (identity === undefined || (by !== undefined && identity === 'unsure')) return undefined
  return isUnnamed && (isPart !== true || models.size === 0) ? undefined : { identity, named, models, isUnnamed }
}

function entityOf(request: CallValue | undefined): string | undefined {
  const [path] = request?.args ?? []
  return path && /^\/?(\w{1,100})/.exec(leadingTextOf(path).text)?.[1]
}

/** A person whom the code names: who acts, by the field or by the name of the constant, or whose open decisions a list shows, where it is one of those. */
function personNamed({ field, value, filter, isPart, isWritten }: Sent, person: string): 'named' | 'listed' | undefined {
  if (filter !== undefined) return DECIDER.test(field) && PERSON.test(person) ? 'listed' : undefined
  return isPart === undefined && (ACTOR.test(field) || (isWritten && isNamedCaller(value))) ? 'named' : undefined
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
  if (!NAMES_ROLE.test(text)) return
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
