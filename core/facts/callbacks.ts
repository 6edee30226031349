import type { CallValue, FunctionFact, ScriptFacts, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** A function that a call is given, and at which position. */
export interface Callback {
  readonly call: CallValue
  readonly index: number
}

/** The functions of a file that are handed to calls, also by their name or with their `this`: `srv.on('x', handler)`, `.then(function () {}.bind(this))`. The first call counts. */
export function findCallbacks(facts: ScriptFacts): ReadonlyMap<FunctionFact, Callback> {
  const callbacks = new Map<FunctionFact, Callback>()
  for (const call of facts.calls) {
    for (const [index, argument] of call.args.entries()) {
      const given = functionOf(isBoundToThis(argument) ? withoutBind(argument) : argument)
      if (given !== undefined && !callbacks.has(given)) callbacks.set(given, { call, index })
    }
  }
  return callbacks
}

/** The function whose `this` one has: an arrow has that of the function around it. */
export function functionOfThis(from: FunctionFact): FunctionFact {
  let here = from
  while (here.kind === 'arrow' && here.parent !== undefined) here = here.parent
  return here
}

/** The method of a class or an object around a place in a function: callbacks in it are its own. */
export function methodAround(from: FunctionFact | undefined): FunctionFact | undefined {
  let here = from
  while (here !== undefined && here.owner === undefined) here = here.parent
  return here
}

/** The function that a value is or names. */
export function functionOf(value: Value | undefined): FunctionFact | undefined {
  if (value?.kind === 'function') return value.function
  if (value?.kind !== 'reference' || value.binding?.definitions.length !== 1) return undefined
  const [definition] = value.binding.definitions
  return definition?.value?.kind === 'function' && definition.path.length === 0 ? definition.value.function : undefined
}

/** Reads the list of which a function gets each item, if it is handed to such a method: `rows` of `rows.forEach((row) => …)`. */
export function createListReader({ calls }: Pick<ScriptFacts, 'calls'>): (fact: FunctionFact) => Value | undefined {
  let lists: ReadonlyMap<FunctionFact, Value> | undefined
  return (fact) => {
    lists ??= new Map(
      calls.flatMap(({ callee, args: [handed] }) => {
        if (!('object' in callee) || !GOES_THROUGH.test(callee.name ?? '')) return []
        const given = functionOf(handed)
        return given === undefined ? [] : [[given, callee.object] as const]
      }),
    )
    return lists.get(fact)
  }
}

const GOES_THROUGH = /^(?:forEach|map|flatMap)$/

/** Whether a function is bound and still gets all of its arguments from its caller. */
function isBoundToThis(value: Value): boolean {
  return 'args' in value && value.args.length <= 1
}

/** `run` of `run.bind(this)`. */
export function withoutBind(value: Value): Value {
  return 'callee' in value && 'object' in value.callee && value.callee.name === 'bind' ? value.callee.object : value
}

/** The name of the method that a callback is given to: `on` of `srv.on('x', handler)`. */
export function methodOf({ call }: Callback): string | undefined {
  return call.callee.kind === 'member' ? call.callee.name : call.callee.kind === 'reference' ? call.callee.name : undefined
}

/** The functions that other files may call, by the names that an access path has: `default`, `run`, `Helper#run`. */
export function exportedFunctions({ exports }: Pick<ScriptFacts, 'exports'>): (readonly [string, FunctionFact])[] {
  return exports.flatMap(({ name, value }) => {
    const own = name === 'default' ? '' : name
    return value === undefined
      ? []
      : [...exportedIn(resolveValue(value))].map(([path, fact]) => [joinName(own, path), fact] as const)
  })
}

/** `run` of the module itself, `default.run`, `Helper#run` of a class. */
export function joinName(own: string, path: string): string {
  if (path.startsWith('#') || own === '' || path === '') return own + path || 'default'
  return `${own}.${path}`
}

/** The functions of a value that a file offers, by their paths in it. */
export function* exportedIn(value: Value): Generator<readonly [string, FunctionFact]> {
  if (value.kind === 'function') yield ['', value.function]
  if (value.kind === 'object')
    for (const { key, value: field } of value.fields) {
      const inner = resolveValue(field)
      if (key === undefined) continue
      if (inner.kind === 'function') yield [key, inner.function]
      if (inner.kind === 'class')
        for (const [path, fact] of exportedIn(inner)) yield [path.startsWith('#') ? key + path : `${key}.${path}`, fact]
    }
  if (value.kind === 'class')
    for (const { name, isStatic, value: member } of value.class.members)
      if (name !== undefined && member?.kind === 'function') yield [isStatic ? name : `#${name}`, member.function]
}

/** `read(…)`, `this.read(…)` of a function `read`: by what the callee is, or by the name of a method of the same object. */
export function isCalleeOf(callee: Value, fact: FunctionFact): boolean {
  if (callee.kind !== 'member') return functionOf(callee) === fact
  return callee.object.kind === 'this' && callee.name !== undefined && fact.name.endsWith(`.${callee.name}`)
}
