import type {
  CallExpression,
  NewExpression,
  Node,
  OptionalCallExpression,
  TaggedTemplateExpression,
} from '../parse/javascript.ts'
import { lastNameOf, mayHoldLiterals, nameLiterals } from './literals.ts'
import { nameLoaded } from './module-calls.ts'
import type { CallValue, MemberValue, Value } from './types.ts'
import type { Walk } from './walk.ts'

/** `a.b().c[d]`: the spine is walked in a loop, since a chain may be as long as the file. */
export function toChain(walk: Walk, node: Node): Value {
  const spine: Node[] = []
  let here: Node | undefined = node
  let next = below(node)
  while (next !== undefined) {
    spine.push(here)
    walk.step()
    here = next
    next = below(next)
  }
  let value = walk.toValue(here)
  for (let link = spine.pop(); link !== undefined; link = spine.pop()) value = toLink(walk, link, value)
  return value
}

function below(node: Node): Node | undefined {
  switch (node.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node.object
    case 'CallExpression':
    case 'OptionalCallExpression':
      return node.callee
    case 'TaggedTemplateExpression':
      return node.tag
    case 'TSNonNullExpression':
      return node.expression
    default:
      return undefined
  }
}

function toLink(walk: Walk, node: Node, before: Value): Value {
  switch (node.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return toMember(walk, node.property, node.computed, {
        kind: 'member',
        start: node.start ?? 0,
        end: node.end ?? 0,
        object: before,
        name: undefined,
        property: undefined,
        isOptional: node.optional === true,
      })
    case 'CallExpression':
    case 'OptionalCallExpression':
      return addCall(walk, node, 'call', before)
    case 'TaggedTemplateExpression':
      return addTagged(walk, node, before)
    default:
      return before
  }
}

function toMember(
  walk: Walk,
  property: Node,
  computed: boolean,
  member: { -readonly [Key in keyof MemberValue]: MemberValue[Key] },
): Value {
  if (property.type === 'PrivateName') member.name = `#${property.id.name}`
  else if (property.type === 'Identifier' && !computed) member.name = property.name
  else {
    const value = walk.toValue(property)
    if (value.kind === 'literal') member.name = String(value.value)
    else member.property = value
  }
  return member
}

/** `new a.b(c)`. */
export function toNew(walk: Walk, node: NewExpression): CallValue {
  return addCall(walk, node, 'new', walk.toValue(node.callee))
}

function addCall(
  walk: Walk,
  node: CallExpression | OptionalCallExpression | NewExpression,
  kind: 'call' | 'new',
  callee: Value,
): CallValue {
  const name = lastNameOf(callee)
  const { length } = walk.names
  const { namesFrom } = walk
  nameCallbacks(walk, name, node.arguments)
  const args: Value[] = []
  for (const argument of node.arguments) args.push(walk.toValue(argument))
  nameLoaded(walk, callee, args)
  walk.names.length = length
  walk.namesFrom = namesFrom

  const call: CallValue = {
    kind,
    start: node.start ?? 0,
    end: node.end ?? 0,
    callee,
    args,
    texts: undefined,
    function: walk.function,
  }
  walk.calls.push(call)
  for (const argument of args) if (mayHoldLiterals(argument)) nameLiterals(walk, argument, name)
  return call
}

function addTagged(walk: Walk, node: TaggedTemplateExpression, callee: Value): CallValue {
  const call: CallValue = {
    kind: 'tagged',
    start: node.start ?? 0,
    end: node.end ?? 0,
    callee,
    args: node.quasi.expressions.map((part) => walk.toValue(part)),
    texts: node.quasi.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw),
    function: walk.function,
  }
  walk.calls.push(call)
  return call
}

/** Where a callback is registered under a name: handlers of one file are told apart by it, in whatever order they stand. */
const REGISTRATIONS = new Set([
  'on',
  'before',
  'after',
  'once',
  'subscribe',
  'addEventListener',
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'use',
  'all',
])
const MAX_NAME = 40

function nameCallbacks(walk: Walk, callee: string | undefined, args: readonly Node[]): void {
  const first = args[0]
  const second = args[1]
  if (callee === undefined || first === undefined) return
  if (callee === 'extend' && first.type === 'StringLiteral' && second?.type === 'ObjectExpression') {
    // a class by its full name, whatever it is assigned to
    walk.namesFrom = walk.names.length
    walk.names.push(first.value)
  } else if (REGISTRATIONS.has(callee)) {
    const name = [callee, labelOf(first), labelOf(second)].filter((part) => part !== undefined).join(':')
    if (name !== callee) walk.names.push(name)
  }
}

function labelOf(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral' && node.value.length <= MAX_NAME) return node.value
  return node?.type === 'Identifier' ? node.name : undefined
}
