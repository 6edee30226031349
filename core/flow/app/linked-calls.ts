import type { CallGraph, CallLink, OpenGraph, Thing } from './call-graph.ts'
import type { OpenCall } from './open-calls.ts'
import type { FollowedThings, OwnMembers } from './followed-things.ts'
import type { ClassReader } from '../classes/class-reader.ts'
import { lastName } from '../../paths.ts'

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

const MAX_PATH = 60

/** The access path of a package with what is done to it. Too long a path is none. */
export function packageBehind(thing: Thing, what: string): Thing | undefined {
  return thing.path.length < MAX_PATH ? { ...thing, path: `${thing.path} ${what}` } : undefined
}

/** What is read from packages, classes and objects. */
interface MemberReads extends OwnMembers<Thing> {
  /** What was read from objects, and became a part of a text: the classes of objects may have become known since. */
  readAgain(): void
}

export function createMemberReads(
  { reach }: Pick<FollowedThings<Thing>, 'reach'>,
  { readMember, readText }: Pick<ClassReader, 'readMember' | 'readText'>,
): MemberReads {
  const texts = new Map<string, { thing: Thing; from: number; to: number }>()
  const reads = new Map<string, { thing: Thing; name: string; from: number; to: number }>()
  return {
    read({ node, id, thing, to, name }) {
      if (thing.kind === 'function') return
      if (thing.kind === 'package') {
        const behind = name === 'default' ? thing : packageBehind(thing, name)
        if (behind !== undefined) reach(to, behind)
      } else if (thing.kind === 'class' && name === 'prototype') reach(to, { ...thing, kind: 'instance' })
      else {
        const key = `${id} ${name} ${node} ${to}`
        if (reads.has(key)) return
        reads.set(key, { thing, name, from: node, to })
        readMember(thing, name, node, to)
      }
    },
    join({ node, id, thing, to }) {
      if (thing.kind === 'instance') texts.set(`${id} ${node} ${to}`, { thing, from: node, to })
    },
    readAgain() {
      for (const { thing, name, from, to } of reads.values()) readMember(thing, name, from, to)
      for (const { thing, from, to } of texts.values()) readText(thing, from, to)
    },
  }
}
