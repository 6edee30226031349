import { accessesOf, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import type { ClientData } from './client-data.ts'

/** Of a request what tells who calls, or may. */
const OF_CALLER = /^(?:user|tenant|_|http|headers|context|authInfo|tokenInfo)$/

/** `srv.on('enter', async ({ data }) => …)`: what the client sends to a handler that takes it out of the request, and nothing of who calls. */
export function createTakenReader(facts: ScriptFacts, step: (count?: number) => void): (value: Value) => ClientData | undefined {
  let taking: ReadonlySet<FunctionFact> | undefined
  const find = (): ReadonlySet<FunctionFact> => {
    const [found, knowing] = [new Set<FunctionFact>(), new Set<FunctionFact>()]
    const handlers = findHandlers(facts).flatMap(({ fact, parameter }) => (fact === undefined ? [] : [{ fact, parameter }]))
    step(handlers.length + facts.bindings.length)
    for (const { fact, parameter } of handlers)
      if (fact.parameters.length > parameter && fact.parameters[parameter] === undefined) found.add(fact)
    for (const { definitions, function: around } of facts.bindings)
      for (const { kind, path, taken } of definitions)
        if (kind === 'parameter' && (OF_CALLER.test(path[0] ?? '') || taken !== undefined)) knowing.add(around)
    return new Set([...found].filter((fact) => !knowing.has(fact)))
  }
  return (value) => {
    for (const { binding, steps } of accessesOf(value)) {
      const [part, name = '', more] = steps
      const isTaken = binding?.kind === 'parameter' && binding.definitions.every(({ path }) => path[0] === 'data')
      if (!isTaken || part !== 'data' || more !== undefined || !/^\w+$/.test(name)) continue
      if ((taking ??= find()).has(binding.function)) return { client: `data.${name}`, part, name, request: binding }
    }
    return undefined
  }
}
