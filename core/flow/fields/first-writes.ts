import { resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { PlaceWrite } from './last-writes.ts'
import { extendedObject, type Owners } from '../calls/owners.ts'
import { WHOLE, type Places } from '../graph/places.ts'

interface Writes {
  readonly facts: ScriptFacts
  readonly owners: Owners
  readonly places: Places
  readonly writes: ReadonlyMap<string, readonly PlaceWrite[]>
  readonly add: (write: PlaceWrite) => void
}

/** Methods that run before all others of an object, in this order. Facts: ECMAScript, class fields; API of sap.ui.core.mvc.Controller, sap.ui.core.UIComponent and Control. */
const FIRST_METHODS = ['constructor', 'onInit', 'init']

/** Adds what fields are written with where an object begins, and models where they are made: what is written later may replace it. */
export function addFirstWrites({ facts, owners, places, writes, add }: Writes): void {
  const addField = (owner: object, name: string, value: Value): void => {
    const place = places.field(owner, name)
    for (const method of FIRST_METHODS)
      for (const fact of owners.methodsOf(owner, method)) {
        const { start } = fact
        if (!writes.has(`${place.key} ${start}`)) continue
        return add({ ...place, by: value, value, start, end: start, function: fact, named: start })
      }
  }
  for (const owner of facts.classes)
    for (const { name, value, isStatic } of owner.members)
      if (name !== undefined && value !== undefined && !isStatic && value.kind !== 'function') addField(owner, name, value)
  for (const call of facts.calls) {
    const object = extendedObject(call)
    for (const { key, value } of object?.fields ?? [])
      if (object !== undefined && key !== undefined && value.kind !== 'function') addField(object, key, value)
  }
  const wholes = [...writes.values()].flat().filter(({ key }) => key.endsWith(` ${WHOLE}`))
  for (const binding of facts.bindings) {
    const [definition, other] = binding.definitions
    if (definition?.value === undefined || other !== undefined || definition.path.length > 0) continue
    const made = definition.value
    const given = made.kind === 'new' && made.args[0] !== undefined ? resolveValue(made.args[0]) : made
    if (given.kind !== 'object' || (made.kind === 'object' && binding.isCaptured)) continue
    const { function: within } = definition
    const end = Math.max(definition.end, made.end)
    for (const { key, value } of given.fields) {
      const place = key === undefined ? undefined : places.below(binding, key)
      const isWritten =
        place !== undefined && (writes.has(`${place.key} ${within.start}`) || wholes.some(({ holder }) => holder === binding))
      if (isWritten) add({ ...place, by: value, value, start: value.start, end, function: within, named: end })
    }
  }
  // all that was written to a model is gone where it gets other data
  for (const whole of wholes)
    for (const [key, own] of writes)
      if (
        own[0]?.holder === whole.holder &&
        key !== `${whole.key} ${whole.function.start}` &&
        own[0]?.function === whole.function
      )
        add({ ...whole, key: own[0].key, name: own[0].name })
}
