import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { exportedFunctions, functionOfThis } from '../../../facts/callbacks.ts'
import { accessOf, excerptOf, type CallValue, type ScriptFacts } from '../../../facts/index.ts'
import { resolveModule } from '../../../flow/index.ts'
import { createHandlerReader, findHandlers, handlerFunction, type CapRoot, HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isContext, isOfUi5App } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import { refusesRequest } from '../_callers/late-checks.ts'
import { isDroppedIn, predicatesOf } from '../_callers/role-predicates.ts'

/** A function that others may ask about a request: whether the caller has a role, or to refuse the request later on. */
interface OfferedCheck {
  /** As others know it: `isLead`, `default`; `#isLead` of a class. */
  readonly name: string
  readonly kind: 'answers' | 'refuses'
}

const offeredChecks: Extract<OfferedCheck> = defineExtract({
  name: 'cap-offered-checks',
  keywords: ['user.is', '.reject('],
  // a promise is rejected in browsers too
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text }) {
    const predicates = predicatesOf(facts)
    const offered = [
      ...exportedFunctions(facts),
      ...facts.classes.flatMap(({ members }) =>
        members.flatMap(({ name, value }) =>
          value?.kind === 'function' && name !== undefined ? [[`#${name}`, value.function] as const] : [],
        ),
      ),
    ]
    for (const [name, fact] of offered) {
      if (predicates.has(fact)) yield { name, kind: 'answers' }
      else if (fact.isAsync && refusesRequest(fact, facts, text)) yield { name, kind: 'refuses' }
    }
  },
})

/** A call in a handler whose answer nobody looks at. */
interface DroppedCall extends Span {
  readonly source: string
  readonly name: string
  /** As it is written: `checks.isLead`. */
  readonly written: string
}

const droppedCalls: Extract<DroppedCall> = defineExtract({
  name: 'cap-dropped-calls',
  keywords: ['.on(', '.before(', ...HANDLER_PACKAGES],
  prefilter: (text) => /(?:require\(|from)\s{0,4}["'`]\.{1,2}\//.test(text),
  *collect({ facts, text }) {
    const handlers = findHandlers(facts)
    if (handlers.length === 0) return
    const handlerAt = createHandlerReader(handlers)
    const isDropped = isDroppedIn(facts, text)
    for (const call of facts.calls) {
      const phase = handlerAt(call.start)?.phase
      if ((phase !== 'before' && phase !== 'on') || !call.args.some(isContext) || !isDropped(call)) continue
      const link = linkOf(call, facts)
      if (link !== undefined) yield { ...link, written: excerptOf(text, call.callee), start: call.start, end: call.end }
    }
  },
})

export const ignoredCheckExtracts: readonly [typeof offeredChecks, typeof droppedCalls] = [offeredChecks, droppedCalls]

/** Checks of other files whose answer, or whose end, nobody waits for. */
export function* ignoredChecks({
  scripts,
}: CapRoot): Generator<{ readonly at: Place; readonly kind: OfferedCheck['kind']; readonly written: string }> {
  const offered = new Map<string, OfferedCheck['kind']>()
  const files = new Map<string, string>()
  for (const { file, value } of scripts.get(offeredChecks)) {
    files.set(file, file)
    offered.set(`${file} ${value.name}`, value.kind)
  }
  if (files.size === 0) return
  for (const { file, value } of scripts.get(droppedCalls)) {
    const target = resolveModule(file, value.source, files)
    const kind = target === undefined ? undefined : offered.get(`${target} ${value.name}`)
    if (kind !== undefined) yield { at: { file, span: { start: value.start, end: value.end } }, kind, written: value.written }
  }
}

/** `checks.isLead(req)` of another file, `this.isLead(req)` of the class above. */
function linkOf({ callee }: CallValue, facts: ScriptFacts): Pick<DroppedCall, 'source' | 'name'> | undefined {
  const access = accessOf(callee)
  if (access?.root.startsWith('module:.') === true)
    return { source: access.root.slice('module:'.length), name: access.steps.join('.') || 'default' }
  if (callee.kind !== 'member' || callee.object.kind !== 'this' || handlerFunction(callee, facts) !== undefined) return undefined
  const { owner } = functionOfThis(callee.object.function)
  const parent = owner !== undefined && 'members' in owner && owner.parent !== undefined ? accessOf(owner.parent) : undefined
  return parent?.root.startsWith('module:.') === true
    ? { source: parent.root.slice('module:'.length), name: `#${callee.name ?? ''}` }
    : undefined
}
