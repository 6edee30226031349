import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from '@babel/parser'

const CORE = new URL('../../core', import.meta.url).pathname

/** A regular expression of ours, and where it stands. */
export interface OwnExpression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** All regular expressions that are written in core/, and all places that make one of a text. */
export function collectExpressions(): { readonly literals: readonly OwnExpression[]; readonly made: readonly string[] } {
  const literals: OwnExpression[] = []
  const made: string[] = []
  for (const name of readdirSync(CORE, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const path = join(CORE, name)
    const file = relative(CORE, path)
    visit(parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins: ['typescript'] }).program, (node) => {
      if (node['type'] === 'RegExpLiteral' && typeof node['pattern'] === 'string' && typeof node['flags'] === 'string')
        literals.push({ place: `${file}:${lineOf(node)}`, source: node['pattern'], flags: node['flags'] })
      const { callee } = node
      if (isNode(callee) && callee['type'] === 'Identifier' && callee['name'] === 'RegExp') made.push(file)
    })
  }
  return { literals, made }
}

type Node = Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function lineOf({ loc }: Node): unknown {
  return isNode(loc) && isNode(loc['start']) ? loc['start']['line'] : undefined
}

function visit(value: unknown, tell: (node: Node) => void): void {
  if (!isNode(value)) return
  tell(value)
  for (const [key, inner] of Object.entries(value)) if (key !== 'loc') visit(inner, tell)
}
