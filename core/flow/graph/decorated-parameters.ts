import { accessesOf, type Binding, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { PARAMETER_DECORATORS } from '../tables/parameter-decorators.ts'
import { COPY, type Origin } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { writtenPath } from './callees.ts'
import { addParameter } from './parameter-sources.ts'

/** Adds what frameworks hand to the methods and constructors of classes with decorators: parts of requests, and objects of other classes. */
export function addDecoratedParameters(draft: FlowDraft): void {
  const { facts } = draft
  for (const fact of facts.functions)
    for (const [index, decorators] of fact.decorated ?? []) {
      const filled = decorators.map(filledBy).find((one) => one !== undefined)
      if (filled !== undefined && filled !== 'piped') addParameter(fact, index, filled, draft)
    }
  for (const owner of facts.classes) if (owner.decorators !== undefined) addInjected(owner, draft)
}

/** `@Query('name')`; undefined: nothing of the request. */
function filledBy(decorator: Value): Origin | 'piped' | undefined {
  const [called, args] = decorator.kind === 'call' ? [decorator.callee, decorator.args] : [decorator, []]
  const paths = new Set(accessesOf(called).map(writtenPath))
  for (const { package: name, origins, checks } of PARAMETER_DECORATORS) {
    const found = Object.keys(origins).find((one) => paths.has(`module:${name} ${one}`))
    if (found === undefined) continue
    return args.some((given) => checks?.has(pipeOf(given)) === true) ? 'piped' : origins[found]
  }
  return undefined
}

/** `ParseIntPipe`, `new ParseIntPipe({ optional: true })`. */
function pipeOf(given: Value): string {
  return lastNameOf('callee' in given ? given.callee : given) ?? ''
}

/** A parameter that a pipe of the framework leaves no text but its own: it is known, and nobody's. */
export function isPiped({ decorated }: FunctionFact, index: number): boolean {
  return decorated?.get(index)?.some((decorator) => filledBy(decorator) === 'piped') === true
}

/**
 * `constructor(private readonly products: ProductService)` of a class that a container makes: it hands over an object of the class that the parameter is declared as.
 * Facts: NestJS 11, "Custom providers"; TypeDI, InversifyJS (constructor injection by emitted types).
 */
function addInjected({ members }: ClassFact, { facts, callables, graph, use, parameterOf }: FlowDraft): void {
  const constructing = members.find(({ name, value }) => name === 'constructor' && value?.kind === 'function')?.value
  if (constructing?.kind !== 'function') return
  for (const [index, parameter] of constructing.function.parameters.entries()) {
    const type = parameter && facts.types.get(parameter)
    const binding = type === undefined ? undefined : facts.bindings.find((one) => one.name === type && isClass(one))
    const node = parameterOf(constructing.function, index)
    if (parameter === undefined || binding === undefined || node === undefined) continue
    const { start, end } = parameter
    const made = graph.add(parameter)
    const called = use({ kind: 'reference', start, end, name: binding.name, binding })
    callables.calls.push({ called, how: 'new', args: [], result: made, handed: [] })
    graph.connect(made, node, COPY)
  }
}

function isClass({ kind, function: { kind: within } }: Binding): boolean {
  return within === 'file' && (kind === 'import' || kind === 'class')
}
