import { functionOfThis } from '../../facts/callbacks.ts'
import { constantOf, resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { GLOBAL_SOURCE } from '../app/links.ts'
import { JQUERY_METHODS, ON_JQUERY } from '../tables/jquery.ts'
import type { FlowCall } from '../types.ts'

/** A method that a script gives to all that jQuery finds. */
interface Plugin {
  readonly name: string
  readonly value: Value
}

/** Plugins by `$.fn.name = function …` and `$.fn.extend({ … })`. Fact: learn.jquery.com, "How to Create a Basic Plugin". */
export function pluginsIn({ assignments, calls }: ScriptFacts): readonly Plugin[] {
  const found: Plugin[] = []
  for (const { target, value } of assignments) {
    const name = isPrototype(target.object) ? (target.name ?? (target.property && constantOf(target.property))) : undefined
    if (typeof name === 'string') found.push({ name, value })
  }
  for (const { callee, args } of calls) {
    if (callee.kind !== 'member' || callee.name !== 'extend' || !isPrototype(callee.object)) continue
    const methods = args[0] && resolveValue(args[0])
    for (const { key, value } of methods?.kind === 'object' ? methods.fields : [])
      if (key !== undefined) found.push({ name: key, value })
  }
  return found
}

/** `$.fn`, whatever the name that the script has for jQuery. */
function isPrototype(value: Value): boolean {
  return (
    value.kind === 'member' &&
    value.name === 'fn' &&
    value.object.kind === 'reference' &&
    /^(?:\$|_?\$?jq(?:uery)?)$/i.test(value.object.name)
  )
}

/** The functions whose `this` is what jQuery found. */
export function pluginFunctions(facts: ScriptFacts): ReadonlySet<FunctionFact> {
  return new Set(
    pluginsIn(facts).flatMap(({ value }) => {
      const here = resolveValue(value)
      return here.kind === 'function' ? here.function : []
    }),
  )
}

/** `this.find('ul').html` in a plugin: what jQuery found has the method. */
export function isOnFound(callee: Value, plugins: ReadonlySet<FunctionFact>): boolean {
  let here = callee
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (here.kind === 'member') here = resolveValue(here.object)
    else if (here.kind === 'call') here = here.callee
    else break
  }
  return here.kind === 'this' && plugins.has(functionOfThis(here.function))
}

const MAX_HOPS = 20

/** The plugin that a call runs, if one has its name: `$(node).find('ul').trailList(rows)`. */
export function pluginCalled(callee: Value, paths: readonly string[]): FlowCall['module'] {
  if (callee.kind !== 'member' || callee.name === undefined || JQUERY_METHODS.has(callee.name)) return undefined
  return paths.some((path) => ON_JQUERY.test(path)) ? { source: GLOBAL_SOURCE, name: pluginName(callee.name) } : undefined
}

/** Under which name all files know a plugin. */
export function pluginName(name: string): string {
  return `global jQuery.fn.${name}`
}
