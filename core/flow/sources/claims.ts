import { constantOf, directParts, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createDevelopmentReader } from '../../model/script/index.ts'
import { TOKEN_DECODERS } from '../tables/secrets.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

/** What checks the token, in the same function. */
const VERIFIES =
  /^verify|verif\w{0,20}(?:token|jwt|signature)|jwtVerify|createSecurityContext|introspect|validate_?(?:token|jwt)|timingSafeEqual/i
/** A file without one of these decides nothing by claims. */
const MAY_DECIDE = /token|claims|jwt|authori[sz]|bearer|identity|grant/i
const COMPARING: ReadonlySet<string> = new Set(['includes', 'has', 'some', 'every', 'indexOf', 'find', 'startsWith', 'endsWith'])
const BASE64 = /base64|atob\(/
const SPLIT = /\.split\(\s{0,4}['"`]\.['"`]\s{0,4}\)/
const MAX_TEXT = 400

/** Adds the claims of a token that a call decodes without verifying its signature, also by hand: `JSON.parse(atob(token.split('.')[1]))`. */
export function addClaims(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const isDecoder = paths.some((path) => TOKEN_DECODERS.has(path))
  if (!isDecoder && !decodesByHand(call, paths, draft)) return
  const around = call.function
  draft.step(draft.facts.calls.length)
  const isVerified = draft.facts.calls.some(
    (one) => isWithin(one, around) && around.kind !== 'file' && VERIFIES.test(lastNameOf(one.callee) ?? ''),
  )
  if (isVerified) return
  draft.ends.sources.push({ node: result, origin: 'claims', weak: false })
  draft.show(result, call)
}

/** `atob(token.split('.')[1])`; where a function of the file does that, what its result is parsed by: `JSON.parse(part(token, 1))`. */
function decodesByHand({ args: [given], start, end }: CallValue, paths: readonly string[], { text }: FlowDraft): boolean {
  const isParsing = paths.includes('global:JSON parse')
  if (given === undefined || (!isParsing && !paths.some((path) => /^global:(?:atob|Buffer from)$/.test(path)))) return false
  const made = resolveValue(given)
  const helper = isParsing && made.kind === 'call' ? functionOf(made.callee) : undefined
  const at = isParsing ? helper : { start, end }
  const written = at === undefined ? '' : text.slice(at.start, Math.min(at.end, at.start + MAX_TEXT))
  return BASE64.test(written) && (SPLIT.test(written) || isPartOfToken(given))
}

/** `payload` of `const [, payload] = token.split('.')`. */
function isPartOfToken(given: Value): boolean {
  const [only] = given.kind === 'reference' ? (given.binding?.definitions ?? []) : []
  const whole = only?.path.length === 1 && only.value !== undefined ? resolveValue(only.value) : undefined
  const [separator] = whole?.kind === 'call' && lastNameOf(whole.callee) === 'split' ? whole.args : []
  return separator !== undefined && constantOf(separator) === '.'
}

/** Adds where code of the file decides by a value: conditions, comparisons, look-ups in lists. */
export function addDecisions(draft: FlowDraft): void {
  const { facts, text } = draft
  if (!MAY_DECIDE.test(text)) return
  const isForDevelopers = createDevelopmentReader(facts)
  for (const { test } of facts.guards) if (!isForDevelopers(test)) addTested(test, draft, 0)
  for (const { callee, start, end } of facts.calls)
    if (callee.kind === 'member' && COMPARING.has(callee.name ?? '') && !isForDevelopers({ start, end }))
      add(callee.object, draft)
  for (const { returns } of facts.functions)
    for (const value of returns) {
      if (value.kind === 'operation' || isCondition(value)) addTested(value, draft, 0)
      if (value.kind === 'choice' && value.test !== undefined) addTested(value.test, draft, 0)
    }
}

const MAX_DEPTH = 5

/** `FORMAT.test(claims.site) && isOpen`, `ROLES.includes(claims.role)`: what a function gives is true or false. */
function isCondition(value: Value, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'choice') return value.test === undefined && value.options.every((option) => isCondition(option, depth + 1))
  if (value.kind === 'operation') return /^(?:!|[!=]==?|[<>]=?|in)$/.test(value.operator)
  const name = value.kind === 'call' && value.callee.kind === 'member' ? (value.callee.name ?? '') : ''
  return name === 'test' || COMPARING.has(name)
}

function addTested(test: Value, draft: FlowDraft, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (test.kind === 'member') return add(test, draft)
  // that there is a token at all, decides nothing
  if (test.kind === 'reference') return
  for (const part of directParts(test)) if (part.kind !== 'reference' || depth > 0) addTested(part, draft, depth + 1)
}

function add(value: Value, draft: FlowDraft): void {
  if (value.kind !== 'member' && value.kind !== 'reference' && value.kind !== 'call' && value.kind !== 'choice') return
  addFound(FOUND_SINKS.claimDecision, value, draft)
}
