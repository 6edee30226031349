import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { bindingOf } from '../../facts/asked-values.ts'
import type { Binding, CallValue, ScriptFacts, Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { textOf } from './_role-words.ts'
import { isKeptUser, isStorage, modelOf } from './_user-identities.ts'

/** A model that a page fills with the user whom a storage of the browser keeps. */
export interface RestoredUser {
  /** Where the storage is read. */
  readonly at: Span
  readonly key: string
  /** The name that the model has for the views and controllers of the app. */
  readonly model: string
}

const MAX_DEPTH = 6

/** `model.setData(JSON.parse(localStorage.getItem("user")))` of a model with a name. Facts: HTML standard, "Web storage"; SAPUI5 API, sap.ui.model.json.JSONModel. */
export const restoredUsers: Extract<RestoredUser> = defineExtract({
  name: 'ui5-restored-users',
  keywords: ['localStorage', 'sessionStorage', 'util/Storage', 'sap.storage'],
  prefilter: (text) => /JSONModel|\.set(?:Data|Property)\(/.test(text),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      const filled = filledBy(call)
      const kept = filled && keptBehind(filled, step)
      if (kept === undefined) continue
      const model = nameOf(call, facts, step)
      if (model !== '') yield { ...kept, model }
    }
  },
})

/** What a model gets as its data, or one of its properties. */
function filledBy({ callee, args: [first, second] }: CallValue): Value | undefined {
  switch (lastNameOf(callee)) {
    case 'JSONModel':
    case 'setData':
      return first
    case 'setProperty':
      return second
    default:
      return undefined
  }
}

/** `seen`: variables that were asked before, each of which may be set to itself many times. */
function keptBehind(
  value: Value,
  step: (count?: number) => void,
  seen: Set<Binding> = new Set(),
  depth = 0,
): Omit<RestoredUser, 'model'> | undefined {
  if (depth > MAX_DEPTH) return undefined
  step()
  const first = (values: readonly (Value | undefined)[]): Omit<RestoredUser, 'model'> | undefined => {
    for (const one of values) {
      const found = one && keptBehind(one, step, seen, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (value.kind === 'choice') return first(value.options)
  if (value.kind === 'reference') {
    if (value.binding === undefined || seen.has(value.binding)) return undefined
    seen.add(value.binding)
    return first(
      value.binding.definitions.flatMap(({ kind, path, value: given }) => (kind === 'parameter' || path.length > 0 ? [] : given)),
    )
  }
  if (value.kind !== 'call') return undefined
  const { callee, args, start, end } = value
  const name = lastNameOf(callee)
  if (name === 'parse') return first(args)
  if ((name !== 'getItem' && name !== 'get') || callee.kind !== 'member' || !isStorage(callee.object)) return undefined
  const key = textOf(args[0])
  return isKeptUser(key) ? { at: { start, end }, key } : undefined
}

/** The name under which others get the model: `getModel("user").setData(…)`, `this.setModel(model, "user")`. */
function nameOf(call: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): string {
  const { callee } = call
  const made = lastNameOf(callee) === 'JSONModel'
  if (!made && callee.kind === 'member') {
    const asked = modelOf(callee.object)
    if (asked !== undefined) return asked
  }
  const binding = made || callee.kind !== 'member' ? undefined : bindingOf(callee.object)
  step(calls.length)
  for (const { callee: setter, args } of calls) {
    const [model, name] = args
    if (lastNameOf(setter) !== 'setModel' || model === undefined || name === undefined) continue
    const given = bindingOf(model)
    const isSame = made
      ? model.start === call.start || given?.definitions.some(({ value }) => value?.start === call.start) === true
      : binding !== undefined && given === binding
    if (isSame) return textOf(name)
  }
  return ''
}
