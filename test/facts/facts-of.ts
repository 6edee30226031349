import { collectFacts, type Binding, type ScriptFacts, type Value } from '../../core/facts/index.ts'
import { parseScript } from '../../core/parse/javascript.ts'

/** The facts of a text, as JavaScript unless its path says otherwise. */
export function factsOf(text: string, path = 'a.js'): ScriptFacts {
  return collectFacts(parseScript(text, path), text)
}

/** The value that is handed to `show(…)`; the first such call. */
export function shownIn(text: string, path = 'a.js'): Value {
  const call = factsOf(text, path).calls.find(({ callee }) => callee.kind === 'reference' && callee.name === 'show')
  const value = call?.args[0]
  if (value === undefined) throw new Error(`nothing is shown in ${text}`)
  return value
}

/** The only binding of that name. */
export function bindingOf(facts: ScriptFacts, name: string): Binding {
  const [binding, other] = facts.bindings.filter((binding) => binding.name === name)
  if (binding === undefined || other !== undefined) throw new Error(`not one binding ${name}`)
  return binding
}
