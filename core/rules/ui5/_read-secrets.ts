import { lastNameOf } from '../../facts/literals.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { Binding, FunctionFact, ScriptFacts } from '../../facts/index.ts'
import { isSecretName } from '../../model/script/index.ts'

/** A name is handed from function to function; more hops are another thing. */
const MAX_HOPS = 2

/** Tells whether the code takes a credential out of what a name holds: `answer.access_token`, here or where it is handed on. */
export function createSecretReader(
  text: string,
  { calls, functions }: ScriptFacts,
  step: (count?: number) => void,
): (binding: Binding) => boolean {
  const known = new Map<Binding, boolean>()
  const readsIn = ({ start, end }: FunctionFact, name: string): boolean => {
    step(1 + ((end - start) >> 8))
    const read = `${name}.`
    for (let at = text.indexOf(read, start); at >= 0 && at < end; at = text.indexOf(read, at + read.length)) {
      if (/[\w$.]/.test(text[at - 1] ?? '')) continue
      const [field] = /^[\w$]{1,60}/.exec(text.slice(at + read.length, at + read.length + 60)) ?? []
      if (isSecretName(field)) return true
    }
    return false
  }
  const handedOn = (binding: Binding): readonly Binding[] => {
    step(1 + (calls.length >> 3))
    return calls.flatMap(({ callee, args }) => {
      const index = args.findIndex((argument) => argument.kind === 'reference' && argument.binding === binding)
      if (index < 0) return []
      const name = callee.kind === 'member' && callee.object.kind === 'this' ? lastNameOf(callee) : undefined
      const own = functionOf(callee)
      const found = own === undefined ? functions.filter((fact) => name !== undefined && isCalled(fact, name)) : [own]
      return found.flatMap(({ parameters }) => parameters[index] ?? [])
    })
  }
  const reads = (binding: Binding, hops: number): boolean =>
    readsIn(binding.function, binding.name) ||
    (hops < MAX_HOPS && handedOn(binding).some((parameter) => reads(parameter, hops + 1)))
  return (binding) => {
    const before = known.get(binding)
    if (before !== undefined) return before
    const found = binding.module === undefined && binding.function.kind !== 'file' && reads(binding, 0)
    known.set(binding, found)
    return found
  }
}

function isCalled({ name }: FunctionFact, method: string): boolean {
  return name === method || name.endsWith(`.${method}`)
}
