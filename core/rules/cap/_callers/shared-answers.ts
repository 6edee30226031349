import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  findPart,
  resolveValue,
  type Binding,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfServerFolder, isOfUi5App, isToolFile, runsOnServer } from '../../../model/script/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'
import { isTokenOfRequest } from './shared-tokens.ts'

/** An answer that was asked for with the token of a caller, in a cache of the module. */
export interface SharedAnswer extends Span {
  readonly name: string
  /** What is called with the token. */
  readonly asked: string
}

/**
 * `const known = cache.get(id); if (known) return known; cache.set(id, await client.read(id, { jwt }))`: the next caller gets what the other system answered
 * to the first one, and is not asked for.
 * Facts: SAP Cloud SDK 4, "Principal propagation" (`jwt`: the token of the user whom the other system checks).
 */
export const sharedAnswers: Extract<SharedAnswer> = defineExtract({
  name: 'cap-shared-answers',
  keywords: ['jwt', 'userToken', 'user_token', 'authorization'],
  prefilter: (text) => /\.set\s?\(|\]\s?(?:\?\?)?=/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
  *collect({ path, facts, step }) {
    if (!runsOnServer(path, facts) && !isOfServerFolder(path)) return
    const writes = writesIn(facts)
    const reads = writes.length === 0 ? [] : readsIn(facts)
    for (const { cache, key, value, within, start } of writes) {
      step(1 + reads.length + facts.guards.length)
      const read = reads.find((one) => one.cache === cache && one.at.start < start && isWithin(one.at, within))
      if (read === undefined || isShareable(cache.name) || isOfOneCaller(key) || isCompared(within, facts)) continue
      const asked = askedWithToken(value)
      if (asked === undefined || isShareable(asked)) continue
      yield { start: read.at.start, end: read.at.end, name: cache.name, asked }
    }
  },
})

interface CacheWrite {
  readonly cache: Binding
  readonly key: Value
  readonly value: Value
  readonly within: FunctionFact
  readonly start: number
}

const MAX_WRITES = 50

/** `cache.set(key, value)` and `cache[key] = value` of what a module keeps, in a function. */
function writesIn({ assignments, calls }: ScriptFacts): readonly CacheWrite[] {
  const writes: CacheWrite[] = []
  for (const { callee, args, start, function: within } of calls) {
    const [key, value] = args
    if (callee.kind !== 'member' || callee.name !== 'set' || key === undefined || value === undefined) continue
    const cache = cacheOf(callee.object)
    if (cache !== undefined && within.kind !== 'file') writes.push({ cache, key, value, within, start })
  }
  for (const { target, value, start, function: within } of assignments) {
    if (target.property === undefined || target.name !== undefined || within.kind === 'file') continue
    const cache = cacheOf(target.object)
    if (cache !== undefined) writes.push({ cache, key: target.property, value, within, start })
  }
  return writes.slice(0, MAX_WRITES)
}

/** `cache.get(key)` and `cache[key]`. */
function readsIn({ calls, values }: ScriptFacts): readonly { readonly cache: Binding; readonly at: Span }[] {
  const reads: { cache: Binding; at: Span }[] = []
  for (const call of calls) {
    const { callee } = call
    const cache = callee.kind === 'member' && callee.name === 'get' ? cacheOf(callee.object) : undefined
    if (cache !== undefined) reads.push({ cache, at: { start: call.start, end: call.end } })
  }
  for (const { value } of values) {
    if (value.kind !== 'member' || value.property === undefined || value.name !== undefined) continue
    const cache = cacheOf(value.object)
    if (cache !== undefined) reads.push({ cache, at: { start: value.start, end: value.end } })
  }
  return reads
}

/** `const cache = new Map()`, `{}`, `new NodeCache({ … })`, a class of the project, outside of functions. */
function cacheOf(object: Value): Binding | undefined {
  const binding = object.kind === 'reference' ? object.binding : undefined
  if (binding?.function.kind !== 'file' || binding.kind === 'import') return undefined
  const made = resolveValue(object)
  return made.kind === 'new' || (made.kind === 'object' && made.fields.length === 0) ? binding : undefined
}

/** What is the same for all users whom the other system knows: texts, metadata, addresses. */
const SHAREABLE = /meta_?data|i18n|bundle|texts?$|label|locale|translation|schema|edmx|destination|csrf|config|jwks|certificate/i

function isShareable(name: string): boolean {
  return SHAREABLE.test(name)
}

/** It tells users or tenants apart, or something does that is given the whole request. */
function isOfOneCaller(key: Value): boolean {
  const tells = (part: Value): boolean => {
    if ('name' in part && CALLER.test(part.name ?? '')) return true
    return (
      'args' in part && part.args.some(({ kind, ...rest }) => kind === 'this' || ('name' in rest && WHOLE.test(rest.name ?? '')))
    )
  }
  return findPart(key, tells) !== undefined
}

const CALLER = /user|tenant|jwt|token|identity|principal|caller|e_?mail|subject|subdomain|zone|session|account|auth|login/i
const WHOLE = /^(?:req|request|ctx|context|options?|opts|params|args)$/

/** `if (known && known.user === req.user.id) return known.data` */
function isCompared(within: FunctionFact, { guards }: ScriptFacts): boolean {
  return guards.some(
    ({ test, function: around }) =>
      around === within &&
      findPart(test, (part) => part.kind === 'member' && OWNER.test(part.name ?? '')) !== undefined &&
      findPart(test, (part) => part.kind === 'operation' && /^[=!]==?$/.test(part.operator)) !== undefined,
  )
}

const OWNER = /^(?:user|userId|owner|tenant|tenantId|subject|sub)$/i

/** The name of the call whose result the value is, and which gets the token of the caller. */
function askedWithToken(value: Value): string | undefined {
  const asking = findPart(
    value,
    (part) => part.kind === 'call' && part.args.some((argument) => findPart(argument, isTokenOfCaller) !== undefined),
  )
  return asking !== undefined && 'callee' in asking ? (lastNameOf(asking.callee) ?? '') : undefined
}

/** `{ jwt }`, `userJwt`, `req.headers.authorization`. */
function isTokenOfCaller(part: Value): boolean {
  if (part.kind === 'object')
    return part.fields.some(({ key, value }) => key === 'jwt' && constantOf(value) === undefined && !isOfService(value))
  if ((part.kind === 'member' || part.kind === 'reference') && USER_TOKEN.test(part.name ?? '')) return true
  return constantOf(part) === undefined && isTokenOfRequest(part)
}

const USER_TOKEN = /^user_?(?:jwt|token|access_?token)$/i

/** A token of the application itself. */
export function isOfService(value: Value): boolean {
  const isTechnical = (part: Value): boolean => 'callee' in part && TECHNICAL.test(lastNameOf(part.callee) ?? '')
  return findPart(value, isTechnical) !== undefined
}

const TECHNICAL = /^serviceToken$|clientCredentials|technical/i
