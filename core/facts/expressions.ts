import type {
  AssignmentExpression,
  ConditionalExpression,
  Node,
  ObjectExpression,
  SequenceExpression,
  TemplateLiteral,
  UnaryExpression,
  UpdateExpression,
} from '../parse/javascript.ts'
import { toChain, toNew } from './chains.ts'
import { addClass, addFunction, addMethod } from './functions.ts'
import { addElement } from './elements.ts'
import { lastNameOf, mayHoldLiterals, nameLiterals } from './literals.ts'
import { isComposed, toOperation } from './operations.ts'
import { bindPattern } from './patterns.ts'
import { noteType } from './declared-types.ts'
import type { ObjectField, ObjectValue, Value } from './types.ts'
import { keyOf, spanOf, type Walk } from './walk.ts'

/** The value of an expression; walks all that stands in it. */
export function toValue(walk: Walk, node: Node | null | undefined): Value {
  if (node === null || node === undefined) return { kind: 'unknown', start: 0, end: 0 }
  walk.step()
  switch (node.type) {
    case 'Identifier':
      return toReference(walk, node.name, node)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'TaggedTemplateExpression':
    case 'TSNonNullExpression':
      return toChain(walk, node)
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return { kind: 'literal', start: node.start ?? 0, end: node.end ?? 0, value: node.value }
    case 'NullLiteral':
      return { kind: 'literal', start: node.start ?? 0, end: node.end ?? 0, value: null }
    case 'BigIntLiteral':
    case 'DecimalLiteral':
      return { kind: 'literal', start: node.start ?? 0, end: node.end ?? 0, value: Number(node.value) }
    case 'RegExpLiteral':
      return { kind: 'regex', start: node.start ?? 0, end: node.end ?? 0, pattern: node.pattern, flags: node.flags }
    case 'ThisExpression':
      return { kind: 'this', start: node.start ?? 0, end: node.end ?? 0, function: walk.function }
    case 'ObjectExpression':
      return toObject(walk, node)
    case 'ArrayExpression': {
      const items = node.elements.map((element) => toValue(walk, element))
      return { kind: 'array', start: node.start ?? 0, end: node.end ?? 0, items }
    }
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const kind = node.type === 'FunctionExpression' ? 'function' : 'arrow'
      return { kind: 'function', start: node.start ?? 0, end: node.end ?? 0, function: addFunction(walk, node, kind) }
    }
    case 'ClassExpression':
      return { kind: 'class', start: node.start ?? 0, end: node.end ?? 0, class: addClass(walk, node) }
    case 'NewExpression':
      return toNew(walk, node)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return toOperation(walk, node)
    case 'ConditionalExpression':
      return toChoice(walk, node)
    case 'AssignmentExpression':
      return toAssignment(walk, node)
    case 'UnaryExpression':
      return toUnary(walk, node)
    case 'UpdateExpression':
      return toUpdate(walk, node)
    case 'TemplateLiteral':
      return toTemplate(walk, node)
    case 'SequenceExpression':
      return toLast(walk, node)
    case 'AwaitExpression':
      return { kind: 'await', start: node.start ?? 0, end: node.end ?? 0, value: toValue(walk, node.argument) }
    case 'SpreadElement':
      return { kind: 'spread', start: node.start ?? 0, end: node.end ?? 0, value: toValue(walk, node.argument) }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion': {
      const value = toValue(walk, node.expression)
      noteType(walk, value, node.typeAnnotation)
      return value
    }
    case 'ParenthesizedExpression':
    case 'TSInstantiationExpression':
    case 'TypeCastExpression':
    case 'JSXExpressionContainer':
      return toValue(walk, node.expression)
    case 'JSXElement':
    case 'JSXFragment':
      return addElement(walk, node)
    case 'YieldExpression':
      if (node.argument) addYielded(walk, toValue(walk, node.argument), node.delegate === true)
      return { kind: 'unknown', start: node.start ?? 0, end: node.end ?? 0 }
    case 'Super':
      return { kind: 'super', start: node.start ?? 0, end: node.end ?? 0 }
    case 'Import':
      return { kind: 'import', start: node.start ?? 0, end: node.end ?? 0 }
    default:
      return { kind: 'unknown', start: node.start ?? 0, end: node.end ?? 0 }
  }
}

/** A generator gives back a list of what it yields. */
function addYielded(walk: Walk, value: Value, isList: boolean): void {
  const { start, end } = value
  walk.function.returns.push(isList ? value : { kind: 'array', start, end, items: [value] })
}

/** A name that is read; what it is bound to is known when the file was walked. */
export function toReference(walk: Walk, name: string, node: Node): Value {
  const value = { kind: 'reference' as const, start: node.start ?? 0, end: node.end ?? 0, name, binding: undefined }
  walk.references.push({ value, scope: walk.scope })
  return value
}

function toObject(walk: Walk, node: ObjectExpression): ObjectValue {
  const fields: ObjectField[] = []
  const object: ObjectValue = { kind: 'object', start: node.start ?? 0, end: node.end ?? 0, fields }
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      fields.push({
        start: property.start ?? 0,
        end: property.end ?? 0,
        key: undefined,
        computed: undefined,
        value: toValue(walk, property),
      })
      continue
    }
    const key = keyOf(property.key, property.computed)
    const computed = key === undefined ? toValue(walk, property.key) : undefined
    walk.names.push(key ?? '[]')
    if (property.type === 'ObjectMethod') {
      const value: Value = {
        kind: 'function',
        start: property.start ?? 0,
        end: property.end ?? 0,
        function: addMethod(walk, property, object),
      }
      fields.push({ start: property.key.start ?? 0, end: property.key.end ?? 0, key, computed, value })
    } else {
      const given = property.value
      // a function as a property is a method of the object: its `this` is the object
      const value: Value =
        given.type === 'FunctionExpression'
          ? {
              kind: 'function',
              start: given.start ?? 0,
              end: given.end ?? 0,
              function: addFunction(walk, given, 'method', object),
            }
          : toValue(walk, given)
      fields.push({ start: property.key.start ?? 0, end: property.key.end ?? 0, key, computed, value })
      if (mayHoldLiterals(value)) nameLiterals(walk, value, key, object)
    }
    walk.names.pop()
  }
  return object
}

function toTemplate(walk: Walk, node: TemplateLiteral): Value {
  const texts = node.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw)
  if (node.expressions.length === 0) return { kind: 'literal', start: node.start ?? 0, end: node.end ?? 0, value: texts[0] ?? '' }
  return {
    kind: 'template',
    start: node.start ?? 0,
    end: node.end ?? 0,
    texts,
    parts: node.expressions.map((part) => toValue(walk, part)),
  }
}

/** `a ? b : c ? d : e` as one choice; such chains are as long as generators make them. */
function toChoice(walk: Walk, node: ConditionalExpression): Value {
  const options: Value[] = []
  const test = toValue(walk, node.test)
  let here = node
  let last = test
  for (;;) {
    const option = toValue(walk, here.consequent)
    options.push(option)
    guardOption(walk, last, { option, node: here.consequent }, here !== node)
    if (here.alternate.type !== 'ConditionalExpression') break
    here = here.alternate
    last = toValue(walk, here.test)
  }
  const otherwise = toValue(walk, here.alternate)
  options.push(otherwise)
  guardOption(
    walk,
    { kind: 'operation', start: last.start, end: last.end, operator: '!', operands: [last] },
    { option: otherwise, node: here.alternate },
    here !== node,
  )
  return { kind: 'choice', start: node.start ?? 0, end: node.end ?? 0, options, test }
}

/** What an option is put together from is read where its condition holds; of `a ? b : c ? d : e` the choice keeps the first condition alone. */
function guardOption(
  walk: Walk,
  test: Value,
  { option, node }: { readonly option: Value; readonly node: Node },
  isFurther: boolean,
): void {
  const isWritten = node.type === 'AssignmentExpression'
  const isName = option.kind === 'reference' || option.kind === 'member'
  if (!isWritten && !isComposed(option) && !(isFurther && isName)) return
  const inside = spanOf(node)
  walk.guards.push({ ...inside, test, inside, exits: false, function: walk.function })
}

function toLast(walk: Walk, node: SequenceExpression): Value {
  let last: Value = { kind: 'unknown', start: node.start ?? 0, end: node.end ?? 0 }
  for (const part of node.expressions) last = toValue(walk, part)
  return last
}

function toUnary(walk: Walk, node: UnaryExpression): Value {
  let inner: Node = node
  let negations = 0
  for (; inner.type === 'UnaryExpression'; inner = inner.argument) if (inner.operator === '!') negations++
  const given = toValue(walk, inner)
  // of many negations two are left, or one: `!!x` is true where x is
  const isTwice = node.operator === '!' && negations % 2 === 0
  const { start, end } = given
  const operand: Value = isTwice ? { kind: 'operation', start, end, operator: '!', operands: [given] } : given
  if (node.operator === 'delete' && operand.kind === 'member') walk.deletions.push(operand)
  return {
    kind: 'operation',
    start: node.start ?? 0,
    end: node.end ?? 0,
    operator: node.operator,
    operands: [operand],
  }
}

/** `count++`. Of a name nothing is known but that it counts, a field gets what the operation gives. */
function toUpdate(walk: Walk, { argument, operator, start, end }: UpdateExpression): Value {
  const changed: Value = { kind: 'operation', start: start ?? 0, end: end ?? 0, operator, operands: [] }
  const value = argument.type === 'MemberExpression' ? changed : undefined
  bindPattern(walk, argument, { kind: 'assign', operator, value }, undefined)
  return changed
}

function toAssignment(walk: Walk, node: AssignmentExpression): Value {
  const target = node.left
  const name = nameOfTarget(target)
  if (target.type === 'MemberExpression' || target.type === 'OptionalMemberExpression') {
    const member = toValue(walk, target)
    const value = toNamedValue(walk, node.right, name)
    if (member.kind === 'member') {
      walk.assignments.push({
        start: node.start ?? 0,
        end: node.end ?? 0,
        target: member,
        operator: node.operator,
        value,
        function: walk.function,
      })
    }
    if (node.right.type !== 'AssignmentExpression') nameLiterals(walk, value, lastNameOf(member))
    return givenBy(node, member, value)
  }
  const value = toNamedValue(walk, node.right, name)
  bindPattern(walk, target, { kind: 'assign', operator: node.operator, value }, undefined)
  // of `a = b = 'c'` the innermost name counts: naming at each level would be quadratic
  if (node.right.type !== 'AssignmentExpression') nameLiterals(walk, value, name)
  return target.type === 'Identifier' && node.operator !== '=' ? givenBy(node, toValue(walk, target), value) : value
}

/** What an assignment is as a value: of `kept ??= load()` what was there, or what is put there. */
function givenBy({ operator, start, end }: AssignmentExpression, target: Value, value: Value): Value {
  if (operator !== '??=' && operator !== '||=') return value
  return { kind: 'choice', start: start ?? 0, end: end ?? 0, options: [target, value], test: undefined }
}

/** A value whose functions and classes are named after its left-hand side. */
export function toNamedValue(walk: Walk, node: Node, name: string | undefined): Value {
  if (name === undefined) return toValue(walk, node)
  walk.names.push(name)
  const value = toValue(walk, node)
  walk.names.pop()
  return value
}

const MAX_TARGET_NAMES = 6

/** `a.b` of `a.b = …`, at most six names; nothing for `module.exports`, which names no function better than its own name does. */
function nameOfTarget(target: Node): string | undefined {
  if (target.type === 'Identifier') return target.name
  const names: string[] = []
  let here: Node = target
  while ((here.type === 'MemberExpression' || here.type === 'OptionalMemberExpression') && names.length < MAX_TARGET_NAMES) {
    names.push(keyOf(here.property, here.computed) ?? '[]')
    here = here.object
  }
  if (here.type === 'Identifier') names.push(here.name)
  else if (here.type === 'ThisExpression') names.push('this')
  const name = names.reverse().join('.')
  return name === '' || name === 'module.exports' ? undefined : name
}
