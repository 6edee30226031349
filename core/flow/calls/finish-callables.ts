import { RESULT } from '../places.ts'
import { MOVE, WRITE, type FlowCallables, type FlowClassBody } from '../types.ts'
import { addDecorated } from './decorators.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What can be called, when everything else of the graph is made. */
export function finishCallables(draft: FlowDraft): FlowCallables {
  const { facts, callables, use, graph, functions } = draft
  const { classes, written, ...rest } = callables
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
        const accessor = value.kind === 'function' ? functions.get(value.function) : undefined
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
        methods: facts.functions.flatMap((one) => (draft.owners.holderOf(one) === fact ? (functions.get(one) ?? []) : [])),
        ...(decorated.length > 0 && { decorated }),
        initializer: constructing?.kind === 'function' ? functions.get(constructing.function) : undefined,
        parent: fact.parent === undefined ? undefined : use(fact.parent),
        members: own.filter(({ name }) => name !== 'constructor'),
        fields: graph.fieldsOf(fact),
      }
    }),
  }
}
