import type { ClassFact } from '../../facts/index.ts'
import { WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/**
 * Adds that decorators are called with the methods behind them, and gives the indexes of these: `(target, name, { value: method })` as TypeScript has it, or
 * `(method, context)`. Facts: TypeScript handbook, "Decorators"; TC39 proposal "Decorators", stage 3.
 */
export function addDecorated(fact: ClassFact, { callables, functions, graph, use }: FlowDraft): readonly number[] {
  return fact.members.flatMap(({ value, decorators = [] }) => {
    const index = value?.kind === 'function' ? functions.get(value.function) : undefined
    if (value === undefined || index === undefined || decorators.length === 0) return []
    for (const decorator of decorators) {
      const [target, name, descriptor, result] = [decorator, decorator, decorator, decorator].map((place) => graph.add(place))
      if (target === undefined || name === undefined || descriptor === undefined || result === undefined) continue
      callables.selves.push([target, callables.classes.indexOf(fact)])
      callables.functions.push([target, index])
      graph.connect(use(value), descriptor, WRITE, 'value')
      callables.calls.push({ called: use(decorator), how: 'call', args: [target, name, descriptor], result, handed: [] })
    }
    return index
  })
}
