import { accessOf, isOnTheWay, keyOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { append } from '../../lists.ts'
import type { FlowCheck, PassedCheck } from '../check-types.ts'
import { CLEAN, COPY } from '../types.ts'
import { isDropped, isPassed } from './asserted.ts'
import { answerIn, createAskedReader, type Asked } from './called-checks.ts'
import type { FlowDraft } from './draft.ts'

/** A call of the project's own that is given a value, and may check it or a part of it. */
interface Candidate {
  readonly call: CallValue
  readonly given: Value
  readonly key: string
  readonly asked: Asked
}

/** A call that a value, something around it or a part of it was given to on the way, if that is a check. */
export type PossiblePass = Pick<PassedCheck, 'form' | 'path' | 'within' | 'isAwaited'> &
  (Pick<Candidate, 'call' | 'given'> | { readonly front: Value })

export interface PassedChecks {
  /** `assertOrder(req.data)` before, which throws, or `if (!isOrder(req.data)) return`. */
  before(value: Value): readonly PossiblePass[]
  /** The same of the condition that chooses a value. */
  chosen(test: Value, value: Value, holds: boolean): readonly PossiblePass[]
}

/** Of a browser other readers know. */
export const NO_PASSED_CHECKS: PassedChecks = { before: () => [], chosen: () => [] }

const MAX_ARGUMENTS = 4
/** Calls that a value was given to before: each may be a check. */
const MAX_CHECKS = 4
const MAX_CANDIDATES = 64

/** Tells which functions of the project may have checked a value where a server reads it. Whether they do, is known when calls are joined. */
export function createPassedChecks(
  { facts, step, parts, text }: Pick<FlowDraft, 'facts' | 'step' | 'parts' | 'text'>,
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): PassedChecks {
  const askedBy = createAskedReader(parts, step)
  const mayCheck = ({ callee }: CallValue): boolean => {
    // `FORMAT.test(name)`, `NAMES.includes(name)`: conditions know what that says
    if (callee.kind === 'member' && /^(?:regex|array|literal)$/.test(resolveValue(callee.object).kind)) return false
    const own = functionOf(callee)
    if (own !== undefined) return checksOf(own).length > 0
    const root = accessOf(callee)?.root
    return root === undefined || root === 'this' || /^(?:module:[.#]|const:|let:|var:|parameter:)/.test(root)
  }
  let byRoot: ReadonlyMap<string, readonly Candidate[]> | undefined
  const candidates = (): ReadonlyMap<string, readonly Candidate[]> => {
    if (byRoot !== undefined) return byRoot
    const found = new Map<string, Candidate[]>()
    step(facts.calls.length >> 2)
    for (const call of facts.calls) {
      if (call.kind !== 'call' || call.args.length === 0 || call.args.length > MAX_ARGUMENTS) continue
      let isCandidate: boolean | undefined
      for (const given of call.args) {
        if (given.kind !== 'reference' && given.kind !== 'member') continue
        const key = keyOf(given)
        const root = key && rootIn(key)
        if (key === undefined || root === undefined || root === receiverRoot(call)) continue
        isCandidate ??= mayCheck(call)
        if (isCandidate && (found.get(root)?.length ?? 0) < MAX_CANDIDATES)
          append(found, root, { call, given, key, asked: askedBy(call) })
      }
    }
    return (byRoot = found)
  }
  const about = (value: Value): readonly (readonly [Candidate, Pick<PassedCheck, 'path' | 'within'>])[] => {
    if (candidates().size === 0) return []
    const key = keyOf(value)
    const root = key === undefined ? undefined : rootIn(key)
    const own = (root === undefined ? undefined : byRoot?.get(root)) ?? []
    step(own.length)
    return own.flatMap((candidate) => {
      const between = key === undefined ? undefined : relationOf(candidate.key, key)
      return between === undefined ? [] : [[candidate, between] as const]
    })
  }
  return {
    before(value) {
      const found: PossiblePass[] = []
      for (const [{ call, given, asked }, between] of about(value)) {
        if (call.end > value.start || value.end > call.function.end || found.length >= MAX_CHECKS) continue
        const answers = asked.flatMap(([guard, holding, failing]) =>
          isOnTheWay(guard, value.start) ? ((value.start < guard.inside.end ? holding : failing) ?? []) : [],
        )
        for (const answer of answers) found.push({ call, given, ...answer, ...between })
        if (answers.length === 0 && isPassed(facts, call.start, value, step))
          found.push({ call, given, form: 'throws', ...(!isDropped(call, text) && { isAwaited: true }), ...between })
      }
      return found
    },
    chosen: (test, value, holds) =>
      about(value).flatMap(([{ call, given }, between]) => {
        const answer = answerIn(test, call, holds)
        return answer === undefined ? [] : [{ call, given, ...answer, ...between }]
      }),
  }
}

/** The name that a key begins with, as it is told apart from others of that name. */
function rootIn(key: string): string | undefined {
  const [root, at] = key.split(' ', 2)
  return at === undefined || at === '' ? undefined : `${root} ${at}`
}

/** `req.data.name.match(x)`: what is asked of a value is no function of the project. */
function receiverRoot({ callee }: CallValue): string | undefined {
  const key = callee.kind === 'member' ? keyOf(callee.object) : undefined
  return key && rootIn(key)
}

/** How a value lies to what was given: in its fields, or around it. */
function relationOf(given: string, value: string): Pick<PassedCheck, 'path' | 'within'> | undefined {
  if (given === value) return { path: [], within: [] }
  if (value.startsWith(`${given} `)) return { path: value.slice(given.length + 1).split(' '), within: [] }
  const within = given.startsWith(`${value} `) ? given.slice(value.length + 1).split(' ') : []
  // `req` is read wherever a part of it is
  return within.length === 1 ? { path: [], within } : undefined
}

/** Connects a value with where it is read behind such calls. Gives the node behind the last of them, which no unknown origin reaches where they do check. */
export function connectPassed(
  found: readonly PossiblePass[],
  {
    from,
    to,
    cleans = [],
    isBelieved = false,
  }: { readonly from: number; readonly to: number; readonly cleans?: readonly string[]; readonly isBelieved?: boolean },
  draft: FlowDraft,
): number {
  const { graph, passed, use } = draft
  let here = from
  let between = to
  for (const [index, pass] of found.entries()) {
    const { form, path, within, isAwaited } = pass
    const at = 'front' in pass ? pass.front : pass.call
    between = graph.add(at)
    const next = index === found.length - 1 ? to : graph.add(at)
    if (cleans.length > 0) graph.connect(here, between, CLEAN, cleans.join(' '))
    else graph.connect(here, between, COPY)
    graph.connect(between, next, COPY)
    passed.push({
      from: here,
      between,
      to: next,
      by: 'front' in pass ? { front: use(pass.front) } : { result: use(pass.call), given: use(pass.given) },
      form,
      path,
      within,
      ...(isAwaited && { isAwaited }),
      ...(isBelieved && (form === 'true' || form === 'false') && { isBelieved }),
    })
    here = next
  }
  return between
}
