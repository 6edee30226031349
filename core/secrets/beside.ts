import type { Budget } from '../budget.ts'
import { lowerGrade, weakenEvidence, type Grade } from './grade.ts'
import { countLook } from './layers.ts'
import { COMMENT, isCommentedOut, LONGEST_LINE, withoutNotes } from './comments.ts'
import { lineBefore } from '../parse/position.ts'
import type { TokenRow } from './table/index.ts'
import { classifyName } from './names.ts'
import { hasOnePublicHost } from './file-hosts.ts'
import { statementBefore } from './surroundings.ts'
import { classifyHost, type HostClass } from '../hosts.ts'
import { isRandomLooking } from './randomness.ts'
import { isPlaceholder, isReference } from './values.ts'
import { addressOfLogon, isOfBasicHeader, isOfLogonCall, type LogonAddress } from './logon-calls.ts'
import { addressOfHeader, namesAddress } from './header-calls.ts'
import { saysWhoseKey } from './key-notes.ts'

/** What stands beside a credential: whose it is, and the host that takes it. */
interface Beside {
  readonly isIdentified: boolean
  /** The client of an SAP system, so that nothing of a login is missing. */
  readonly hasClient?: boolean
  /** The easiest to reach of the hosts. */
  readonly host?: HostClass
  /** The code logs on to that host with it: it is the one that is accepted there. */
  readonly isUsed?: boolean
  /** By a call that is given address and login together: nothing of it is left to find. */
  readonly isLogon?: boolean
}

const BEFORE = 800
const AFTER = 600

/** The text around a place in which its user and host are looked for, where its object is not known. */
function neighbourhoodOf(text: string, start: number, end: number): string {
  return text.slice(Math.max(0, start - BEFORE), end + AFTER)
}

/** A setting, or what code takes for it where the environment has none: `process.env.X ||`, PHP's `getenv('X') ?:` and Laravel's `env('X', …)`. */
const OWNERS =
  /(?<![A-Za-z])(?:user(?:[_-]?(?:name|id))?|uid|login|(?:user[_-]?)?e-?mail(?:[_-]?(?:id|addr(?:ess)?))?|client[_-]?id|(?:secret[_-]?)?access[_-]?key[_-]?id|account(?:[_-]?name)?|xsappname|hdi_user|tenant[_-]?id|app(?:lication)?[_-]?id|principal)\\{0,2}["'`]?\s{0,4}(?:[:=>]|=>|,)\s{0,4}(?:(?:process\.env[.\w[\]"']{2,80}|getenv\(["']\w{1,80}["']\)|\$_(?:ENV|SERVER)\[["']\w{1,80}["']\])\s{0,4}(?:\|\||\?\?|\?:)\s{0,4}|env\(["']\w{1,80}["'],\s{0,4})?\\{0,2}["'`]?([\w@.!|+-]{2,200})/gi
/** `hanaUser`, `smtpUserName`, `DBUser` */
const OWNER_MEMBERS =
  /[A-Za-z](?:User(?:[Nn]ame|I[dD])?|ClientI[dD]|Login|AccountName)["']?\s{0,4}[:=]\s{0,4}["'`]([\w@.!|+-]{2,200})["'`]/g
/** `-u user`, `--user user:password`, `user@host` of an address. */
const OWNER_FLAGS = /\s-{1,2}(?:u|user|username|email)[ =]["']?([\w@.!|+-]{2,100})/gi
/** `https://user:password@host` */
const OWNER_ADDRESSES = /:\/\/([\w.!|+-]{2,100}):/g
/** `Basic dXNlcjpwYXNz` */
const OWNER_HEADERS = /\bbasic\s{1,4}["']?([A-Za-z0-9+/]{12,200})/gi
/** `headers: { name: '…', password: '…' }`: of an object whose own name says that it is a login, `name` is its user. */
const OWNER_NAMES =
  /(?:headers|auth|credentials|login)["']?\s{0,4}[:=]\s{0,4}\{[^{}]{0,120}?(?<![\w-])["']?name["']?\s{0,4}:\s{0,4}["'`]([^"'`\s]{2,200})["'`],\s{0,60}["']?pass(?:word|wd)?["']?\s{0,4}:/gi
const OWNER_FORMS: readonly RegExp[] = [OWNERS, OWNER_MEMBERS, OWNER_FLAGS, OWNER_ADDRESSES, OWNER_HEADERS, OWNER_NAMES]
const ADDRESSES = /[a-z][a-z0-9+.-]{0,20}:\\{0,2}\/\\{0,2}\/(?:[^\s/@"'<>]{1,200}@)?([\w.-]{1,200}|\[[\da-f:]{2,40}\])/gi
/** `//npm.corp.cloud/:_authToken` */
const REGISTRIES = /(?<![\w/:])\/\/([\w.-]{1,200})(?=(?::\d{1,5})?\/)/g
const NAMED_HOSTS =
  /(?:host(?:[_-]?name)?|server(?:[_-]?(?:node|name))?|domain|endpoint|ashost|mshost|registry|data source|addr(?:ess)?)\\{0,2}["'`]?\s{0,4}[:=>]{1,2}\s{0,4}(?:(?:process\.env[.\w[\]"']{2,80}|getenv\(["']\w{1,80}["']\)|\$_(?:ENV|SERVER)\[["']\w{1,80}["']\])\s{0,4}(?:\|\||\?\?|\?:)\s{0,4}|env\(["']\w{1,80}["'],\s{0,4})?\\{0,2}["'`]?((?:[\w-]{1,63}\.){0,8}[\w-]{1,63})(?=[:"'`\s,;\\/<]|$)/gi
/** An address without its scheme, known by its port: `HANA_DB_URL=….hanacloud.ondemand.com:443`. */
const BARE_ADDRESSES = /ur[il]\\{0,2}["'`]?\s{0,4}[:=]\s{0,4}\\{0,2}["'`]?((?:[\w-]{1,63}\.){2,8}[a-z]{2,20})(?=:\d{2,5}(?!\d))/gi
/** Hosts of mail by their names. Fact: Nodemailer 7, "Well-known services". */
const MAIL_SERVICES =
  /service["'`]?\s{0,4}:\s{0,4}["'`](?:gmail|outlook365|outlook|hotmail|yahoo|zoho|sendgrid|mailgun|icloud|gmx)["'`]/i
/** What catches mails of tests and delivers none. Facts: documentation of Mailtrap (Email Sandbox), Ethereal, MailHog. */
const MAIL_SANDBOX = /\b(?:sandbox\.)?smtp\.mailtrap\.io\b|\bethereal\.email\b|\bmail(?:hog|pit)\b/i
/** Names of schemas and documents, which nobody logs in to. */
const DOCUMENTS =
  /^(?:www\.w3\.org|(?:json-)?schemas?\..{1,100}|json\.schemastore\.org|raw\.githubusercontent\.com|developer\..{1,100}|help\.sap\.com|maven\.apache\.org)$/i
/** `"conn_client": "100"`, `sap-client=100`, `mandant: 100`. Fact: a client of an ABAP system has three digits (SAP Help, "Client"). */
const SAP_CLIENT =
  /(?<![a-z])(?:(?:conn|sap|abap|logon)[-_]?)?(?:client|mandant|mandt)["'`]?\s{0,4}[:=]\s{0,4}["'`]?\d{3}(?![\w.])/i
const EASIEST: readonly HostClass[] = ['public', 'private', 'local']

/** Reads what stands beside a credential, in the text around it. `hostsIn`: that without comments, whose links are other hosts. */
function readBeside(around: string, hostsIn: string, budget: Budget): Beside {
  countLook(budget, around.length * 6)
  const isIdentified = OWNER_FORMS.some((form) =>
    [...around.matchAll(form)].some(([, owner = '']) => !isReference(owner) && !isPlaceholder(owner)),
  )
  const hosts = new Set(
    [ADDRESSES, REGISTRIES, NAMED_HOSTS, BARE_ADDRESSES].flatMap((form) =>
      [...hostsIn.matchAll(form)].flatMap(([, name = '']) => (DOCUMENTS.test(name) ? [] : [classifyHost(name)])),
    ),
  )
  if (MAIL_SERVICES.test(hostsIn)) hosts.add('public')
  const host = EASIEST.find((one) => hosts.has(one))
  return { isIdentified, hasClient: SAP_CLIENT.test(around), ...(host !== undefined && { host }) }
}

/** Where a credential stands. `text`: that its offsets belong to. */
export interface CredentialPlace {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Of the file, where the text is written in its language. */
  readonly path?: string | undefined
  /** Where its siblings are, if that is known. */
  readonly around?: string
  readonly isSample: boolean
  /** All of a service key of SAP stands there, so that its text proves it, whatever its file is for. */
  readonly isWholeKey?: boolean
}

/**
 * What a credential needs beside it, so that a stranger can use it; `hint`: anything that tells what it is for, without which its name is a guess;
 * `answering`: a user and a public host, or any other that the code logs on to with it, without which a password that everybody knows is a guess; with the client of an SAP system, or in a call
 * that logs on to a public host, nothing of the login is missing.
 */
export type Needs = TokenRow['needs'] | 'hint' | 'answering'

/** The grade of a credential where it stands: less evidence without what it needs, in samples, and in a comment. What is only for the machine itself opens nothing elsewhere. */
export function gradeAt(grade: Grade, needs: Needs, place: CredentialPlace, budget: Budget): Grade {
  const { text, start, end, path, isSample, isWholeKey = false } = place
  // a star begins an item of a list in notes
  if (isWholeKey && isSample)
    return isCommentedOut(text, start, path, budget) && !/^\s*\*/.test(lineBefore(text, start, LONGEST_LINE))
      ? weakenEvidence(grade)
      : grade
  // mails of tests end there: whoever has all of a login that was drawn reads these
  if ((needs === 'login' || needs === 'hint') && MAIL_SANDBOX.test(text.slice(Math.max(0, start - LINES), end + LINES))) {
    const isWhole = !isSample && isRandomLooking(text.slice(start, end)) && readAround(place, budget).isIdentified
    return isWhole ? { ...grade, impact: 'bounded' } : { ...lowerGrade(grade), evidence: 'guessed' }
  }
  if (needs === 'client') {
    const isComplete = grade.evidence === 'shown' && hasOauthClient(neighbourhoodOf(text, start, end), budget)
    return gradeAt(isComplete ? grade : weakenEvidence(grade), undefined, place, budget)
  }
  const known = withNeeds(grade, needs, () => {
    const { isIdentified, ...beside } = readAround(place, budget)
    const isCall = isOfLogonCall(text, start)
    const isHeader = isOfBasicHeader(text, start)
    const address = isCall ? addressOfLogon(text, start, budget) : 'unknown'
    const isSentOut = isHeader && isSentToPublic(place, budget)
    const { host, ...others } = beside
    const found = {
      isIdentified: isIdentified || (needs !== 'hint' && hasUserInFront(text, start)),
      isLogon: (isSentOut || (address !== 'unknown' && address !== 'relative')) && !isCommentedOut(text, start, path, budget),
      isUsed: needs === 'answering' && (isCall || isHeader),
      ...others,
      ...withHost(isSentOut ? 'public' : address, host),
    }
    if (needs === 'login' && beside.host === undefined && hasOpenAddress(text, start, budget))
      return { isIdentified: true, host: 'public' }
    return needs === 'hint' && beside.host === undefined && saysWhoseKey(text, end) ? { ...found, host: 'public' } : found
  })
  if (isSample) {
    const isInvented = needs !== undefined && PLACEHOLDER_BESIDE.test(text.slice(Math.max(0, start - LINES), end + LINES))
    return { ...lowerGrade(known), ...(isInvented && { evidence: 'guessed' as const }) }
  }
  const isLess = known.evidence === 'shown' || (needs === 'answering' && known.evidence === 'assumed')
  if (!(isLess || known.lacks !== undefined) || !isCommentedOut(text, start, path, budget)) return known
  const { lacks: _, ...told } = known
  return isLess ? weakenEvidence(told) : told
}

/** A header goes where its request does; where that isn't known, to a host that stands beside it as the address of a server. */
function isSentToPublic({ text, start, end, path }: CredentialPlace, budget: Budget): boolean {
  const address = addressOfHeader(text, start, budget)
  if (address !== 'unknown') return address === 'public'
  const around = neighbourhoodOf(text, start, end)
  countLook(budget, around.length)
  return namesAddress(withoutNotes(around, path, budget), isPublicAddress)
}

/** Of a call that logs on its own address counts: a link in a comment beside it is another one. */
function withHost(address: LogonAddress, beside: HostClass | undefined): Pick<Beside, 'host'> {
  const host = address === 'unknown' ? beside : address === 'relative' ? undefined : address
  return host === undefined ? {} : { host }
}

/**
 * By the object of a credential; where that names no host, by what it is a part of: `createTransport({ host, auth: { user, pass } })`, `post(url, { … })`;
 * where a variable holds it, by that: `url = 'https://…'; new ODataModel(url, { user, password })`.
 */
function readAround({ text, start, end, around, path }: CredentialPlace, budget: Budget): Beside {
  const isNote = isCommentedOut(text, start, path, budget)
  const read = (part: string): Beside => readBeside(part, isNote ? part : withoutNotes(part, path, budget), budget)
  const beside = read(around ?? neighbourhoodOf(text, start, end))
  if (beside.host !== undefined) return beside
  if (around === undefined) return isOfHeaderAlone(text, start, budget) ? { ...beside, host: 'public' } : beside
  if (isSetWithLogin(text, start, end, around, budget)) return { ...beside, isIdentified: true, host: 'public' }
  const before = statementBefore(text, start)
  const { isIdentified, host = hostOfVariable(text, start, before, around, budget) } = read(before)
  if (
    host === undefined &&
    beside.isIdentified &&
    !isOfDatabase(text, start, end, before + around) &&
    hasOnePublicHost(text, start, budget)
  )
    return { ...beside, host: 'public' }
  return { isIdentified: beside.isIdentified || isIdentified, ...(host !== undefined && { host }) }
}

/** `Authorization: 'Basic …'` of a function that makes the headers of all requests: they go to the one public host that the file names. */
function isOfHeaderAlone(text: string, start: number, budget: Budget): boolean {
  return (
    BASIC_IN_FRONT.test(text.slice(Math.max(0, start - 40), start)) &&
    addressOfHeader(text, start, budget) === 'unknown' &&
    hasOnePublicHost(text, start, budget)
  )
}

const BASIC_IN_FRONT = /authorization["'`]?\s{0,4}\]?\s{0,4}[:=,]\s{0,8}["'`]basic\s{1,4}$/i

/** The code around a login may connect with it in the next statement. */
function isOfDatabase(text: string, start: number, end: number, own: string): boolean {
  return DATABASE.test(own) || DATABASE.test(text.slice(Math.max(0, start - LINES), end + LINES))
}

/** Drivers take the own machine where nothing names a host. */
const DATABASE =
  /createPool|createConnection|\.connect\(|\bhana(?!\.ondemand)|new (?:Pool|Client|Sequelize)\b|\b(?:dialect|database)["']?\s{0,4}:/i

/** `{ "key": "MAIL_PASSWORD", "value": "…" }`: of a list of settings, as environments of Postman and container services are. */
const SETTING =
  /(?<![\w-])["']?(?:key|name)["']?\s{0,4}:\s{0,4}["']([\w.-]{1,80})["'],\s{0,60}["']?value["']?\s{0,4}:\s{0,4}["']([^"'\s]{2,300})["']/gi
const PASSWORD_SETTING = /^(.{0,60}?)[_.-]?(?:pass(?:word|wd)?|pwd)$/i
const USER_SETTING = /^(.{0,60}?)[_.-]?(?:user(?:[_-]?(?:name|id))?|login|uid|e-?mail)$/i
const SET_ADDRESS = /^(?:https?|wss?|jdbc:\w{1,20}):\/\/([\w.-]{3,200})/i

/** Whether a password is one of such a list that sets the user of the same system, `MAIL_USER`, and the address of a public host, too. */
function isSetWithLogin(text: string, start: number, end: number, around: string, budget: Budget): boolean {
  const own = [...around.matchAll(SETTING)].at(-1)?.[1] ?? ''
  const system = PASSWORD_SETTING.exec(own)?.[1]?.toLowerCase()
  if (system === undefined) return false
  const list = neighbourhoodOf(text, start, end)
  countLook(budget, list.length)
  const settings = [...list.matchAll(SETTING)]
  const isIdentified = settings.some(
    ([, name = '', value = '']) =>
      USER_SETTING.exec(name)?.[1]?.toLowerCase() === system && !isReference(value) && !isPlaceholder(value),
  )
  return isIdentified && settings.some(([, , value = '']) => isPublicAddress(SET_ADDRESS.exec(value)?.[1] ?? ''))
}

function isPublicAddress(host: string): boolean {
  return host !== '' && !DOCUMENTS.test(host) && classifyHost(host) === 'public'
}

/** `('SVC_TOURS', 'value')`, `'SVC_TOURS:value'`, `'SVC_TOURS' + ':' + 'value'` */
const IN_FRONT =
  /["'`]([\w@.\\!|+-]{2,80})(?:["'`]\s{0,4},\s{0,20}["'`]|:|:["'`]\s{0,4}\+\s{0,4}["'`]|["'`]\s{0,4}\+\s{0,4}["'`]:["'`]\s{0,4}\+\s{0,4}["'`])$/

/** Whether a user stands in front of a password by position: the argument before it, or the first part of a pair. */
function hasUserInFront(text: string, start: number): boolean {
  const user = IN_FRONT.exec(text.slice(Math.max(0, start - 120), start))?.[1]
  return user !== undefined && classifyName(user) === undefined && !isReference(user) && !isPlaceholder(user)
}

/** The client of Google that a refresh token was given to. Fact: Google Identity, "Using OAuth 2.0 for Web Server Applications", refreshing a token takes client_id and client_secret. */
function hasOauthClient(around: string, budget: Budget): boolean {
  countLook(budget, around.length * 2)
  return CLIENT_ID.test(around) && CLIENT_SECRET.test(around)
}

const CLIENT_ID = /\b\d{6,20}-\w{20,40}\.apps\.googleusercontent\.com\b/
const CLIENT_SECRET = /\bGOCSPX-[\w-]{28}|client_?secret["'`]?\s{0,4}[:=]\s{0,4}["'`][\w-]{20,60}["'`]/i

/** The address of a database in which the password is left open: `mongodb+srv://shop:<password>@host`. */
const OPEN_ADDRESS =
  /(?:mongodb(?:\+srv)?|postgres(?:ql)?|mysql|mariadb|rediss?|amqps?):\/\/[\w.-]{2,80}:(?:<[^<>\s]{1,60}>|\$?\{{1,2}[\w. ]{1,60}\}{1,2}|\$[A-Z_]{2,60}|%[A-Z_]{2,60}%|[A-Z_]{4,60})@([\w.-]{3,200})/g
/** Before or behind a password of that database. */
const ADDRESS_REACH = 20_000
/** `MONGODB_PASSWORD`, `DB_PASSWORD`. */
const OF_DATABASE =
  /(?:mongo|atlas|postgres|pg|mysql|maria|redis|amqp|rabbit|db|database)[\w-]{0,20}pass?w(?:or)?d["'`]?\s{0,4}[:=]\s{0,4}["'`]?$/i

/** Whether a password is called one of a database whose address stands elsewhere in the text, with its user and a public host. */
function hasOpenAddress(text: string, start: number, budget: Budget): boolean {
  if (!OF_DATABASE.test(text.slice(Math.max(0, start - 80), start))) return false
  const reach = text.slice(Math.max(0, start - ADDRESS_REACH), start + ADDRESS_REACH)
  countLook(budget, reach.length)
  return [...reach.matchAll(OPEN_ADDRESS)].some(([, host = '']) => classifyHost(host) === 'public')
}

/** Of settings that stand together. */
const SETTINGS_BEFORE = 400
const SETTINGS_BEHIND = 300

/**
 * Whether a text for people shows the user and the public host of a password as settings: links to documentation are hosts of everything that it tells.
 */
export function isShownWithLogin({ text, start, end }: Pick<CredentialPlace, 'text' | 'start' | 'end'>, budget: Budget): boolean {
  if (hasOpenAddress(text, start, budget)) return true
  const around = text.slice(Math.max(0, start - SETTINGS_BEFORE), end + SETTINGS_BEHIND)
  countLook(budget, around.length * 2)
  const hosts = [...around.matchAll(NAMED_HOSTS)].map(([, name = '']) => name)
  return (
    hosts.some((name) => !DOCUMENTS.test(name) && classifyHost(name) === 'public') &&
    [...around.matchAll(OWNERS)].some(([, owner = '']) => !isReference(owner) && !isPlaceholder(owner))
  )
}

/** The variable that is handed on in front of an object, or as the address in it. */
const HANDED = /[(,]\s{0,20}([A-Za-z_$][\w$]{0,60})\s{0,4},\s{0,20}$/
const ADDRESSED = /(?:url|uri|host|hostname|server|endpoint)["']?\s{0,4}:\s{0,4}([A-Za-z_$][\w$]{0,60})\s{0,4}(?=[,}\n])/i
/** What a variable is given, in front of where it is handed on. */
const VARIABLE_REACH = 4000

/** The class of the host that a variable was last given. */
function hostOfVariable(text: string, start: number, before: string, around: string, budget: Budget): HostClass | undefined {
  const given = GIVEN_OBJECT.exec(before)?.[1]
  if (given !== undefined) return hostGiven(text, start, given, budget)
  const name = HANDED.exec(before)?.[1] ?? ADDRESSED.exec(around)?.[1]
  if (name === undefined) return undefined
  const reach = text.slice(Math.max(0, start - VARIABLE_REACH), start)
  countLook(budget, reach.length)
  for (let at = reach.lastIndexOf(name); at > 0; at = reach.lastIndexOf(name, at - 1)) {
    if (/[\w$.]/.test(reach[at - 1] ?? '')) continue
    const host = GIVEN_ADDRESS.exec(reach.slice(at + name.length, at + name.length + 260))?.[1]
    if (host !== undefined && !COMMENT.test(lineBefore(reach, at, LONGEST_LINE).trimStart())) return classifyHost(host)
  }
  return undefined
}

/** `const payload = {` */
const GIVEN_OBJECT = /\b(?:const|let|var)\s{1,4}([A-Za-z_$][\w$]{0,60})\s{0,4}=\s{0,20}$/
/** The address in front of an argument: `post('https://…', `. */
const SENT_TO = /\(\s{0,20}["'`]https?:\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})[^"'`\n]{0,200}["'`]\s{0,4},\s{0,20}$/

const SENT_REACH = 300

/** The class of the host that an object is sent to by its variable. */
function hostGiven(text: string, start: number, name: string, budget: Budget): HostClass | undefined {
  const reach = text.slice(start, start + VARIABLE_REACH)
  countLook(budget, reach.length)
  for (let at = reach.indexOf(name); at > 0; at = reach.indexOf(name, at + 1)) {
    if (!/[,\s]/.test(reach[at - 1] ?? '') || /[\w$]/.test(reach[at + name.length] ?? '')) continue
    countLook(budget, SENT_REACH)
    const host = SENT_TO.exec(reach.slice(Math.max(0, at - SENT_REACH), at))?.[1]
    if (host !== undefined) return classifyHost(host)
  }
  return undefined
}

const GIVEN_ADDRESS = /^\s{0,4}=\s{0,20}["'`](?:https?:\/\/)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?=[:/"'`])/

/** `url = https://<your-account>…`: what stands beside one is mostly no more real. */
const PLACEHOLDER_BESIDE = /[=:/]\s{0,2}["']?<[A-Za-z][\w .-]{2,40}>/
/** Some lines. */
const LINES = 240

function withNeeds(grade: Grade, needs: Needs, beside: () => Beside): Grade {
  if (needs === undefined || grade.evidence !== 'shown') return grade
  const { isIdentified, hasClient = false, host, isUsed = false, isLogon = false } = beside()
  if (needs !== 'identity' && host === 'local') return { ...grade, evidence: 'guessed' }
  if (needs === 'answering') {
    const isReached = isIdentified && (host === 'public' || (isUsed && host === 'private'))
    const isWhole = hasClient || (isLogon && host === 'public')
    return isReached && isWhole ? grade : { ...grade, evidence: isReached ? 'assumed' : 'guessed' }
  }
  if (needs === 'hint') return { ...grade, evidence: isIdentified || host !== undefined ? 'assumed' : 'guessed' }
  const isComplete = (needs === 'host' || isIdentified) && (needs === 'identity' || host === 'public')
  if (isComplete) return grade
  return { ...grade, evidence: 'assumed', ...(isIdentified && host === undefined && { lacks: 'host' as const }) }
}
