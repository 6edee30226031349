import { isOnTheWay, keyOf, resolveValue, type Binding, type CallValue, type Guard, type Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'
import type { CheckedValue } from '../check-types.ts'
import { COPY } from '../types.ts'
import { isDropped, isPassed } from './asserted.ts'
import type { FlowDraft } from './draft.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import { moduleBehind } from './modules.ts'

type Called = Pick<CheckedValue, 'module' | 'argument'>
type Answer = Pick<CheckedValue, 'form' | 'isAwaited'>

/** Conditions that ask for the answer of a call, with what it has given where they hold and where they do not. */
export type Asked = readonly (readonly [guard: Guard, holding: Answer | undefined, failing: Answer | undefined])[]

/** A call of another file's function that may check what it is given. */
interface Candidate extends Called {
  readonly call: CallValue
  readonly key: string
  readonly asked: Asked
}

const MAX_DEPTH = 4
const MAX_ARGUMENTS = 3
/** Calls that a value was given to before: each may be a check. */
const MAX_CHECKS = 8

/** A check on the way to a value, if it is one. */
export type PossibleCheck = Called & Answer

export interface CalledChecks {
  /** `links.requireOwn(url)` before, which throws, or `if (!links.isOwn(url)) return`. */
  before(value: Value): readonly PossibleCheck[]
  /** The same of the condition that chooses a value: `links.isOwn(url) ? url : '/'`. */
  chosen(test: Value, value: Value, holds: boolean): readonly PossibleCheck[]
}

/** Of a server other readers know. */
export const NO_CALLED_CHECKS: CalledChecks = { before: () => [], chosen: () => [] }

/** Tells which functions of other files may have checked a value where it is read. Whether they do, those files say when they are joined. */
export function createCalledChecks(
  script: Pick<FlowDraft, 'facts' | 'text' | 'step' | 'owners' | 'parentOf' | 'parts'>,
): CalledChecks {
  const { facts, text, step, owners, parentOf, parts } = script
  /** The module of a function that is called, or the class that a method comes from. */
  const moduleOf = ({ callee }: CallValue): CheckedValue['module'] | undefined => {
    if (callee.kind === 'member' && callee.object.kind === 'this') {
      const owner = owners.ownerBehind(callee.object)
      const parent = owner && parentOf(owner)
      if (owner === undefined || parent === undefined || callee.name === undefined) return undefined
      if (owners.methodsOf(owner, callee.name).length > 0) return undefined
      return { source: parent.source, name: `${parent.name}#${callee.name}` }
    }
    const module = moduleBehind(callee)
    return module && { source: module.source, name: module.name || 'default' }
  }
  const askedBy = createAskedReader(parts, step)
  let byBinding: ReadonlyMap<Binding, readonly Candidate[]> | undefined
  const candidates = (): ReadonlyMap<Binding, readonly Candidate[]> => {
    if (byBinding !== undefined) return byBinding
    const found = new Map<Binding, Candidate[]>()
    step(facts.calls.length >> 2)
    for (const call of facts.calls) {
      if (call.kind !== 'call' || call.args.length === 0 || call.args.length > MAX_ARGUMENTS) continue
      for (const [argument, given] of call.args.entries()) {
        const root = rootOf(given)
        const module = root && moduleOf(call)
        const key = module && keyOf(given)
        if (root !== undefined && module !== undefined && key !== undefined)
          append(found, root, { call, module, argument, key, asked: askedBy(call) })
      }
    }
    return (byBinding = found)
  }
  return {
    before(value) {
      const root = rootOf(value)
      const own = root === undefined ? undefined : candidates().get(root)
      if (own === undefined) return []
      const key = keyOf(value)
      step(own.length)
      const found: PossibleCheck[] = []
      for (const { call, module, argument, key: checked, asked } of own) {
        if (checked !== key || call.start >= value.start || found.length >= MAX_CHECKS) continue
        for (const [guard, holding, failing] of asked) {
          const answer = isOnTheWay(guard, value.start) ? (value.start < guard.inside.end ? holding : failing) : undefined
          if (answer !== undefined) found.push({ module, argument, ...answer })
        }
        if (call.end <= value.start && value.end <= call.function.end && isPassed(facts, call.start, value, step))
          found.push({ module, argument, form: 'throws', ...(!isDropped(call, text) && { isAwaited: true }) })
      }
      return found
    },
    chosen(test, value, holds) {
      const root = rootOf(value)
      const own = root === undefined ? undefined : candidates().get(root)
      const key = own && keyOf(value)
      return (own ?? []).flatMap(({ call, module, argument, key: checked }) => {
        const answer = checked === key ? answerIn(test, call, holds) : undefined
        return answer === undefined ? [] : [{ module, argument, ...answer }]
      })
    },
  }
}

/** Tells which conditions of the same function ask for the answer of a call. */
export function createAskedReader(parts: FunctionParts, step: (count?: number) => void): (call: CallValue) => Asked {
  return (call) => {
    const own = parts.guardsIn(call.function)
    step(1 + (own.length >> 2))
    return own.flatMap((guard): Asked => {
      if (guard.inside.end < call.start) return []
      const [holding, failing] = [answerIn(guard.test, call, true), answerIn(guard.test, call, false)]
      return holding === undefined && failing === undefined ? [] : [[guard, holding, failing]]
    })
  }
}

/** Whether a condition that holds, or does not, says that the call gave true or false. */
export function answerIn(test: Value, call: CallValue, holds: boolean, depth = 0): Answer | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (test === call) return { form: holds ? 'true' : 'false' }
  if (test.kind === 'await' && test.value === call) return { form: holds ? 'true' : 'false', isAwaited: true }
  if (test.kind === 'reference') {
    const given = resolveValue(test)
    return given === test ? undefined : answerIn(given, call, holds, depth + 1)
  }
  const parts =
    test.kind === 'operation' && test.operator === '!'
      ? test.operands
      : test.kind === 'choice' && test.test === undefined && (test.isAnd === true) === holds
        ? test.options
        : []
  const inner = test.kind === 'operation' ? !holds : holds
  for (const part of parts) {
    const found = answerIn(part, call, inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The name that a value is, or that it is read from. */
function rootOf(value: Value): Binding | undefined {
  let here = value
  for (let depth = 0; here.kind === 'member' && depth < MAX_DEPTH; depth++) here = here.object
  return here.kind === 'reference' ? here.binding : undefined
}

/** Connects a value with where it is read behind such functions. */
export function connectChecked(found: readonly PossibleCheck[], from: number, to: number, { checked, graph }: FlowDraft): void {
  let here = from
  for (const [index, check] of found.entries()) {
    const next = index === found.length - 1 ? to : graph.add({ start: 0, end: 0 })
    checked.push({ from: here, to: next, ...check })
    here = next
  }
  if (found.length === 0) graph.connect(from, to, COPY)
}
