import { functionAround, valuesOf, type Binding, type ReferenceValue, type ScriptFacts } from '../../facts/index.ts'
import { createInnerIndex, createSpanIndex, isAround, isWithin } from '../../facts/span-index.ts'
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
  let known: Surroundings | undefined
  return (binding) => {
    known ??= collect(facts, text, step)
    const around = known
    const found = around.reads.get(binding) ?? []
    step(found.length * binding.definitions.length)
    return found.every((read) => isFresh(read, binding, facts, around))
  }
}

interface Surroundings {
  readonly reads: ReadonlyMap<Binding, readonly ReferenceValue[]>
  /** What is waited for begins behind the word, and is over at its end. */
  readonly waitsIn: (around: Span) => readonly Span[]
  /** Blocks around a place that may not run, or run again; `guardedAt`: those behind a condition. */
  readonly partialAt: (offset: number) => readonly Span[]
  readonly guardedAt: (offset: number) => readonly Span[]
}

function collect(facts: ScriptFacts, text: string, step: (count?: number) => void): Surroundings {
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
  const guarded = facts.guards.map(({ inside }) => inside)
  return {
    reads: groupBy(references, ({ binding }) => binding),
    waitsIn: createInnerIndex(waits),
    partialAt: createSpanIndex(facts.partial, (span) => span),
    guardedAt: createSpanIndex(guarded, (span) => span),
  }
}

const WAITS = /\b(?:await|yield)\b\s{0,20}/g

function isFresh(
  read: Span,
  { definitions }: Binding,
  facts: ScriptFacts,
  { waitsIn, partialAt, guardedAt }: Surroundings,
): boolean {
  const within = functionAround(facts, read.start)
  if (within === undefined || within.kind === 'file') return false
  return definitions.some(({ kind, operator, value, function: around, ...written }) => {
    const end = Math.max(written.end, value?.end ?? 0)
    if (kind !== 'assign' || operator !== '=' || around !== within || end > read.start) return false
    // a block that one of both stands in alone may not run, or run again
    const apart = [...guardedAt(written.start), ...partialAt(written.start)].filter((span) => !isAround(span, read.start))
    const loops = partialAt(read.start).filter(({ start }) => start >= end)
    const between = { start: end, end: read.start }
    return (
      apart.length === 0 &&
      waitsIn(between).every((wait) => !isWithin(wait, between)) &&
      loops.every((loop) => waitsIn(loop).length === 0)
    )
  })
}
