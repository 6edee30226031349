import type {
  ArrowFunctionExpression,
  ClassAccessorProperty,
  ClassBody,
  ClassDeclaration,
  ClassExpression,
  ClassMethod,
  ClassPrivateMethod,
  ClassPrivateProperty,
  ClassProperty,
  Decorator,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  ObjectMethod,
  StaticBlock,
} from '../parse/javascript.ts'
import { nameLiterals } from './literals.ts'
import { bindPattern } from './patterns.ts'
import type { ClassFact, ClassMember, Definition, FunctionFact, ObjectValue, Value } from './types.ts'
import { declare, keyOf, spanOf, type FunctionBuilder, type Walk } from './walk.ts'

type FunctionNode =
  | FunctionDeclaration
  | FunctionExpression
  | ArrowFunctionExpression
  | ObjectMethod
  | ClassMethod
  | ClassPrivateMethod

/** Walks a function: its parameters, its body, what it returns. */
export function addFunction(
  walk: Walk,
  node: FunctionNode,
  kind: FunctionFact['kind'],
  owner: FunctionFact['owner'] = undefined,
): FunctionFact {
  const ownName = 'id' in node ? node.id?.name : undefined
  return enterFunction(walk, node, kind, owner, ownName, (fact) => {
    fact.isAsync = node.async === true
    for (const parameter of node.params) {
      // TypeScript only says what `this` is: nobody hands it over
      if (parameter.type === 'Identifier' && parameter.name === 'this') continue
      const index = fact.parameters.length
      const decorators = 'decorators' in parameter ? visitDecorators(walk, parameter.decorators) : []
      if (decorators.length > 0) fact.decorated = new Map([...(fact.decorated ?? []), [index, decorators]])
      const source = { kind: 'parameter', operator: '=', value: undefined, parameter: index } as const
      if (parameter.type === 'RestElement') fact.rest = index
      fact.parameters.push(bindPattern(walk, parameter, source, 'parameter'))
    }
    if (node.body.type === 'BlockStatement') for (const statement of node.body.body) walk.visit(statement)
    else fact.returns.push(walk.toValue(node.body))

    // the name of a function expression is known inside, unless something there is called the same
    if (node.type === 'FunctionExpression' && node.id && walk.scope.names?.has(node.id.name) !== true) {
      const span = spanOf(node.id)
      const value: Value = { kind: 'function', start: span.start, end: span.end, function: fact }
      declare(walk, node.id.name, 'function', span).definitions.push(toDefinition(walk, value))
    }
  })
}

function enterFunction(
  walk: Walk,
  node: Node,
  kind: FunctionFact['kind'],
  owner: FunctionFact['owner'],
  ownName: string | undefined,
  inside: (fact: FunctionBuilder) => void,
): FunctionBuilder {
  const outer = { function: walk.function, scope: walk.scope, namesFrom: walk.namesFrom }
  const name = walk.names.length > outer.namesFrom ? walk.names.slice(outer.namesFrom).join('.') : (ownName ?? '')
  const fact: FunctionBuilder = {
    start: node.start ?? 0,
    end: node.end ?? 0,
    name,
    kind,
    parent: outer.function,
    isAsync: false,
    owner,
    parameters: [],
    returns: [],
  }
  walk.functions.push(fact)
  walk.function = fact
  walk.scope = { parent: outer.scope, function: fact, holdsVar: true, names: undefined }
  walk.namesFrom = walk.names.length
  inside(fact)
  walk.function = outer.function
  walk.scope = outer.scope
  walk.namesFrom = outer.namesFrom
  return fact
}

/** A function declaration: its name is bound in the scope around it. */
export function addFunctionDeclaration(walk: Walk, node: FunctionDeclaration, fallbackName?: string): FunctionFact {
  const name = node.id?.name ?? fallbackName
  if (name !== undefined) walk.names.push(name)
  const fact = addFunction(walk, node, 'function')
  if (name !== undefined) walk.names.pop()
  if (node.id) {
    const value: Value = { kind: 'function', start: fact.start, end: fact.end, function: fact }
    declare(walk, node.id.name, 'function', spanOf(node.id)).definitions.push(toDefinition(walk, value))
  }
  return fact
}

/** A method, getter or setter of an object literal or class. */
export function addMethod(
  walk: Walk,
  node: ObjectMethod | ClassMethod | ClassPrivateMethod,
  owner: ClassFact | ObjectValue,
): FunctionFact {
  const kind = node.kind === 'get' ? 'getter' : node.kind === 'set' ? 'setter' : node.kind
  return addFunction(walk, node, kind, owner)
}

/** Walks a class; its name is bound outside (declaration) or inside (expression). */
export function addClass(walk: Walk, node: ClassDeclaration | ClassExpression, fallbackName?: string): ClassFact {
  const decorators = visitDecorators(walk, node.decorators)
  const ownName = node.id?.name ?? fallbackName
  const hinted = node.type === 'ClassExpression' && walk.names.length > walk.namesFrom
  if (ownName !== undefined && !hinted) walk.names.push(ownName)
  const name = walk.names.slice(walk.namesFrom).join('.')
  const outer = walk.scope
  const members: ClassMember[] = []
  const parent = node.superClass ? walk.toValue(node.superClass) : undefined
  const decorated = decorators.length > 0 && { decorators }
  const fact: ClassFact = { start: node.start ?? 0, end: node.end ?? 0, name, parent, members, ...decorated }
  walk.classes.push(fact)
  if (node.type === 'ClassExpression') walk.scope = { parent: outer, function: walk.function, holdsVar: false, names: undefined }
  if (node.id) {
    const value: Value = { kind: 'class', start: fact.start, end: fact.end, class: fact }
    declare(walk, node.id.name, 'class', spanOf(node.id)).definitions.push(toDefinition(walk, value))
  }
  for (const member of node.body.body) addMember(walk, member, fact, members)
  walk.scope = outer
  if (ownName !== undefined && !hinted) walk.names.pop()
  return fact
}

function addMember(walk: Walk, node: ClassBody['body'][number], owner: ClassFact, members: ClassMember[]): void {
  walk.step()
  switch (node.type) {
    case 'ClassMethod':
    case 'ClassPrivateMethod': {
      const decorators = visitDecorators(walk, node.decorators)
      const computed = node.type === 'ClassMethod' && node.computed
      if (computed) walk.toValue(node.key)
      const name = keyOf(node.key, computed)
      walk.names.push(name ?? '[]')
      const fact = addMethod(walk, node, owner)
      walk.names.pop()
      const value: Value = { kind: 'function', start: fact.start, end: fact.end, function: fact }
      const decorated = decorators.length > 0 && { decorators }
      members.push({ start: node.start ?? 0, end: node.end ?? 0, name, isStatic: node.static, value, ...decorated })
      return
    }
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty':
      addField(walk, node, owner, members)
      return
    case 'StaticBlock':
      addStaticBlock(walk, node, owner)
      return
    default:
  }
}

function addField(
  walk: Walk,
  node: ClassProperty | ClassPrivateProperty | ClassAccessorProperty,
  owner: ClassFact,
  members: ClassMember[],
): void {
  visitDecorators(walk, node.decorators)
  const computed = node.type !== 'ClassPrivateProperty' && node.computed
  if (computed) walk.toValue(node.key)
  const name = keyOf(node.key, computed)
  let value: Value | undefined
  if (node.value) {
    const given = node.value
    walk.names.push(name ?? '[]')
    // `this` in a field is the instance: a field is a small function of its class
    enterFunction(walk, given, 'initializer', owner, undefined, () => {
      value = walk.toValue(given)
    })
    walk.names.pop()
    if (value !== undefined) nameLiterals(walk, value, name)
  }
  members.push({ start: node.start ?? 0, end: node.end ?? 0, name, isStatic: node.static === true, value })
}

function addStaticBlock(walk: Walk, node: StaticBlock, owner: ClassFact): void {
  enterFunction(walk, node, 'initializer', owner, undefined, () => {
    for (const statement of node.body) walk.visit(statement)
  })
}

function visitDecorators(walk: Walk, decorators: readonly Decorator[] | null | undefined): readonly Value[] {
  return (decorators ?? []).map((decorator) => walk.toValue(decorator.expression))
}

/** The definition of a name by its declaration. */
export function toDefinition(walk: Walk, value: Value): Definition {
  return {
    start: value.start,
    end: value.end,
    kind: 'init',
    operator: '=',
    value,
    path: [],
    fallback: undefined,
    parameter: undefined,
    function: walk.function,
  }
}
