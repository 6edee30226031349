import { accessesOf, valuesOf, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'

/** What a message is about. */
const SORT = /^(?:type|kind|action|event|name|id|command|topic|channel|source)$/i
/** What only says which page of the app is shown, and how: nothing of it is data, and each of it can be chosen by a link as well. */
const SHOWN =
  /^(?:(?:new|current|initial|inner)?(?:route|hash|search|path|pathname|locale|lang|language|theme|density|contentdensity|darkmode))$/i

/**
 * Whether a listener reads nothing of a message but its sort, and which page the app shows in which language or theme, or only compares what it reads. Of the data as a whole
 * it may only ask whether it is there, or write it to the console.
 */
export function onlySteers(
  handler: FunctionFact,
  parameter: number,
  facts: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  const parents = new Map<Value, Value | undefined>()
  const data = new Set<Value>()
  const fields = new Set<string>()
  let onlyCompares = true
  for (const { value, parent } of valuesOf(facts)) {
    step()
    if (value.start < handler.start || value.end > handler.end) continue
    parents.set(value, parent)
    for (const { steps, binding } of accessesOf(value)) {
      if (binding?.function !== handler || binding.definitions[0]?.parameter !== parameter) continue
      if (steps.length === 1 && steps[0] === 'data') data.add(value)
      else if (steps.length > 1 && steps[0] === 'data') {
        fields.add(steps[1] ?? '')
        onlyCompares &&= parent !== undefined && 'operands' in parent
      } else if (steps.length === 0 && !(parent !== undefined && 'object' in parent)) return false
    }
  }
  for (const value of data) {
    const parent = parents.get(value)
    const isRead = parent !== undefined && 'object' in parent && parent.object === value
    const isAsked = parent === undefined || 'options' in parent || 'operands' in parent
    if (!isRead && !isAsked && !(parent !== undefined && isConsole(parent))) return false
  }
  const isSteered = [...fields].some((name) => SHOWN.test(name)) || (onlyCompares && data.size + fields.size > 0)
  return isSteered && [...fields].every((name) => SORT.test(name) || SHOWN.test(name))
}

/** `console.log('received', event.data)` */
function isConsole(call: Value): boolean {
  return 'callee' in call && accessesOf(call.callee).some(({ root }) => root === 'global:console')
}
