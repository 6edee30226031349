import type { BinaryExpression, LogicalExpression, Node } from '../parse/javascript.ts'
import { lastNameOf, nameLiterals } from './literals.ts'
import type { Value } from './types.ts'
import type { Walk } from './walk.ts'

type Operation = BinaryExpression | LogicalExpression

/** A value that is still growing: `a + b`, to which `+ c` will be added. */
type Growing =
  | { kind: 'concat'; start: number; end: number; parts: Value[] }
  | { kind: 'choice'; start: number; end: number; options: Value[]; test: undefined; isAnd?: true }
  | { kind: 'operation'; start: number; end: number; operator: string; operands: Value[] }

/** `a + b + c` and the like. The left spine is walked in a loop: generated code adds thousands of terms, and each would cost stack. */
export function toOperation(walk: Walk, node: Operation): Value {
  const spine: Operation[] = []
  let here: Node = node
  while (here.type === 'BinaryExpression' || here.type === 'LogicalExpression') {
    spine.push(here)
    walk.step()
    here = here.left
  }

  let value: Value = walk.toValue(here)
  let growing: Growing | undefined
  let operator = ''
  for (let link = spine.pop(); link !== undefined; link = spine.pop()) {
    const right = walk.toValue(link.right)
    if (right.kind === 'literal' && isComparison(link.operator)) nameLiterals(walk, right, lastNameOf(value))
    if (growing === undefined || operator !== link.operator) {
      growing = startGrowing(link.operator, value)
      operator = link.operator
      value = growing
    }
    // {isOwn && <a href={url}/>}, isOwn(url) && { url }
    if (link.operator === '&&' && (right.kind === 'jsx' || (isComposed(right) && mayCheck(value)))) {
      const { start, end } = right
      walk.guards.push({ start, end, test: value, inside: { start, end }, exits: false, function: walk.function })
    }
    growing.end = link.end ?? 0
    operandsOf(growing).push(right)
  }
  return value
}

const COMPOSED: ReadonlySet<Value['kind']> = new Set(['template', 'concat', 'call', 'new', 'tagged', 'await', 'jsx', 'function'])

/** Whether a value is put together from others, which are read where it stands. */
export function isComposed(value: Value): boolean {
  if (value.kind === 'object') return value.fields.some((field) => field.value.kind !== 'literal')
  return value.kind === 'array' ? value.items.some(({ kind }) => kind !== 'literal') : COMPOSED.has(value.kind)
}

/** A name or a field alone says that something is there. */
function mayCheck({ kind }: Value): boolean {
  return kind === 'call' || kind === 'operation' || kind === 'choice'
}

function startGrowing(operator: string, first: Value): Growing {
  const { start, end } = first
  if (operator === '+') return { kind: 'concat', start, end, parts: [first] }
  if (operator === '||' || operator === '&&' || operator === '??')
    return { kind: 'choice', start, end, options: [first], test: undefined, ...(operator === '&&' && { isAnd: true }) }
  return { kind: 'operation', start, end, operator, operands: [first] }
}

function operandsOf(value: Growing): Value[] {
  if (value.kind === 'concat') return value.parts
  return value.kind === 'choice' ? value.options : value.operands
}

function isComparison(operator: string): boolean {
  return operator === '===' || operator === '==' || operator === '!==' || operator === '!='
}
