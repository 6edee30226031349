import { resolveValue, type Binding, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { LOGIN_FORMS } from '../../../flow/models/callback-sources.ts'
import { handedParameters } from '../../../flow/sources/callback-sources.ts'
import type { SentObject } from './sent-texts.ts'

/** Values that are what Passport hands to the function of a local strategy: fields of the body as they are. */
export function createLoginReader(
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): (value: Value) => SentObject | undefined {
  const found = new Map<Binding, SentObject>()
  step(calls.length)
  for (const call of calls) {
    for (const parameter of handedParameters(call, LOGIN_FORMS)) {
      const { name, function: from } = parameter
      found.set(parameter, { client: name, name, from, isOfLogin: true })
    }
  }
  return (value) => {
    const binding = found.size === 0 ? undefined : bindingOf(resolveValue(value))
    return binding && found.get(binding)
  }
}
