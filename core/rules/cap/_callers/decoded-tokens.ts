import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findCallbacks, functionOf, methodOf } from '../../../facts/callbacks.ts'
import { createOwners } from '../../../flow/index.ts'
import type { Span } from '../../../types.ts'

/** Functions that read a token without looking at its signature. Facts: README of jsonwebtoken 9, jwt-decode 4, jose 6, jws 4, jwt-simple 0.5. */
const DECODERS: ReadonlySet<string> = new Set([
  'module:jsonwebtoken decode',
  'module:jsonwebtoken/decode',
  'module:jwt-decode',
  'module:jwt-decode jwtDecode',
  'module:jwt-decode jwt_decode',
  'module:jose decodeJwt',
  'module:jws decode',
])
/** What checks tokens, passwords or keys, by the name of the call. */
const VERIFIERS =
  /^verify(?:Async|Promise)?$|verif\w{0,20}(?:token|jwt|signature|password|credential|auth)|jwtVerify|createSecurityContext|authenticate|introspect|validate_?(?:token|jwt)|check_?jwt|expressjwt|timingSafeEqual|compareSync/i

/** The calls that decode a token without checking it, by a library or by hand. */
export function findDecodings(facts: ScriptFacts): CallValue[] {
  let left = MAX_BY_HAND
  return facts.calls.filter(
    (call) => (decodesByLibrary(call) || (isBase64(call) && left-- > 0 && holdsPayload(call))) && !isHeld(call),
  )
}

/** Whether something in the file checks tokens or credentials as well: then what is decoded beside is for finding the key, or was checked before. */
export function verifiesTokens(facts: ScriptFacts): boolean {
  return findVerifications(facts).length > 0
}

/** The calls that check tokens or credentials. */
export function findVerifications({ calls }: ScriptFacts): CallValue[] {
  return calls.filter(({ callee }) => VERIFIERS.test(lastNameOf(callee) ?? ''))
}

const ROUTE_VERBS = /^(?:get|post|put|patch|delete)$/

/** Where handlers are registered: each stands for itself. */
const REGISTERS = /^(?:on|before|after|once|get|post|put|patch|delete|all|use)$/

/**
 * Tells whether something checks the token around a call: in the same function, in one around it, in one that either of them calls, or in a middleware.
 * Another handler that checks its own token says nothing; nor does a check on another way through the same function, behind which this call stands (`left`).
 */
export function createVerificationReader(facts: ScriptFacts): (call: CallValue) => 'checked' | 'left' | undefined {
  const verifiers = findVerifications(facts)
  if (verifiers.length === 0) return () => undefined
  const callbacks = findCallbacks(facts)
  const usesOf = createUseReader(facts, verifiers)
  const functionsOf = createCalleeReader(facts)
  const scopeOf = (from: FunctionFact): FunctionFact => {
    let here = from
    while (here.parent !== undefined && here.parent.kind !== 'file' && here.owner === undefined) {
      const callback = callbacks.get(here)
      if (callback !== undefined && REGISTERS.test(methodOf(callback) ?? '')) break
      here = here.parent
    }
    return here
  }
  const isMiddleware = (scope: FunctionFact): boolean => {
    const callback = callbacks.get(scope)
    if (callback === undefined) return false
    const [first] = callback.call.args
    const isInline = callback.call.start < scope.start && scope.end <= callback.call.end
    // of a route it is before the handlers of that route
    if (!isInline && !ROUTE_VERBS.test(methodOf(callback) ?? '')) return true
    return methodOf(callback) === 'use' || (first?.kind === 'literal' && first.value === '*')
  }
  const calls = (from: FunctionFact, to: FunctionFact): boolean =>
    facts.calls.some((call) => isWithin(call, from) && functionsOf(call.callee).includes(to))
  return (call) => {
    const own = scopeOf(call.function)
    const ways = waysPast(call, facts)
    let isLeft = false
    const isChecked = verifiers.some((verifier) => {
      if (isOnOtherWay(verifier, ways, usesOf)) {
        isLeft = true
        return false
      }
      if (isSwallowed(verifier, call, facts) || isOnlyTold(verifier, call, facts)) return false
      const scope = scopeOf(verifier.function)
      return isWithin(own, scope) || isWithin(scope, own) || isMiddleware(scope) || calls(own, scope) || calls(scope, own)
    })
    return isChecked ? 'checked' : isLeft ? 'left' : undefined
  }
}

interface Use {
  readonly value: Value
  readonly parent: Value | undefined
}

/** Where the names of some calls of a file are read. Found once, for the first that is asked for. */
function createUseReader(facts: ScriptFacts, made: readonly CallValue[]): (call: CallValue) => readonly Use[] {
  let uses: Map<CallValue, Use[]> | undefined
  return (call) => {
    if (uses === undefined) {
      uses = new Map(made.map((one) => [one, []]))
      for (const { value, parent } of valuesOf(facts)) {
        const known = value.kind === 'reference' ? resolveValue(value) : undefined
        if (known?.kind === 'call') uses.get(known)?.push({ value, parent })
      }
    }
    return uses.get(call) ?? []
  }
}

/** The branches of the same function in front of a call that it does not come through: `if (bound) return verified(req, res, next)`. */
function waysPast(decoding: CallValue, { guards }: ScriptFacts): readonly Span[] {
  return guards.flatMap(({ exits, caughtAt, inside, function: around }) =>
    exits && caughtAt === undefined && inside.end <= decoding.start && isWithin(decoding, around) ? [inside] : [],
  )
}

/** It runs on one of these ways alone. */
function isOnOtherWay(verifier: CallValue, ways: readonly Span[], usesOf: (call: CallValue) => readonly Use[]): boolean {
  if (ways.length === 0) return false
  const isLeft = (at: Span): boolean => ways.some((way) => isWithin(at, way))
  if (isLeft(verifier)) return true
  if (verifier.function.kind !== 'file') return false
  // const verified = passport.authenticate('JWT'): where the middleware is called counts, unless it is handed on as well
  const uses = usesOf(verifier)
  return (
    uses.length > 0 && uses.every(({ value, parent }) => parent?.kind === 'call' && parent.callee === value && isLeft(parent))
  )
}

/** `try { verify(token) } catch { … }` after which the code goes on, or whose `catch` decodes what was not genuine. */
function isSwallowed(verifier: CallValue, decoding: CallValue, { partial, bindings, assignments }: ScriptFacts): boolean {
  if (verifier.function !== decoding.function || verifier.end > decoding.start) return false
  const block = partial.find((span) => isWithin(verifier, span) && !isWithin(decoding, span))
  if (block === undefined) return false
  const isCatching = partial.some(
    (span) => isWithin(decoding, span) && span.start >= block.end && span.start - block.end < LONGEST_CATCH,
  )
  if (isCatching) return true
  // it keeps what came of it: `isGenuine = true`, `return claims`
  const isKept = (at: Span): boolean => isWithin(at, block)
  return !(
    assignments.some(isKept) ||
    bindings.some(({ definitions }) => definitions.some((one) => one.kind === 'assign' && isKept(one))) ||
    verifier.function.returns.some(isKept)
  )
}

/** `verify(token, key, (error) => { if (error) LOG.warn(error) })`: what comes of it is told, and the code goes on behind it and in it. Fact: jsonwebtoken 9, `verify` with a callback throws nothing. */
function isOnlyTold(verifier: CallValue, decoding: CallValue, { guards }: ScriptFacts): boolean {
  const callback = lastNameOf(verifier.callee) === 'verify' ? functionOf(verifier.args.at(-1)) : undefined
  if (callback === undefined || verifier.args.length < 3) return false
  if (!isWithin(decoding, callback)) return verifier.function === decoding.function && verifier.end <= decoding.start
  const [error] = callback.parameters
  if (error === undefined) return true
  const asksForError = (value: Value): boolean => value.kind === 'reference' && value.binding === error
  return !guards.some((guard) => isOnTheWay(guard, decoding.start) && findPart(guard.test, asksForError) !== undefined)
}

/** `catch (error) `, with comments. */
const LONGEST_CATCH = 80

/** The functions of the file that a callee is: by name, `this.method`, `helper.method` of an object or class of the file. */
function createCalleeReader(facts: ScriptFacts): (callee: Value) => readonly FunctionFact[] {
  const { functionsBehind, methodsOf, classBehind } = createOwners(facts, false)
  return (callee) => {
    const known = functionsBehind(callee)
    if (known.length > 0 || callee.kind !== 'member' || callee.name === undefined) return known
    const object = resolveValue(callee.object)
    const owner = object.kind === 'object' ? object : classBehind(object)
    return owner === undefined ? [] : methodsOf(owner, callee.name)
  }
}

function decodesByLibrary({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee)
  if (name === undefined) return false
  for (const { root, steps } of accessesOf(callee)) {
    if (DECODERS.has([root, ...steps].join(' '))) return true
    if (root === 'module:jwt-simple' && steps[0] === 'decode') return args[2] !== undefined && constantOf(args[2]) === true
  }
  // a service that is injected: this.jwtService.decode(token)
  return (
    name === 'decode' &&
    callee.kind === 'member' &&
    callee.object.kind === 'member' &&
    /^jwtService$/i.test(callee.object.name ?? '')
  )
}

/** A token of the own session, or one that the runtime hands over, was checked when it came. */
function isHeld({ args: [token] }: CallValue): boolean {
  if (token === undefined) return false
  return accessesOf(token).some(({ steps }) =>
    steps.some((step) => /^(?:session|appSession|oidc|kauth|authInfo|tokenInfo|getAppToken|getTokenInfo)$/.test(step)),
  )
}

/** Texts in base64 that one file decodes are a handful. */
const MAX_BY_HAND = 200

/** `atob(text)`, `Buffer.from(text, 'base64')`. */
function isBase64({ callee, args, kind }: CallValue): boolean {
  const [first, encoding] = args
  if (first === undefined || kind === 'tagged') return false
  const name = accessesOf(callee).map(({ root, steps }) => [root, ...steps].join(' '))[0]
  if (name === 'global:atob' || name === 'module:jwt-decode/lib/base64_url_decode') return true
  if (name !== 'global:Buffer from' && name !== 'module:buffer Buffer from' && !(name === 'global:Buffer' && kind === 'new'))
    return false
  const given = encoding === undefined ? undefined : constantOf(encoding)
  return typeof given === 'string' && given.startsWith('base64')
}

/** It is the middle of a token: `token.split('.')[1]`. */
function holdsPayload({ args: [first] }: CallValue): boolean {
  return first !== undefined && findPart(first, isPayload) !== undefined
}

/** The middle of what was split at its dots. */
function isPayload(value: Value): boolean {
  if (value.kind === 'member') return value.name === '1' && isSplit(resolveValue(value.object))
  const [definition] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  return definition?.path[0] === '1' && definition.value !== undefined && isSplit(definition.value)
}

function isSplit(value: Value): boolean {
  if (value.kind !== 'call' || lastNameOf(value.callee) !== 'split') return false
  const [separator] = value.args
  return separator?.kind === 'literal' && separator.value === '.'
}
