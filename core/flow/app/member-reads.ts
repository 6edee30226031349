import type { ClassReader } from '../classes/class-reader.ts'
import type { Thing } from './call-graph.ts'
import type { OwnMembers } from './followed-edges.ts'
import type { FollowedThings } from './followed-things.ts'

const MAX_PATH = 60

/** The access path of a package with what is done to it. Too long a path is none. */
export function packageBehind(thing: Thing, what: string): Thing | undefined {
  return thing.path.length < MAX_PATH ? { ...thing, path: `${thing.path} ${what}` } : undefined
}

/** What is read from packages, classes and objects. */
export interface MemberReads extends OwnMembers<Thing> {
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
