import type { Budget } from '../budget.ts'
import { isPublicHost } from '../hosts.ts'
import type { Assignment } from './assignments.ts'
import { isCommentedOut, withoutNotes } from './comments.ts'
import { addressOfHeader } from './header-calls.ts'
import { saysWhoseKey } from './key-notes.ts'
import { countLook } from './layers.ts'
import { isDrawn } from './made-up.ts'
import { isRandomLooking } from './randomness.ts'
import { objectAround } from './surroundings.ts'

/** Requests that developers send: of REST clients, of Bruno. */
export const REQUESTS: RegExp = /\.(?:http|rest|bru)$/i

/** A file as far as it tells where a key of it goes. */
interface KeyFile {
  readonly path: string
  readonly isSample: boolean
}

/** Whether the file itself shows that a drawn key is sent to a public host, which asks for nothing else: all that a stranger needs stands there. */
export function isSentToPublic(key: Assignment, text: string, { path, isSample }: KeyFile, budget: Budget): boolean {
  if (REQUESTS.test(path)) return isDrawn(key.value) && (isHeaderSent(key, text, budget) || isHandedOn(key, text, path))
  if (!isDrawn(key.value) && !(HEX.test(key.value) && isRandomLooking(key.value))) return false
  if (isSample || !OF_API.test(key.name) || isCommentedOut(text, key.start, path, budget)) return false
  return (
    saysWhoseKey(text, key.end) ||
    isBesideAddress(key, text, path, budget) ||
    addressOfHeader(text, key.start, budget) === 'public' ||
    isSentByName(key, text, path, budget) ||
    isGivenToPackage(key, text, budget)
  )
}

/** 16 to 32 bytes. */
const HEX = /^[\da-f]{32,64}$/i

const REQUEST_LINES = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD) {1,4}https?:\/\/([\w.-]{1,200})/gm
/** From the line of a request to its headers. */
const REQUEST_REACH = 2000

/** `X-API-Key: …` of a request that goes to a public host. */
function isHeaderSent({ nameStart, name }: Assignment, text: string, budget: Budget): boolean {
  if ((text[nameStart - 1] ?? '\n') !== '\n' || text[nameStart + name.length] !== ':') return false
  const before = text.slice(Math.max(0, nameStart - REQUEST_REACH), nameStart)
  countLook(budget, before.length)
  return isPublicHost([...before.matchAll(REQUEST_LINES)].at(-1)?.[1])
}

/** `"PaymentApiKey"`, no `"X-Api-Key"` and `"testApiKey"`. */
const KEY_OF_SYSTEM = /^(?!(?:my|the|test|demo|local|mock|user|client|server|app|service|x)[_-]?api)[a-z]\w{2,40}api_?key$/i

/** `"PaymentApiKey": "…"` in the body of a request: the own server takes it for the system that it calls, and the key is that system's. */
export function isHandedOn({ name, nameStart }: Assignment, text: string, path: string): boolean {
  return REQUESTS.test(path) && text[nameStart - 1] === '"' && KEY_OF_SYSTEM.test(name)
}

/** What an API asks for alone: with a client secret goes the client, with a signing key nothing is called. */
const OF_API = /(?:api|access|subscription|auth(?:orization)?|bearer)[-_]?(?:key|token)$/i

/** The address that an object of settings holds: `baseURL: 'https://…'`, `"endpoint": "https://…"`. */
const ADDRESS_SETTING =
  /(?:ur[il]|host(?:_?name)?|server|endpoint|base_?(?:path|address))["']?\s{0,4}[:=]\s{0,4}["'`](?:https?:\/\/)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?=[:/"'`])/gi
/** What that is for people or for the way back. */
const OTHER_ADDRESS =
  /(?:help|docs?|documentation|home_?page|website|image|logo|icon|callback|redirect|return|success|cancel)_?$/i

/** Whether the object that a key stands in has a public address beside it. */
function isBesideAddress({ nameStart, end }: Assignment, text: string, path: string, budget: Budget): boolean {
  const object = objectAround(text, nameStart, end)
  if (object === undefined) return false
  countLook(budget, object.length)
  return [...withoutNotes(object, path, budget).matchAll(ADDRESS_SETTING)].some(
    ({ 1: host, index, input }) => isPublicHost(host) && !OTHER_ADDRESS.test(input.slice(Math.max(0, index - 20), index)),
  )
}

/** A constant and what it is given. */
const CONSTANT = /(?:\b(?:const|let|var|final|static)\s[^\n=;{}()]{0,60}|[\w$]\.)$/
const USE_REACH = 20_000
const MOST_USES = 20
/** `https://api.haus.de/v1?key=${` and `'https://api.haus.de/v1?key=' +`, with whatever stands between. */
const IN_ADDRESS =
  /["'`]https?:\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})[/:?](?:[^"'`\n]{0,300}\$\{\s{0,4}|[^\n;]{0,300}\+\s{0,4})$/

/** Whether a constant is sent to a public host by its name: in the address of a request, or in its options. */
function isSentByName({ name, nameStart, end }: Assignment, text: string, path: string, budget: Budget): boolean {
  if (!/^[A-Za-z_$][\w$]{0,80}$/.test(name) || !CONSTANT.test(text.slice(Math.max(0, nameStart - 80), nameStart))) return false
  const last = Math.min(text.length, end + USE_REACH)
  countLook(budget, last - end)
  let uses = 0
  for (let at = text.indexOf(name, end); at !== -1 && at < last && uses < MOST_USES; at = text.indexOf(name, at + 1)) {
    if (/[\w$]/.test(text[at - 1] ?? '') || /[\w$]/.test(text[at + name.length] ?? '')) continue
    uses++
    countLook(budget, 400)
    const before = text.slice(Math.max(0, at - 400), at)
    if (isCommentedOut(text, at, path, budget)) continue
    if (isPublicHost(IN_ADDRESS.exec(before)?.[1]) || addressOfHeader(text, at, budget) === 'public') return true
  }
  return false
}

/** `new Search({`, `await getRows({` in front of an option, whose address the package of the name knows. */
const CALL = /(?:\bnew\s{1,4}|(?<![\w$.]))([A-Za-z_$][\w$]{0,60})(?:\.[\w$]{1,60}){0,3}\(\s{0,20}\{[^{}]{0,600}$/
const HEAD = 20_000

/** Whether an object with a key is what a function or class of a package is given: the package knows the host. */
function isGivenToPackage({ nameStart }: Assignment, text: string, budget: Budget): boolean {
  countLook(budget, 800)
  const name = CALL.exec(text.slice(Math.max(0, nameStart - 800), nameStart))?.[1]
  if (name === undefined) return false
  const head = text.slice(0, Math.min(nameStart, HEAD))
  countLook(budget, head.length)
  return [...head.matchAll(LOADS)].some(
    ([, imported = '', source = '', required = imported, loaded = source]) =>
      !FOR_PAGES.test(loaded) && required.split(/[^\w$]{1,20}/).includes(name),
  )
}

/** `import Search, { Rows as Lines } from 'search-rows'`, `const { Rows } = require('search-rows')`: the names of what is of a package. */
const LOADS =
  /\bimport\s([^'";\n()]{1,200})\sfrom\s{1,4}['"](?![./]|node:|@sap\/cds)([\w@][\w@./-]{0,100})|\b(?:const|let|var)\s{1,4}([^=;\n()]{1,200})=\s{0,4}require\(\s{0,4}['"](?![./]|node:|@sap\/cds)([\w@][\w@./-]{0,100})/g
/** Packages of pages, whose keys browsers get: of maps, of a search, of figures on visits. Facts: their documentation (DocSearch, Maps JavaScript API, PostHog, Amplitude). */
const FOR_PAGES =
  /docsearch|instantsearch|algoliasearch|maps|mapbox|maplibre|leaflet|posthog|amplitude|mixpanel|analytics|firebase|captcha|bugsnag|rollbar|datadog|intercom/i
