import { constantOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'
import { lastName } from '../dotted-names.ts'

/** `drawing` of `setDrawing`. */
export function propertySet(name: string): string | undefined {
  const [, property] = /(?:^|\.)set([A-Z]\w{0,60})$/.exec(name) ?? []
  return property && property.charAt(0).toLowerCase() + property.slice(1)
}

/**
 * What setters of controls keep instead of what they are given: `this.setProperty("text", encodeXML(text))`. UI5 calls the setter of a property for bindings and
 * settings as well. Fact: API of sap.ui.base.ManagedObject, "Properties". A setter that hands on all its arguments is none.
 */
export function keptBySetters({ calls }: ScriptFacts): ReadonlyMap<FunctionFact, readonly Value[]> {
  const kept = new Map<FunctionFact, Value[]>()
  const wrong = new Set<FunctionFact>()
  for (const call of calls) {
    const property = propertySet(lastName(call.function.name))
    const given = property === undefined ? undefined : keptBy(call, property)
    if (given === undefined) continue
    if (given === 'all') wrong.add(call.function)
    else append(kept, call.function, given)
  }
  for (const fact of wrong) kept.delete(fact)
  return kept
}

function keptBy({ callee, args }: CallValue, property: string): Value | 'all' | undefined {
  if (callee.kind !== 'member') return undefined
  const { name = '', object } = callee
  const [first, second] = args
  if (object.kind === 'this') return name === 'setProperty' && first && constantOf(first) === property ? second : undefined
  // super.setText(text), Control.prototype.setText.call(this, text)
  if (object.kind === 'super') return propertySet(name) === property ? (first ?? 'all') : undefined
  if (object.kind !== 'member' || propertySet(object.name ?? '') !== property || first?.kind !== 'this') return undefined
  return name === 'call' ? second : name === 'apply' ? 'all' : undefined
}
