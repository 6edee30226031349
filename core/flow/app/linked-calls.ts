import type { CallGraph, CallLink, OpenGraph, Thing } from './call-graph.ts'
import type { OpenCall } from './called-values.ts'
import { lastName } from '../dotted-names.ts'
import type { FollowedThings } from './followed-things.ts'

/** The calls whose function is known by now. */
export interface LinkedCalls {
  readonly links: CallLink[]
  /** By the call and its function: what is linked once is not linked again. */
  readonly linked: Set<string>
  readonly sources: CallGraph['sources']
  /** A call runs a function; what a constructor gives back is not what comes of the call. */
  link(call: OpenCall, target: Thing, isConstructor?: true): void
}

export function createLinkedCalls(
  { files, bases }: Pick<OpenGraph, 'files' | 'bases'>,
  { lead }: Pick<FollowedThings<Thing>, 'lead'>,
): LinkedCalls {
  const links: CallLink[] = []
  const linked = new Set<string>()
  const sources: CallGraph['sources'][number][] = []
  return {
    links,
    linked,
    sources,
    link(call, { file, index, shift }, isConstructor) {
      const key = `${call.id} ${file} ${index} ${shift}`
      if (linked.has(key)) return
      linked.add(key)
      const target = files[file]?.flow.functions[index]
      if (target === undefined) return
      const base = bases[file] ?? 0
      const { rest = Infinity, parameters } = target
      for (const [position, argument] of call.args.entries()) {
        const parameter = parameters[Math.min(position + shift, rest)]
        if (parameter !== undefined) lead(argument, base + parameter)
      }
      if (isConstructor !== true) lead(base + target.result, call.result)
      links.push({
        file: call.file,
        args: call.args,
        result: call.result,
        receiver: call.receiver,
        ...(call.isSuper && { isSuper: true }),
        filled: call.filled,
        target: { file, index },
        shift,
        via: call.via,
      })
      for (const { parameter, source } of call.handed) {
        const node = parameters[parameter + shift]
        if (node === undefined) continue
        const { handled } = source
        const events = handled?.events.length === 0 ? [lastName(target.name)].filter(Boolean) : handled?.events
        sources.push({
          file,
          source: {
            ...source,
            node: base + node,
            ...(handled !== undefined && events !== undefined && { handled: { ...handled, events } }),
          },
        })
      }
    },
  }
}
