import type { Conditions } from '../../conditions/walk.ts'
import { isAllowed, isProof, proves, unite, type Constraint, type Proof } from '../../conditions/constraint.ts'
import { nameOf } from '../../conditions/addresses.ts'
import {
  createGuardReader,
  hostsOf,
  isHostChecked,
  isPrefixChecked,
  keyOf,
  mayClimb,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { cleansOf, type Cleans } from '../tables/harmless.ts'
import type { Realm } from '../types.ts'
import { createAssertedReader } from './asserted.ts'
import { decodingOf, type Decoding } from './decoding.ts'
import { createHandedReader } from './checked-elsewhere.ts'
import { isMadeOfChecked } from './derived-checks.ts'
import type { CheckingScript } from './input.ts'
import { createMentions } from '../../conditions/mentions.ts'
import { createPresenceTest } from './presence.ts'

/** A condition is asked a dozen questions about a value. */
const CHECK_STEPS = 4

/**
 * Tells what is proved of a value by conditions on the way, and by functions that it was given to before. A name is read again and again below the same conditions, so what they
 * prove of it is worked out once: it is the same for whatever is written alike and means the same place.
 */
export function createProofReader(script: CheckingScript): (value: Value) => readonly Proof[] {
  const { facts, text, realm, step } = script
  const assertedOf = createAssertedReader(script)
  const isHanded = realm === 'server' ? createHandedReader(facts, text, step) : () => false
  // servers believe what values are made of as well
  const [isPresence, isMentioned] =
    realm === 'browser' ? [createPresenceTest(facts), createMentions(step)] : [() => false, () => true]
  const guardsAt = createGuardReader(
    facts.guards.filter(({ test }) => !isPresence(test)),
    step,
  )
  const known = new Map<readonly Guard[], Map<string, readonly Proof[]>>()
  const reads = {
    // half of what conditions cost is the search for hosts, which few scripts read
    hosts: READS_HOST.test(text),
  }
  const decoded = realm === 'server' && DECODES.test(text) ? decodedIn(facts) : new Map<Value, Decoding>()
  return (value) => {
    const proofs = proofsOfValue(value)
    const decoding = proofs.length === 0 ? undefined : decoded.get(value)
    if (decoding === undefined) return proofs
    return staysDecoded(proofs, decoding)
  }
  function proofsOfValue(value: Value): readonly Proof[] {
    const asserted = assertedOf(value)
    const handed: readonly Proof[] = asserted.length === 0 && isHanded(value) ? [{ kind: 'handed' }] : []
    const guards = guardsAt(value.start)
    if (guards.length === 0) return [...asserted, ...handed]
    const own = known.get(guards) ?? new Map<string, readonly Proof[]>()
    known.set(guards, own)
    const written = `${text.slice(value.start, value.end)} ${keyOf(value) ?? ''}`
    const before = own.get(written)
    const found = before ?? (isMentioned(guards, value) ? atPlace(value, guards) : [])
    if (before === undefined) own.set(written, found)
    // a function of another file that may throw is known by what it does, and not believed for its name
    return unite([asserted, handed, handed.length === 0 ? found : found.filter(({ kind }) => kind !== 'answered')])
  }
  function atPlace(value: Value, guards: readonly Guard[]): readonly Proof[] {
    step(guards.length * CHECK_STEPS)
    const found = provedBy(guards, value, { realm, parts: script.parts, reads })
    if (realm === 'browser') return believedIn(found)
    const isMade = isMoreOpen(found) && value.kind === 'reference' && isMadeOfChecked(guards, value, script)
    return [...found.filter((one) => isProof(one) || one.kind === 'asked'), ...(isMade ? [LISTED] : [])]
  }
}

const LISTED: Proof = { kind: 'listed' }

/** Nothing says of the value as a whole what it may be. */
function isMoreOpen(proofs: readonly Proof[]): boolean {
  return !proofs.some((one) => isAllowed(one) || one.kind === 'answered')
}

/** What names of functions promise, where nobody asks those: that they know what is allowed, is believed, that a value is of some kind is not. What was looked at by the way says nothing. */
function believedIn(proofs: readonly Proof[]): readonly Proof[] {
  return proofs.flatMap((one): readonly Proof[] => {
    if (one.kind === 'answered') return one.text === undefined ? [] : [{ kind: 'listed' }]
    return isProof(one) ? [one] : []
  })
}

/** As `isHostChecked` asks for it. */
const READS_HOST = /\b(?:host(?:name)?|origin)\b/
interface ProofContext {
  readonly realm: Realm
  readonly parts: CheckingScript['parts']
  /** What the script speaks of at all. */
  readonly reads: { readonly hosts: boolean; readonly isWhole?: true }
}

/** Where a function says what it checks: what it is given is no path that is put together there. */
const READS_ALL = { hosts: true, isWhole: true } as const

/** What conditions prove of a value, as it is read where it stands. */
export function provedAt(
  value: Value,
  guards: readonly Guard[],
  { realm, parts }: Pick<CheckingScript, 'realm' | 'parts'>,
): readonly Proof[] {
  const found = provedBy(guards, value, { realm, parts, reads: READS_ALL })
  const isExamined = proves(found, 'asked') && !proves(found, 'open')
  return isExamined ? [...believedIn(found), { kind: 'asked' }] : believedIn(found)
}

/** What one condition proves of a value where it holds, or where it does not. */
export function provedByTest(test: Value, holds: boolean, value: Value, conditions: Conditions): readonly Proof[] {
  const names = namesOf(value)
  return believedIn(ofNames(conditions.constraintsOf(test, holds).filter(({ of }) => names.has(of))))
}

/** The rules for which a condition that chooses a value is enough: `isOwn(address) ? address : '/'`. */
export function cleansOfTest(
  test: Value,
  option: Value,
  holds: boolean,
  { parts: { conditions } }: Pick<CheckingScript, 'parts'>,
): Cleans | undefined {
  return cleansOf(provedByTest(test, holds, option, conditions))
}

function namesOf(value: Value): ReadonlySet<string | undefined> {
  return new Set([keyOf(value), nameOf(value)])
}

function ofNames(constraints: readonly Constraint[]): readonly Proof[] {
  return constraints.map(({ kind, text }) => (text === undefined ? { kind } : { kind, text }))
}

function provedBy(given: readonly Guard[], value: Value, { realm, parts, reads }: ProofContext): readonly Proof[] {
  const guards = { guards: given }
  const at = value.start
  const proved = [...ofNames(parts.conditions.constraintsAt(given, at, namesOf(value)))]
  if (realm === 'browser' || isSettled(proved)) return proved
  if (isPrefixChecked(guards, value, at)) {
    const isInside = proved.some(({ kind, text }) => kind === 'lacks' && CLIMBING.has(text ?? ''))
    proved.push({ kind: isInside || reads.isWhole || !mayClimb(guards, value, at) ? 'starts' : 'host' })
  }
  if (reads.hosts && (isKnownHost(value, given, parts.conditions) || isHostChecked(guards, value, at)))
    proved.push({ kind: 'host' })
  return proved
}

/** A condition knows its `hostname` or the like. */
function isKnownHost(value: Value, guards: readonly Guard[], conditions: Conditions): boolean {
  const hosts = hostsOf(value)
  const known = hosts.length === 0 ? [] : conditions.constraintsAt(guards, value.start, new Set(hosts))
  return known.some(isAllowed)
}

const CLIMBING: ReadonlySet<string> = new Set(['..', '../', '/'])

/** Nothing is left to follow. */
export function isSettled(proofs: readonly Proof[]): boolean {
  return proves(proofs, 'listed')
}

/** Something of it is left to follow; what a predicate was asked, is not followed further by those who know no calls. */
export function isFollowed(proofs: readonly Proof[]): boolean {
  return !isSettled(proofs) && !proves(proofs, 'answered')
}

const DECODES = /decodeURI|unescape|base64|atob|\bhex\b/
/** What was checked before a text was decoded, says of escapes that there are none, of bytes nothing; a list of allowed texts says it of both. `/^[\w%-]+$/` lets `%2e%2e%2f` through. */
function staysDecoded(proofs: readonly Proof[], decoding: Decoding): readonly Proof[] {
  const isWithoutEscapes = proofs.some(({ kind, text }) => kind === 'lacks' && text === '%')
  return proofs.filter(
    ({ kind }) => kind === 'listed' || kind === 'answered' || (kind === 'form' && decoding === 'escapes' && isWithoutEscapes),
  )
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
