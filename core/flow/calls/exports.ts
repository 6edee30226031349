import { resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { exportedValues } from './modules.ts'

/** The functions that other files may call, by the names that an access path has: `default`, `run`, `Helper#run`. */
export function exportsOf(facts: ScriptFacts, functions: ReadonlyMap<FunctionFact, number>): (readonly [string, number])[] {
  const found: (readonly [string, number])[] = []
  const add = (name: string, fact: FunctionFact): void => {
    const target = functions.get(fact)
    if (target !== undefined) found.push([name, target])
  }
  for (const { name, value } of facts.exports) {
    const exported = value && resolveValue(value)
    if (exported === undefined) continue
    const own = name === 'default' ? '' : name
    for (const [path, fact] of functionsIn(exported)) add(joinName(own, path), fact)
  }
  return found
}

/** The same with the functions themselves. */
export function exportedFunctions(facts: ScriptFacts): (readonly [string, FunctionFact])[] {
  const { functions } = facts
  const indexes = new Map(functions.map((fact, index) => [fact, index]))
  return exportsOf(facts, indexes).flatMap(([name, index]) => {
    const fact = functions[index]
    return fact === undefined ? [] : [[name, fact] as const]
  })
}

/** The same of a script of a browser, whose module `sap.ui.define` may make. */
export function browserFunctions(facts: ScriptFacts): (readonly [string, FunctionFact])[] {
  return exportedValues(facts).flatMap(({ name, value }) =>
    [...functionsIn(resolveValue(value))].map(([path, fact]) => [joinName(name, path), fact] as const),
  )
}

/** `run` of the module itself, `default.run`, `Helper#run` of a class. */
function joinName(own: string, path: string): string {
  if (path.startsWith('#') || own === '' || path === '') return own + path || 'default'
  return `${own}.${path}`
}

function* functionsIn(value: Value): Generator<readonly [string, FunctionFact]> {
  if (value.kind === 'function') yield ['', value.function]
  if (value.kind === 'object')
    for (const { key, value: field } of value.fields) {
      const inner = resolveValue(field)
      if (key === undefined) continue
      if (inner.kind === 'function') yield [key, inner.function]
      if (inner.kind === 'class')
        for (const [path, fact] of functionsIn(inner)) yield [path.startsWith('#') ? key + path : `${key}.${path}`, fact]
    }
  if (value.kind === 'class')
    for (const { name, isStatic, value: member } of value.class.members)
      if (name !== undefined && member?.kind === 'function') yield [isStatic ? name : `#${name}`, member.function]
}
