import { accessOf, declarationOf, keyOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { keyOfCall } from '../../conditions/atoms/predicates.ts'
import type { Constraint } from '../../conditions/constraint.ts'
import { append } from '../../lists.ts'
import type { AskedValue, CheckForm, FlowCheck } from '../check-types.ts'
import { CLEAN, COPY } from '../types.ts'
import { createPassedReader, isDropped } from './asserted.ts'
import type { ClassRelations, FlowDraft } from '../graph/draft.ts'
import type { ScriptChecks } from './script-checks.ts'
import type { CheckingScript } from '../graph/input.ts'
import { isOfProject, moduleBehind } from '../calls/modules.ts'
import { createFrontReader } from '../servers/route-fronts.ts'

type Between = Pick<AskedValue, 'path' | 'within'>

/** Whose method a value is, and what that extends. */
export type ByOwner = Pick<FlowDraft, 'owners'> & Pick<ClassRelations, 'parentOf'>

/** A call of the project's own that is given a value, and may check it or a part of it. */
interface Candidate {
  readonly call: CallValue
  readonly given: Value
  readonly key: string
}

/** Who may have checked a value, something around it or a part of it on the way. */
export type PossibleCheck = Pick<AskedValue, 'forms' | 'isAwaited' | 'isBelieved'> &
  Between & { readonly by: Pick<Candidate, 'call' | 'given'> | { readonly front: Value } }

export interface Askers {
  /** `assertOrder(req.data)` before, which throws, or `if (!isOrder(req.data)) return`. */
  before(value: Value): readonly PossibleCheck[]
  /** The same of the condition that chooses a value: `links.isOwn(url) ? url : '/'`. */
  chosen(test: Value, value: Value, holds: boolean): readonly PossibleCheck[]
}

const MAX_ARGUMENTS = 4
/** Calls that a value was given to before: each may be a check. */
const MAX_CHECKS = 8
const MAX_CANDIDATES = 64

/** Whom values were given to before: functions of the project, and what stands in front of a route. */
export function createAskersOf(
  script: CheckingScript & Pick<ScriptChecks, 'guardsAt'> & ByOwner,
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): Askers {
  const { realm, facts, step } = script
  if (realm === 'browser') return createAskers(script, isAskedInPage(script))
  const askers = createAskers(script, isAskedOnServer(checksOf))
  const frontsOf = createFrontReader(facts, step)
  return { ...askers, before: (value) => [...frontsOf(value), ...askers.before(value)] }
}

/** Tells which functions of the project may have checked a value where it is read. Whether they do, is known when calls are joined. */
function createAskers(
  script: Pick<CheckingScript, 'facts' | 'step' | 'parts' | 'text'> & Pick<ScriptChecks, 'guardsAt'>,
  mayCheck: (call: CallValue) => boolean,
): Askers {
  const { facts, step, text, guardsAt } = script
  const { conditions } = script.parts
  const isPassed = createPassedReader(facts, step)
  let byRoot: ReadonlyMap<number, readonly Candidate[]> | undefined
  const about = (value: Value, mayBe: (candidate: Candidate) => boolean): readonly (readonly [Candidate, Between])[] => {
    byRoot ??= candidatesIn(script, mayCheck)
    if (byRoot.size === 0) return NOBODY
    const root = declarationOf(value)
    const all = (root === undefined ? undefined : byRoot.get(root)) ?? []
    if (all.length === 0) return NOBODY
    step(all.length)
    const own = all.filter(mayBe)
    const key = own.length === 0 ? undefined : keyOf(value)
    if (key === undefined) return NOBODY
    return own.flatMap((candidate) => {
      const between = relationOf(candidate.key, key)
      return between === undefined ? [] : [[candidate, between] as const]
    })
  }
  return {
    before(value) {
      const own = about(value, ({ call }) => call.end <= value.start && value.end <= call.function.end)
      if (own.length === 0) return []
      const calls = new Set(own.map(([{ call }]) => keyOfCall(call)))
      const answers = conditions.constraintsAt(guardsAt(value.start), value.start, calls)
      const found: PossibleCheck[] = []
      for (const [{ call, given }, between] of own) {
        if (found.length === MAX_CHECKS) break
        const answer = answerOf(call, answers)
        const throws: readonly CheckForm[] = isPassed(call.start, value) ? ['throws'] : []
        const isAwaited = answer === undefined ? !isDropped(call, text) : answer.isAwaited
        const forms = [...(answer === undefined ? [] : [answer.form]), ...throws]
        if (forms.length > 0) found.push({ by: { call, given }, forms, ...(isAwaited && { isAwaited }), ...between })
      }
      return found
    },
    chosen(test, value, holds) {
      const own = about(value, () => true)
      const answers = own.length === 0 ? [] : conditions.constraintsOf(test, holds)
      return own.flatMap(([{ call, given }, between]) => {
        const { form, isAwaited } = answerOf(call, answers) ?? {}
        return form === undefined ? [] : [{ by: { call, given }, forms: [form], ...(isAwaited && { isAwaited }), ...between }]
      })
    },
  }
}

const NOBODY: readonly (readonly [Candidate, Between])[] = []

/** Calls that may check what they are given, by the names that it begins with. */
function candidatesIn(
  { facts, step }: Pick<FlowDraft, 'facts' | 'step'>,
  mayCheck: (call: CallValue) => boolean,
): ReadonlyMap<number, readonly Candidate[]> {
  const found = new Map<number, Candidate[]>()
  step(facts.calls.length >> 2)
  for (const call of facts.calls) {
    if (call.kind !== 'call' || call.args.length === 0 || call.args.length > MAX_ARGUMENTS) continue
    let isCandidate: boolean | undefined
    for (const given of call.args) {
      if (isCandidate === false) break
      if (given.kind !== 'reference' && given.kind !== 'member') continue
      const root = declarationOf(given)
      if (root === undefined || root === receiverRoot(call)) continue
      isCandidate ??= mayCheck(call)
      const key = isCandidate ? keyOf(given) : undefined
      if (key !== undefined && (found.get(root)?.length ?? 0) < MAX_CANDIDATES) append(found, root, { call, given, key })
    }
  }
  return found
}

/** What a call gave, as conditions tell it. */
export function answerOf(
  call: CallValue,
  constraints: readonly Constraint[],
): { readonly form: 'true' | 'false'; readonly isAwaited: boolean } | undefined {
  const key = keyOfCall(call)
  const found = constraints.find(({ kind, of }) => of === key && (kind === 'gave' || kind === 'settled'))
  return found && { form: found.text === 'true' ? 'true' : 'false', isAwaited: found.kind === 'settled' }
}

/** Functions that a server's script may ask: those of the project, and what nobody knows yet. */
function isAskedOnServer(checksOf: (fact: FunctionFact) => readonly FlowCheck[]): (call: CallValue) => boolean {
  return ({ callee }) => {
    // `FORMAT.test(name)`, `NAMES.includes(name)`: conditions know what that says
    if (callee.kind === 'member' && /^(?:regex|array|literal)$/.test(resolveValue(callee.object).kind)) return false
    const own = functionOf(callee)
    if (own !== undefined) return checksOf(own).length > 0
    const root = accessOf(callee)?.root
    return root === undefined || root === 'this' || /^(?:const|let|var|parameter):/.test(root) || isOfProject(root)
  }
}

/** Functions that a page may ask: those of other modules, and methods that a class has from one; its own ones conditions know. */
function isAskedInPage({ owners, parentOf }: ByOwner): (call: CallValue) => boolean {
  return ({ callee }) => {
    if (callee.kind !== 'member' || callee.object.kind !== 'this') return moduleBehind(callee) !== undefined
    const owner = owners.ownerBehind(callee.object)
    const isOwn = owner === undefined || callee.name === undefined || owners.methodsOf(owner, callee.name).length > 0
    return !isOwn && parentOf(owner) !== undefined
  }
}

/** `req.data.name.match(x)`: what is asked of a value is no function of the project. */
function receiverRoot({ callee }: CallValue): number | undefined {
  return callee.kind === 'member' ? declarationOf(callee.object) : undefined
}

/** How a value lies to what was given: in its fields, or around it. */
function relationOf(given: string, value: string): Between | undefined {
  if (given === value) return { path: [], within: [] }
  if (value.startsWith(`${given} `)) return { path: value.slice(given.length + 1).split(' '), within: [] }
  const within = given.startsWith(`${value} `) ? given.slice(value.length + 1).split(' ') : []
  // `req` is read wherever a part of it is
  return within.length === 1 ? { path: [], within } : undefined
}

/** Connects a value with where it is read behind such checks. Gives the node behind the last of them, which no unknown origin reaches where they do check. */
export function connectAsked(
  found: readonly PossibleCheck[],
  {
    from,
    to,
    cleans = [],
    isBelieved = false,
  }: { readonly from: number; readonly to: number; readonly cleans?: readonly string[]; readonly isBelieved?: boolean },
  draft: FlowDraft,
): number {
  const { graph, checks, use } = draft
  let here = from
  let between = to
  for (const [index, { by, ...check }] of found.entries()) {
    const at = 'front' in by ? by.front : by.call
    between = graph.add(at)
    const next = index === found.length - 1 ? to : graph.add(at)
    if (cleans.length > 0) graph.connect(here, between, CLEAN, cleans.join(' '))
    else graph.connect(here, between, COPY)
    graph.connect(between, next, COPY)
    checks.asked.push({
      ...check,
      from: here,
      between,
      to: next,
      by: 'front' in by ? { front: use(by.front) } : { call: use(by.call), given: use(by.given) },
      ...(isBelieved && check.forms.some((form) => form === 'true' || form === 'false') && { isBelieved }),
    })
    here = next
  }
  return between
}
