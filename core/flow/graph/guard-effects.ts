import type { CheckingScript } from './input.ts'
import { createAssertedReader } from './asserted.ts'
import {
  createGuardReader,
  isAnswered,
  isAnsweredByFunctions,
  isChecked,
  isExamined,
  isHostChecked,
  isKeptInFolder,
  isOfFormAlone,
  isOfFormWith,
  isPrefixChecked,
  keyOf,
  mayClimb,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import {
  EXAMINED_CLEANS,
  FOLDER_CHECK_CLEANS,
  HOST_CHECK_CLEANS,
  PREFIX_CHECK_CLEANS,
  SIGNED_CLEANS,
  TAGS_ESCAPED,
} from '../tables/propagators.ts'
import { HTML_FAULTS, ORIGIN_CHECK_CLEANS, SCHEME_CHECK_CLEANS } from '../tables/web.ts'
import type { Realm } from '../types.ts'
import { decodingOf, type Decoding } from './decoding.ts'
import { createHandedReader } from './checked-elsewhere.ts'
import type { GuardEffect } from './draft.ts'
import { isMadeOfChecked } from './derived-checks.ts'
import { isOriginChecked } from './origin-checks.ts'
import { createPresenceTest } from './presence.ts'
import { isRefused } from './refused-characters.ts'
import { isSigned, MAKES_DIGESTS } from './signatures.ts'
import { isSchemeChecked } from './scheme-checks.ts'

/** A condition is asked a dozen questions about a value. */
const CHECK_STEPS = 4

/**
 * Tells what conditions on the way make of a value. A name is read again and again below the same conditions, so what they make of it is worked out once: it is
 * the same for whatever is written alike and means the same place.
 */
export function createEffectReader(script: CheckingScript): (value: Value) => GuardEffect | undefined {
  const { facts, text, realm, step } = script
  const assertedOf = createAssertedReader(script)
  const isHanded = realm === 'server' ? createHandedReader(facts, text, step) : () => false
  const isPresence = realm === 'browser' ? createPresenceTest(facts) : () => false
  const guardsAt = createGuardReader(
    facts.guards.filter(({ test }) => !isPresence(test)),
    step,
  )
  const known = new Map<readonly Guard[], Map<string, GuardEffect | undefined>>()
  // half of what conditions cost is the search for hosts, which few scripts read
  const readsHosts = READS_HOST.test(text)
  const reads = {
    digests: MAKES_DIGESTS.test(text),
    tags: READS_TAG.test(text),
    quotes: READS_QUOTE.test(text),
    schemes: READS_SCHEME.test(text),
    lists: READS_LISTED.test(text),
    origins: READS_ORIGIN.test(text) || (text.includes('startsWith') && text.includes('.some(')),
  }
  const decoded = realm === 'server' && DECODES.test(text) ? decodedIn(facts) : new Map<Value, Decoding>()
  return (value) => {
    const effect = effectOfValue(value)
    const decoding = effect === undefined ? undefined : decoded.get(value)
    if (decoding === undefined) return effect
    return STAYS[decoding].includes(effect ?? '') && !(decoding === 'escapes' && letsEscapes(value)) ? effect : undefined
  }
  /** `/^[\w%-]+$/` lets `%2e%2e%2f` through. */
  function letsEscapes(value: Value): boolean {
    const guards = guardsAt(value.start)
    step(guards.length * CHECK_STEPS)
    return isOfFormWith({ guards }, value, value.start, '%')
  }
  function effectOfValue(value: Value): GuardEffect | undefined {
    const asserted = assertedOf(value)
    if (asserted !== undefined) return asserted
    if (isHanded(value)) return 'handed'
    const guards = guardsAt(value.start)
    if (guards.length === 0) return undefined
    const own = known.get(guards) ?? new Map<string, GuardEffect | undefined>()
    known.set(guards, own)
    const written = `${text.slice(value.start, value.end)} ${keyOf(value) ?? ''}`
    if (own.has(written)) return own.get(written)
    step(guards.length * CHECK_STEPS)
    const effect = effectOf(guards, value, realm, readsHosts, reads)
    own.set(written, effect)
    return effect
  }
}

/** As `isHostChecked` asks for it. */
const READS_HOST = /\b(?:host(?:name)?|origin)\b/
/** The same for `isRefused`, `isSchemeChecked` and `isOriginChecked`. */
const READS_TAG = /(['"`])<\1|\/[^/\n]{0,60}</
const READS_QUOTE = /"'"|`'`|\/[^/\n]{0,60}'/
const READS_LISTED = /(['"`])\.\.\1/
const READS_ORIGIN = /\b(?:origin|host(?:name)?|validate)\b|["'`](?:https?:\/\/|\/)|\^\(?(?:\?:)?(?:https?|#|\\{0,2}\/)/
const READS_SCHEME = /http|\bprotocol\b|\^\\?\//

interface Reads {
  readonly digests: boolean
  readonly tags: boolean
  readonly quotes: boolean
  readonly schemes: boolean
  readonly lists: boolean
  readonly origins: boolean
}

function effectOf(
  guards: readonly Guard[],
  value: Value,
  realm: Realm,
  readsHosts: boolean,
  reads: Reads,
): GuardEffect | undefined {
  const isSure = isChecked({ guards }, value, value.start)
  if (realm === 'browser') return isSure ? 'clean' : browserEffectOf(guards, value, reads)
  if (isSure || isAnswered({ guards }, value, value.start)) {
    if (isAnsweredByFunctions({ guards }, value, value.start)) return 'answered'
    return isSure && isOfFormAlone({ guards }, value, value.start) ? 'form' : 'clean'
  }
  const isPrefixed = isPrefixChecked({ guards }, value, value.start)
  if (isPrefixed && !mayClimb({ guards }, value, value.start)) return 'prefix'
  const isInFolder =
    isKeptInFolder({ guards }, value, value.start) || (reads.lists && isRefused({ guards }, value, value.start, '..'))
  if (isInFolder) return isPrefixed ? 'prefix' : 'folder'
  if (isPrefixed) return 'begin'
  if (reads.quotes && isRefused({ guards }, value, value.start, "'")) return 'unquoted'
  if (reads.tags && isRefused({ guards }, value, value.start, '<')) return 'untagged'
  if (readsHosts && isHostChecked({ guards }, value, value.start)) return 'host'
  if (reads.digests && isSigned(guards, value, value.start)) return 'signed'
  if (value.kind === 'reference' && isMadeOfChecked({ guards }, value)) return 'clean'
  return isExamined({ guards }, value, value.start) ? 'examined' : undefined
}

function browserEffectOf(guards: readonly Guard[], value: Value, reads: Reads): GuardEffect | undefined {
  if (reads.origins && isOriginChecked({ guards }, value, value.start)) return 'origin'
  if (reads.tags && isRefused({ guards }, value, value.start, '<')) return 'unmarked'
  if (reads.quotes && isRefused({ guards }, value, value.start, "'")) return 'unquoted'
  return reads.schemes && isSchemeChecked({ guards }, value, value.start) ? 'scheme' : undefined
}

/** An address of the own host leads nowhere else. */
export function cleansOf(guard: Exclude<GuardEffect, 'clean' | 'answered'>): readonly string[] {
  if (guard === 'examined') return EXAMINED_CLEANS
  if (guard === 'form') return [PLAIN_VALUE]
  if (guard === 'begin') return HOST_CHECK_CLEANS
  if (guard === 'unquoted') return ['cap/cql-injection', 'ui5/odata-filter-injection', ...EXAMINED_CLEANS]
  if (guard === 'unmarked') return HTML_FAULTS
  if (guard === 'untagged') return ['cap/reflected-xss', TAGS_ESCAPED]
  if (guard === 'scheme') return SCHEME_CHECK_CLEANS
  if (guard === 'folder') return FOLDER_CHECK_CLEANS
  if (guard === 'host') return HOST_CHECK_CLEANS
  if (guard === 'signed') return SIGNED_CLEANS
  if (guard === 'handed') return ['cap/cql-injection', ...EXAMINED_CLEANS]
  return guard === 'prefix' ? PREFIX_CHECK_CLEANS : ORIGIN_CHECK_CLEANS
}

/** Nothing is left to follow. */
export function isClean(guard: GuardEffect | undefined): guard is 'clean' | 'answered' {
  return guard === 'clean' || guard === 'answered'
}

/** Another file has looked at the value. */
export function isElsewhere(guard: GuardEffect): boolean {
  return guard === 'handed' || guard === 'answered'
}

const DECODES = /decodeURI|unescape|base64|atob|\bhex\b/
/** What was checked before a text was decoded, says of escapes that there are none, of bytes nothing; a list of allowed texts says it of both. */
const STAYS: Readonly<Record<Decoding, readonly string[]>> = {
  escapes: ['clean', 'answered', 'form'],
  bytes: ['clean', 'answered'],
}

/** Values that are decoded: `decodeURIComponent(name)`, `Buffer.from(name, 'base64')`. */
function decodedIn({ calls }: ScriptFacts): ReadonlyMap<Value, Decoding> {
  return new Map(
    calls.flatMap((call): readonly (readonly [Value, Decoding])[] => {
      const [given] = call.args
      const decoding = given && decodingOf(call)
      return given === undefined || decoding === undefined ? [] : [[given, decoding]]
    }),
  )
}
