import type { FileFlow } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Methods that classes of an app have as well; lists alone have `push`. */
const OF_CLASSES: ReadonlySet<string> = new Set(['add', 'append', 'set'])

/** What is put into names by such methods, with the results of the calls. */
export function additionsIn({ facts, use, collected: { added } }: FlowDraft): NonNullable<FileFlow['additions']> {
  if (added.size === 0) return []
  return facts.calls.flatMap((call) => {
    const { callee, args } = call
    if (callee.kind !== 'member' || !OF_CLASSES.has(callee.name ?? '')) return []
    return args.flatMap((argument) => {
      const node = added.get(argument)
      return node === undefined ? [] : [[node, use(call)] as const]
    })
  })
}
