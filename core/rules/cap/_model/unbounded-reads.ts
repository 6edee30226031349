import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { entityName } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'

/** A place where a handler reads all rows of an entity, to work on them in memory. */
export interface UnboundedRead extends Span {
  readonly entity: string
}

export const unboundedReads: Extract<UnboundedRead> = defineExtract({
  name: 'cap-unbounded-reads',
  keywords: ['SELECT'],
  isFor: (path) => !isOfUi5App(path),
  prefilter: (text) => text.includes('SELECT') && /\.(?:on|before|after)\s{0,4}\(/.test(text),
  collect: ({ facts, kind }) => (kind.test ? [] : [...findReads(facts)]),
})

const WORKS = /^(?:map|filter|reduce|forEach|sort|find|some|every|flatMap|slice|findIndex|length)$/

function* findReads(facts: ScriptFacts): Generator<UnboundedRead> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  if (handlers.length === 0) return
  const worked = workedOn(facts)
  for (const call of facts.calls) {
    const entity = wholeRead(call)
    if (entity !== undefined && handlerOf(call) !== undefined && worked.has(call))
      yield { start: call.start, end: call.end, entity }
  }
}

/** The entity of `SELECT.from(X)` and nothing behind it but columns. */
function wholeRead(call: CallValue): string | undefined {
  const { callee, args } = call
  if (call.kind !== 'call' || callee.kind !== 'member' || args[0] === undefined) return undefined
  const isWhole = accessesOf(callee).some(({ root, steps }) => {
    const own =
      root === 'global:SELECT'
        ? steps
        : /^(?:global:cds|module:@sap\/cds)$/.test(root) && steps[1] === 'SELECT'
          ? steps.slice(2)
          : []
    return own.join(' ') === 'from'
  })
  return isWhole && (args.length === 1 || args[1]?.kind === 'array') ? entityName(args[0]) : undefined
}

/** Queries whose result is worked on: `(await query).filter(…)`, `for (const row of rows)`. */
function workedOn(facts: ScriptFacts): ReadonlySet<Value> {
  const found = new Set<Value>()
  const add = (value: Value): void => {
    let here = value
    for (let hops = 0; hops < 6; hops++) {
      if (here.kind === 'await') here = here.value
      else if (
        here.kind === 'reference' &&
        here.binding?.definitions.length === 1 &&
        here.binding.definitions[0]?.value !== undefined
      ) {
        if ((here.binding.definitions[0]?.path.length ?? 0) > 0) return
        here = here.binding.definitions[0].value
      } else break
    }
    // SELECT.from(X).columns('a')
    while (here.kind === 'call' && here.callee.kind === 'member' && /^(?:columns|orderBy)$/.test(here.callee.name ?? ''))
      here = here.callee.object
    if (here.kind === 'call') found.add(here)
  }
  for (const { callee } of facts.calls)
    if (callee.kind === 'member' && WORKS.test(callee.name ?? '') && isAwaited(callee.object)) add(callee.object)
  for (const { definitions } of facts.bindings)
    for (const { kind, value } of definitions) if (kind === 'each' && value !== undefined) add(value)
  return found
}

/** A query itself has methods of these names too; rows come of `await` alone. */
function isAwaited(value: Value): boolean {
  if (value.kind === 'await') return true
  const [definition] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  return definition?.value?.kind === 'await'
}
