import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { DataNode } from '../../core/parse/data.ts'
import { ParseFailure } from '../../core/parse/failure.ts'
import { runs } from '../soak.ts'

/** How a reader refuses: the reason of its ParseFailure; anything else that it throws is a bug and passes through. */
export function failureOf(read: () => unknown): 'syntax' | 'too-deep' | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof ParseFailure) return error.reason
    throw error
  }
}

/** A property: text of any characters, and text made of the words of the language, throws nothing but a ParseFailure, quickly. */
export function throwsOnlyFailures(read: (text: string) => unknown, words: readonly string[]): void {
  const word = fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 4 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 4 }), weight: 1 },
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.array(word, { maxLength: 40 }).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(text, (text) => {
      const start = performance.now()
      failureOf(() => read(text))
      expect(performance.now() - start).toBeLessThan(20_000)
    }),
    { numRuns: runs(10_000) },
  )
}

/** All nodes of a tree, a node reached by an alias as often as it is reached. */
export function nodesOf(root: DataNode): DataNode[] {
  const nodes: DataNode[] = []
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node)
    if (node.kind === 'array') stack.push(...node.items)
    else if (node.kind === 'object') stack.push(...node.members.map((member) => member.value))
  }
  return nodes
}

/** The value as JSON.parse would give it. */
export function toValue(node: DataNode): unknown {
  if (node.kind === 'array') return node.items.map(toValue)
  // entries are defined, not assigned: `__proto__` is a key like any other
  if (node.kind === 'object') return Object.fromEntries(node.members.map((member) => [member.key, toValue(member.value)]))
  return node.value
}
