import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, valuesOf, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A place that fills a collection. */
interface Write extends Span {
  readonly key: Value
  readonly function: FunctionFact
}

/** What is read with the rights, or for the tenant, of whoever calls. */
const OF_CALLER = /^(?:SELECT|cds|next|req|request|context|ctx|srv|tx)$/

/**
 * Places where a function keeps what it finds for a key: all that it is given is in the key, and it asks nothing of the request, of CAP or of variables that
 * others change. Such an answer is the same for all who ask for that key.
 */
export const lookupCaches: Extract<Span> = defineExtract({
  name: 'cap-lookup-caches',
  isFor: isDeployedCode,
  withFlow: true,
  *collect({ facts, step }) {
    let elsewhere: readonly Value[] | undefined
    for (const write of writesIn(facts)) {
      step(facts.calls.length)
      if (!isInKey(write, facts)) continue
      elsewhere ??= [...valuesOf(facts)].flatMap(({ value }) => (asksElsewhere(value) ? value : []))
      if (!elsewhere.some((value) => isWithin(value, write.function))) yield { start: write.start, end: write.end }
    }
  },
})

const MAX_WRITES = 50

/** `cache[key] = value` and `cache.set(key, value)` of a collection of the file, in a function of the file. */
function writesIn({ assignments, calls }: ScriptFacts): readonly Write[] {
  const writes: Write[] = []
  const add = ({ start, end }: Span, within: FunctionFact, kept: Value, key: Value | undefined): void => {
    const isOfFile = kept.kind === 'reference' && kept.binding?.kind === 'const' && kept.binding.function.kind === 'file'
    if (isOfFile && key !== undefined && within.parent?.kind === 'file') writes.push({ start, end, key, function: within })
  }
  for (const { target, start, end, function: within } of assignments) add({ start, end }, within, target.object, target.property)
  for (const { callee, args, start, end, function: within } of calls)
    if (callee.kind === 'member' && callee.name === 'set' && args.length === 2)
      add({ start, end }, within, callee.object, args[0])
  return writes.slice(0, MAX_WRITES)
}

/** How something is asked, not what for: `lookUp(code, { signal })`. */
const OPTIONS = /^(?:options?|opts|settings|config|deps|signal|clock|now)$/
/** What of such options says for whom. */
const OF_OPTIONS = /^(?:user|userId|tenant|token|jwt|req|request|authorization|headers)$/

/** All that the function is given. */
function isInKey({ key, function: around }: Write, { bindings }: ScriptFacts): boolean {
  const parameters = bindings.filter(
    ({ kind, name, function: within }) => kind === 'parameter' && within === around && !OPTIONS.test(name),
  )
  const isPart = (parameter: Binding): boolean =>
    findPart(key, (part) => part.kind === 'reference' && part.binding === parameter) !== undefined
  return parameters.length > 0 && parameters.every(isPart)
}

/** The request, CAP, an object that it belongs to, or a variable that something else may have changed. */
function asksElsewhere(value: Value): boolean {
  if (value.kind === 'this') return true
  if (value.kind === 'member')
    return OF_OPTIONS.test(value.name ?? '') && value.object.kind === 'reference' && OPTIONS.test(value.object.name)
  if (value.kind !== 'reference') return false
  const { binding, name } = value
  if (OF_CALLER.test(name)) return true
  return binding?.function.kind === 'file' && (binding.kind === 'let' || binding.kind === 'var')
}
