import type { Budget } from '../budget.ts'
import type { OpenContent } from '../files.ts'
import { itemsOf, membersOf, stringOf, type DataNode } from '../parse/data.ts'
import { ParseFailure } from '../parse/failure.ts'
import { parseJson } from '../parse/json.ts'
import type { Span } from '../types.ts'
import { readEscapes } from './escapes.ts'
import { countLook, type Layer } from './layers.ts'
import { readTextPairs } from './text-pairs.ts'

/** A value and the name that it is given. */
export interface Pair {
  readonly name: string
  /** Decoded. */
  readonly value: string
  /** The value as written, without its quotes. */
  readonly span: Span
  /** In code only what is quoted is a value; a bare word is a name. */
  readonly isQuoted: boolean
  /** The other pairs of its object; in text without a tree, those of the lines around. */
  siblings(): readonly Pair[]
}

/** JSON in a string of JSON, in a variable of .env. */
const DEPTH = 2

/** All pairs of a file: of its tree, of a script's literals, else as lines read; around hits of the keywords where there is no tree. */
export function readPairs(layer: Layer, content: OpenContent, keywords: readonly string[], budget: Budget): readonly Pair[] {
  if (content.as === 'data') return content.roots.flatMap((root) => readTree(root, layer, 0, budget))
  if (content.as === 'script') return readLiterals(content, budget)
  return readTextPairs(layer, keywords, budget)
}

/** Pairs of a tree whose spans are offsets of `layer`, those of objects inside its strings too. */
function readTree(root: DataNode, layer: Layer, depth: number, budget: Budget): readonly Pair[] {
  const pairs: Pair[] = []
  const stack: DataNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    budget.step()
    for (const item of itemsOf(node)) stack.push(item)
    const own: Pair[] = []
    for (const { key, value } of membersOf(node)) {
      budget.step()
      const text = stringOf(value) ?? (value.kind === 'number' ? String(value.value) : undefined)
      if (text === undefined) stack.push(value)
      else {
        const pair: Pair = {
          name: key,
          value: text,
          span: layer.spanOf(value.start, value.end),
          isQuoted: value.kind === 'string',
          siblings: () => own.filter((other) => other !== pair),
        }
        own.push(pair)
        if (depth < DEPTH) pairs.push(...readInner(value, text, layer, depth, budget))
      }
    }
    pairs.push(...own)
  }
  return pairs.sort((a, b) => a.span.start - b.span.start)
}

/** A string that holds JSON itself, as written or with its escapes read. */
function readInner(value: Span, text: string, layer: Layer, depth: number, budget: Budget): readonly Pair[] {
  if (!/^\s{0,20}[{[]/.test(text) || text.length < 4) return []
  countLook(budget, text.length)
  const escaped = readEscapes(layer, value.start, value.end)
  for (const inner of [toWindow(layer, value), escaped]) {
    if (inner === undefined) continue
    try {
      return readTree(parseJson(inner.text), inner, depth + 1, budget)
    } catch (error) {
      // a text that only begins like JSON
      if (!(error instanceof ParseFailure)) throw error
    }
  }
  return []
}

function toWindow(layer: Layer, { start, end }: Span): Layer {
  return {
    text: layer.text.slice(start, end),
    offsets: () => [],
    spanOf: (from, to) => layer.spanOf(start + from, start + to),
    permits: (offset) => layer.permits(start + offset),
    resumesAt: (offset) => offset + 1,
  }
}

function readLiterals({ facts }: OpenContent & { as: 'script' }, budget: Budget): readonly Pair[] {
  const pairs: Pair[] = []
  const byOwner = new Map<object, Pair[]>()
  for (const { name, value, start, end, owner } of facts.literals) {
    budget.step()
    const family = owner === undefined ? [] : (byOwner.get(owner) ?? [])
    if (owner !== undefined) byOwner.set(owner, family)
    const pair: Pair = {
      name,
      value,
      span: { start, end },
      isQuoted: true,
      siblings: () => family.filter((other) => other !== pair),
    }
    family.push(pair)
    pairs.push(pair)
  }
  return pairs
}
