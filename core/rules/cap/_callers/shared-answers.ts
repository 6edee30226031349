import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, resolveValue, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode, isOfServerFolder, runsOnServer } from '../../../model/script/index.ts'
import { isWithin, spanOf } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { entityWords } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { isTokenOfCaller } from './shared-tokens.ts'

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
  prefilter: (text) => /\.set\s?\(|\]\s?(?:\?\?|\|\|)?=/.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (!runsOnServer(path, facts) && !isOfServerFolder(path)) return
    const writes = writesIn(facts)
    const reads = writes.length === 0 ? [] : readsIn(facts)
    const isCompared = createComparisonReader(facts, reads, step)
    for (const { cache, key, value, within, start, lazy } of writes) {
      step(1 + reads.length)
      const read = lazy ?? reads.find((one) => one.cache === cache && one.at.start < start && isWithin(one.at, within))?.at
      if (read === undefined || isShareable(cache.name) || isOfOneCaller(key) || isCompared(within)) continue
      const asked = askedWithToken(value, step)
      if (asked === undefined || isShareable(asked)) continue
      yield { start: read.start, end: read.end, name: cache.name, asked }
    }
  },
})

interface CacheWrite {
  readonly cache: Binding
  readonly key: Value
  readonly value: Value
  readonly within: FunctionFact
  readonly start: number
  /** `cache[key] ??= …` reads what it writes. */
  readonly lazy?: Span
}

interface CacheRead {
  readonly cache: Binding
  readonly at: Value
}

type Step = (count?: number) => void

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
  for (const { target, value, start, operator, function: within } of assignments) {
    if (target.property === undefined || target.name !== undefined || within.kind === 'file') continue
    const cache = cacheOf(target.object)
    const lazy = operator === '??=' || operator === '||=' ? { lazy: spanOf(target) } : {}
    if (cache !== undefined) writes.push({ cache, key: target.property, value, within, start, ...lazy })
  }
  return writes.slice(0, MAX_WRITES)
}

/** `cache.get(key)` and `cache[key]`. */
function readsIn({ calls, values }: ScriptFacts): readonly CacheRead[] {
  const reads: CacheRead[] = []
  for (const call of calls) {
    const { callee } = call
    const cache = callee.kind === 'member' && callee.name === 'get' ? cacheOf(callee.object) : undefined
    if (cache !== undefined) reads.push({ cache, at: call })
  }
  for (const { value } of values) {
    if (value.kind !== 'member' || value.property === undefined || value.name !== undefined) continue
    const cache = cacheOf(value.object)
    if (cache !== undefined) reads.push({ cache, at: value })
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

/** What is the same for all users whom the other system knows: texts, metadata, addresses. Of destinations the address, and not what is read by one. */
const SHAREABLE =
  /(?:^| )(?:meta ?data|i18n|bundles?|texts?|labels?|locales?|translations?|schemas?|edmx|csrf|configs?|configurations?|jwks|certificates?)(?: |$)|(?:^|(?:^| )(?:get|fetch|load|read|find|resolve|known|cached) )destinations?(?: |$)/

function isShareable(name: string): boolean {
  return SHAREABLE.test(entityWords(name))
}

/** It tells users or tenants apart, or something does that is given the whole request. */
function isOfOneCaller(key: Value): boolean {
  const tells = (part: Value): boolean => {
    if ('name' in part && CALLER.test(entityWords(part.name ?? ''))) return true
    return (
      'args' in part && part.args.some(({ kind, ...rest }) => kind === 'this' || ('name' in rest && WHOLE.test(rest.name ?? '')))
    )
  }
  return findPart(key, tells) !== undefined
}

/** How words of a name begin: an account or an author is a row as others are. */
const CALLER =
  /(?:^| )(?:user|tenant|jwt|token|identit|principal|caller|e ?mail|subject|subdomain|subaccount|zone|session|login|auth(?: |$))|^account$/
const WHOLE = /^(?:req|request|oReq|oRequest|ctx|context|options?|opts|params|args)$/

/** Tells whether a function compares whose answer it has found: `if (known && known.user === req.user.id) return known.data`. Each is looked at once. */
function createComparisonReader(
  { guards }: ScriptFacts,
  reads: readonly CacheRead[],
  step: Step,
): (within: FunctionFact) => boolean {
  const read = new Set(reads.map(({ at }) => at))
  const byFunction = groupBy(guards, (guard) => guard.function)
  const found = new Map<FunctionFact, boolean>()
  const isRead = (part: Value): boolean => {
    step()
    return read.has(part)
  }
  const isOwner = (part: Value): boolean =>
    part.kind === 'member' && OWNER.test(part.name ?? '') && findPart(part.object, isRead) !== undefined
  const isComparison = (part: Value): boolean => {
    step()
    return part.kind === 'operation' && /^[=!]==?$/.test(part.operator) && part.operands.some(isOwner)
  }
  return (within) => {
    const known =
      found.get(within) ?? (byFunction.get(within) ?? []).some(({ test }) => findPart(test, isComparison) !== undefined)
    found.set(within, known)
    return known
  }
}

const OWNER = /^(?:user|userId|owner|tenant|tenantId|subject|sub)$/i

/** The name of the call whose result the value is, and which gets the token of the caller. */
function askedWithToken(value: Value, step: Step): string | undefined {
  const isToken = (part: Value): boolean => {
    step()
    return isTokenOfCaller(part)
  }
  const asking = findPart(
    value,
    (part) => part.kind === 'call' && part.args.some((argument) => findPart(argument, isToken) !== undefined),
  )
  return asking !== undefined && 'callee' in asking ? (lastNameOf(asking.callee) ?? '') : undefined
}
