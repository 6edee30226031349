import {
  accessesOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { WordPlaces } from '../../keywords/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createReturnReader } from './returned-values.ts'
import { secretNounOf } from './secret-names.ts'
import { isRandom, secretClasses, secretUses } from './secret-uses.ts'

/** A secret that is made of what others can compute: a generator that is no cryptographic one, or the time. */
export interface GuessableSecret {
  /** As the code calls it: `resetToken`. */
  readonly name: string
  readonly call: CallValue
  readonly source: 'Math.random()' | 'Date.now()'
  /** It is no secret: it only has to differ from others, so that hashes of the same password do. */
  readonly isSalt: boolean
}

/** What rules ask for that ask whether secrets may be guessed. */
export const GUESS_KEYWORDS: readonly string[] = ['Math.random', 'Date.now', 'getTime()']
const TIMES = ['Date.now', 'getTime()']
const NAMES =
  /token|otp|passw|passcode|passphrase|pwd|pw\b|nonce|secret|csrf|xsrf|jwt|(?:api|access|session|private|signing|encryption)_?key|salt|credential|sess(?:ion)?_?id|client_id|redirect_uri|response_type|(?:reset|recover|verif|auth|access|activation|confirm|login|security|invit|pin|regist|pair|unlock|redeem|voucher|sms|mfa|pick_?up|collection|redemption|claim|door|entry|gate|check_?in|hand_?over|guest|visitor|gift|referral|join|portal|share|download)[a-z_]{0,12}code|magic_?link|pin\b/i
/** A code, a state or a ticket is a secret where it was drawn alone. Not the tag in comments. */
const DRAWN_NAMES = /(?<![</])code\b|state\b|ticket|coupon|invitation/i
const BEFORE = 2000
const BEHIND = 1000

/** Whether a secret is named near a generator or the time, before anything is parsed. Linear: what was looked at is not looked at again. */
export function mayGuessSecrets(text: string, hits: WordPlaces): boolean {
  const placesOf = (source: string): readonly number[] => hits.places(text, [source])
  if (isNear(text, placesOf('Math.random'), (around) => NAMES.test(around) || DRAWN_NAMES.test(around))) return true
  return TIMES.some((source) => isNear(text, placesOf(source), (around) => NAMES.test(around)))
}

function isNear(text: string, places: readonly number[], isNamed: (around: string) => boolean): boolean {
  let seen = 0
  for (const at of places) {
    const end = Math.min(text.length, at + BEHIND)
    if (end > seen && isNamed(text.slice(Math.max(seen, at - BEFORE), end))) return true
    seen = end
  }
  return false
}

/** Secrets of one script that are drawn by `Math.random`, or that are the time. Each such call once. */
export function* findGuessableSecrets(facts: ScriptFacts, step: (count?: number) => void): Generator<GuessableSecret> {
  // most files only have a name of a hash somewhere: their names need not be read
  if (!facts.calls.some(drawsOrTells)) return
  const seen = new Set<CallValue>()
  const returnsOf = createReturnReader(facts, step)
  for (const { name, value } of secretUses(facts)) {
    const call = findMaking(value, RANDOM, returnsOf, step) ?? findMaking(value, TIME, returnsOf, step)
    if (call === undefined || seen.has(call)) continue
    seen.add(call)
    yield { name, call, source: isRandom(call) ? 'Math.random()' : 'Date.now()', isSalt: isSalt(name) }
  }
  for (const { name, value } of secretClasses(facts)) {
    const call = findMaking(value, RANDOM, returnsOf, step)
    if (call === undefined || seen.has(call)) continue
    seen.add(call)
    yield { name, call, source: 'Math.random()', isSalt: isSalt(name) }
  }
}

/** `salt`, `passwordSalt`. */
function isSalt(name: string): boolean {
  return /(?:^|[_.-])salt$|Salt$|_SALT$/.test(name)
}

const LAST_NAMES: ReadonlySet<string | undefined> = new Set(['random', 'now', 'getTime', 'valueOf'])

function drawsOrTells(call: CallValue): boolean {
  // a function by another name: `const draw = Math.random`
  return (call.callee.kind === 'reference' || LAST_NAMES.has(lastNameOf(call.callee))) && (isRandom(call) || isTime(call))
}

function isTime(call: CallValue): boolean {
  if (call.kind === 'tagged') return false
  return accessesOf(call.callee).some(
    ({ root, steps }) => root === 'global:Date' && /^(?:now|new getTime|new valueOf)$/.test(steps.join(' ')),
  )
}

/** Calls whose result is what they are given in another form. */
const FORMING: ReadonlySet<string> = new Set([
  'toString',
  'String',
  'slice',
  'substring',
  'substr',
  'padStart',
  'padEnd',
  'toUpperCase',
  'toLowerCase',
  'concat',
  'replace',
  'replaceAll',
  'trim',
  'join',
  'btoa',
  'Number',
  'parseInt',
  'toFixed',
])
/** And those that make it of a number drawn, hashes included: what can be guessed stays so when it is hashed. */
const MIXING: ReadonlySet<string> = new Set([
  ...FORMING,
  'floor',
  'round',
  'ceil',
  'trunc',
  'abs',
  'pow',
  'charAt',
  'at',
  'fromCharCode',
  'fromCodePoint',
  'from',
  'map',
  'fill',
  'Array',
  'split',
  'sort',
  'reduce',
  'update',
  'digest',
  'md5',
  'sha1',
  'sha256',
  'MD5',
  'SHA1',
  'SHA256',
  'hash',
  'encode',
  'Uint8Array',
])

/** How a value is made of a number: the calls that yield it, the calls and operators that give it another form. */
interface Making {
  readonly isWanted: (call: CallValue) => boolean
  readonly through: ReadonlySet<string>
  readonly operators: ReadonlySet<string>
}

const OPERATORS = ['*', '/', '%', '|', '&', '^', '<<', '>>', '>>>', '**', '~']
const RANDOM: Making = { isWanted: isRandom, through: MIXING, operators: new Set([...OPERATORS, '-']) }
/** The difference of two times says how long something took: `Date.now() - lastRefill` times a rate are the tokens of a rate limit. */
const TIME: Making = { isWanted: isTime, through: FORMING, operators: new Set(OPERATORS) }

const MAX_VISITS = 1500

/** The first call of a kind that a value is made by. What an object's fields hold has names of its own. */
function findMaking(value: Value, making: Making, returnsOf: ReturnsOf, step: () => void): CallValue | undefined {
  const seen = new Set<Value | Binding | FunctionFact>()
  const open: Value[] = [value]
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    step()
    const here = open.pop()
    if (here === undefined) return undefined
    if (seen.has(here)) continue
    seen.add(here)
    if ((here.kind === 'call' || here.kind === 'new') && making.isWanted(here)) return here
    for (const part of partsOf(here, making, returnsOf, seen).toReversed()) open.push(part)
  }
  return undefined
}

type ReturnsOf = ReturnType<typeof createReturnReader>

function partsOf(
  value: Value,
  { through, operators }: Making,
  returnsOf: ReturnsOf,
  seen: Set<Value | Binding | FunctionFact>,
): readonly Value[] {
  switch (value.kind) {
    case 'template':
    case 'concat':
      return value.parts
    case 'operation':
      return operators.has(value.operator) ? value.operands : []
    case 'choice':
      return value.options
    case 'array':
      return value.items
    case 'await':
    case 'spread':
      return [value.value]
    case 'member':
      // a character of what was drawn; of a list of secrets one is picked, none is made
      if (value.name !== undefined) return /^\d+$/.test(value.name) ? [value.object] : []
      return value.property === undefined || secretNounOf(singular(lastNameOf(value.object) ?? '')) !== undefined
        ? []
        : [value.property]
    case 'function':
      return value.function.returns
    case 'call':
    case 'new': {
      // word(4, dice): what the function gives, and those that it is given
      const called = functionOf(value.callee)
      if (called !== undefined) {
        if (seen.has(called)) return []
        seen.add(called)
        // pad(Math.floor(Math.random() * 1e6))
        const kept = value.args.filter((_, index) => givesBack(called, index))
        return [...called.returns, ...kept, ...value.args.flatMap((argument) => functionOf(argument)?.returns ?? [])]
      }
      // this.letter(), Codes.letter()
      const returned = value.kind === 'call' ? returnsOf(value) : []
      if (returned.length > 0) return returned
      if (!through.has(lastNameOf(value.callee) ?? '')) return []
      // Array.from(list, letter)
      const given = value.args.flatMap((argument) =>
        argument.kind === 'reference' ? (functionOf(argument)?.returns ?? [argument]) : [argument],
      )
      return value.callee.kind === 'member' ? [value.callee.object, ...given] : given
    }
    case 'reference': {
      const { binding } = value
      if (binding === undefined || seen.has(binding)) return []
      seen.add(binding)
      const given = binding.definitions.flatMap(({ kind, value: own }) =>
        own !== undefined && (kind === 'init' || kind === 'assign') ? own : [],
      )
      return [...given.filter((own) => resolveValue(own).kind !== 'function'), ...binding.additions]
    }
    default:
      return []
  }
}

/** Whether what a function gives is made of a parameter. */
function givesBack({ parameters, returns }: FunctionFact, index: number): boolean {
  const binding = parameters[index]
  const isParameter = (value: Value): boolean => value.kind === 'reference' && value.binding === binding
  return binding !== undefined && returns.some((value) => findPart(value, isParameter) !== undefined)
}

function singular(name: string): string {
  return name.replace(/s$/, '')
}
