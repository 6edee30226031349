import { RESULT } from '../places.ts'
import { MOVE, WRITE, type FlowCallables, type FlowClassBody } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { ClassFact } from '../../facts/index.ts'

/** What can be called, when everything else of the graph is made. */
export function finishCallables(draft: FlowDraft): FlowCallables {
  const { facts, server, use, graph, calling } = draft
  const { classes, written, ...rest } = server.callables
  // what a function gives that holds something of the function around it
  for (const { called, how, result } of rest.calls) if (how === 'call') graph.connect(called, result, MOVE, 'called')
  for (const { called, result, rest: given } of rest.partials) {
    graph.connect(called, result, MOVE, 'function')
    graph.connect(given, result, WRITE, RESULT)
  }
  return {
    ...rest,
    ...(written.length > 0 && { written }),
    classes: classes.map((fact): FlowClassBody => {
      const own = fact.members.flatMap(({ name, isStatic, value }) => {
        if (name === undefined || value === undefined) return []
        const accessor = value.kind === 'function' ? calling.functions.get(value.function) : undefined
        const kind = value.kind === 'function' ? value.function.kind : undefined
        return [
          {
            name,
            isStatic,
            node: use(value),
            ...(kind === 'getter' && accessor !== undefined && { getter: accessor }),
            ...(kind === 'setter' && accessor !== undefined && { setter: accessor }),
          },
        ]
      })
      const decorated = addDecorated(fact, draft)
      const constructing = fact.members.find(({ name, value }) => name === 'constructor' && value?.kind === 'function')?.value
      return {
        methods: facts.functions.flatMap((one) =>
          draft.owners.holderOf(one) === fact ? (calling.functions.get(one) ?? []) : [],
        ),
        ...(decorated.length > 0 && { decorated }),
        initializer: constructing?.kind === 'function' ? calling.functions.get(constructing.function) : undefined,
        parent: fact.parent === undefined ? undefined : use(fact.parent),
        members: own.filter(({ name }) => name !== 'constructor'),
        fields: graph.fieldsOf(fact),
      }
    }),
  }
}

/**
 * Adds that decorators are called with the methods behind them, and gives the indexes of these: `(target, name, { value: method })` as TypeScript has it, or
 * `(method, context)`. Facts: TypeScript handbook, "Decorators"; TC39 proposal "Decorators", stage 3.
 */
function addDecorated(
  fact: ClassFact,
  { server: { callables }, calling: { functions }, graph, use }: FlowDraft,
): readonly number[] {
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
