import { isCalleeOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { resolveValue, type Binding, type ScriptFacts, type Value } from '../../facts/index.ts'
import { createReturnReader, firstPartOf, leadingTextOf } from '../script/index.ts'

/** Functions and fields that give an address of the app's own server. Facts: API reference of SAPUI5, sap.ui.require.toUrl, Component#getManifestEntry, Manifest#resolveUri, sap.ui.model.odata.v4.ODataModel#getServiceUrl. */
const OWN: ReadonlySet<string> = new Set(['toUrl', 'getManifestEntry', 'resolveUri', 'getServiceUrl', 'sServiceUrl', 'origin'])
const MAX_DEPTH = 4

/** Whether a script asks its own server by this address, as far as its file tells: a path, what the manifest names, a base that is one. */
export function createOwnAddressReader(facts: ScriptFacts, step: (count?: number) => void): (address: Value) => boolean {
  const { assignments, bindings, classes, calls } = facts

  const isOwn = (address: Value, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false
    step()
    const { text } = leadingTextOf(address)
    if (text !== '') return !/^(?:[a-z][\w+.-]{0,20}:|[/\\]{2})/i.test(text)
    const first = firstPartOf(address)
    if (first === undefined || first.kind === 'literal') {
      const here = resolveValue(address)
      return here.kind === 'choice' && here.options.some((option) => isOwn(option, depth + 1))
    }
    return givenTo(first).some((value) => isOwn(value, depth + 1)) || OWN.has(nameOf(first))
  }

  /** What a field of `this`, a parameter or a function of the file stands for. */
  const givenTo = (value: Value): readonly Value[] => {
    if (value.kind === 'member' && value.object.kind === 'this' && value.name !== undefined) return fieldsNamed(value.name)
    if (value.kind === 'reference' && value.binding?.kind === 'parameter') return givenToParameter(value.binding)
    return value.kind === 'call' ? returnsOf(value) : []
  }

  const fieldsNamed = (name: string): readonly Value[] => {
    step(assignments.length + bindings.length)
    return [
      ...assignments.flatMap(({ target, value }) => (target.name === name && target.object.kind === 'this' ? value : [])),
      ...classes.flatMap(({ members }) => members.flatMap((member) => (member.name === name ? (member.value ?? []) : []))),
      // constructor(private readonly base = "/api")
      ...bindings.flatMap((binding) =>
        binding.name === name && binding.kind === 'parameter' && binding.function.kind === 'constructor'
          ? binding.definitions.flatMap(({ fallback }) => fallback ?? [])
          : [],
      ),
    ]
  }

  const givenToParameter = (parameter: Binding): readonly Value[] => {
    step(calls.length)
    const index = parameter.function.parameters.indexOf(parameter)
    const [definition] = parameter.definitions
    const given = calls.flatMap((call) => (isCalleeOf(call.callee, parameter.function) ? (call.args[index] ?? []) : []))
    return [...(definition?.fallback === undefined ? [] : [definition.fallback]), ...(index < 0 ? [] : given)]
  }

  const returnsOf = createReturnReader(facts, step)

  return (address) => isOwn(address, 0)
}

function nameOf(value: Value): string {
  return lastNameOf(value.kind === 'call' ? value.callee : value) ?? ''
}
