import { functionAround, valuesOf, type Binding, type ReferenceValue, type ScriptFacts } from '../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../facts/span-index.ts'
import { groupBy } from '../../lists.ts'
import type { Span } from '../../types.ts'

/**
 * Tells whether a name of the file is read only behind what the same run of a function has just given it, with no `await` in between: nothing else runs meanwhile, so
 * that it holds no value of another call. Fact: ECMA-262, "Jobs" (a job runs to its end before another one begins).
 */
export function createFreshReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (binding: Binding) => boolean {
  let known: { readonly reads: ReadonlyMap<Binding, readonly ReferenceValue[]>; readonly waitsIn: WaitsIn } | undefined
  return (binding) => {
    known ??= collect(facts, text, step)
    const { reads, waitsIn } = known
    const found = reads.get(binding) ?? []
    step(found.length * binding.definitions.length)
    return found.every((read) => isFresh(read, binding, facts, waitsIn))
  }
}

/** What is waited for begins behind the word, and is over at its end. */
type WaitsIn = (around: Span) => readonly Span[]

function collect(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): { readonly reads: ReadonlyMap<Binding, readonly ReferenceValue[]>; readonly waitsIn: WaitsIn } {
  const references: (ReferenceValue & { readonly binding: Binding })[] = []
  const ends = new Map<number, number>()
  // of a chain the outermost call, which is the last one
  for (const { start, end } of facts.calls) ends.set(start, Math.max(end, ends.get(start) ?? 0))
  const waits = [...text.matchAll(WAITS)].map(({ 0: word, index }) => ({
    start: index,
    end: ends.get(index + word.length) ?? index + word.length,
  }))
  for (const { value } of valuesOf(facts)) {
    step()
    if ('binding' in value && value.binding !== undefined) references.push({ ...value, binding: value.binding })
  }
  return { reads: groupBy(references, ({ binding }) => binding), waitsIn: createInnerIndex(waits) }
}

const WAITS = /\b(?:await|yield)\b\s{0,20}/g

function isFresh(read: Span, { definitions }: Binding, facts: ScriptFacts, waitsIn: WaitsIn): boolean {
  const within = functionAround(facts, read.start)
  if (within === undefined || within.kind === 'file') return false
  return definitions.some(({ kind, operator, value, function: around, ...written }) => {
    const end = Math.max(written.end, value?.end ?? 0)
    if (kind !== 'assign' || operator !== '=' || around !== within || end > read.start) return false
    // a block that one of both stands in alone may not run, or run again
    const apart = [...facts.guards.map(({ inside }) => inside), ...facts.partial].filter(
      (span) => span.start <= written.start && written.start < span.end && !(span.start <= read.start && read.start < span.end),
    )
    const loops = facts.partial.filter((span) => span.start <= read.start && read.start < span.end && span.start >= end)
    const between = { start: end, end: read.start }
    return (
      apart.length === 0 &&
      waitsIn(between).every((wait) => !isWithin(wait, between)) &&
      loops.every((loop) => waitsIn(loop).length === 0)
    )
  })
}
