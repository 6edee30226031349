import type { Node, ObjectPattern } from '../parse/javascript.ts'
import { noteType } from './declared-types.ts'
import { nameLiterals } from './literals.ts'
import type { BindingKind, Definition, Value } from './types.ts'
import type { Span } from '../types.ts'
import { declare, keyOf, spanOf, type BindingBuilder, type Walk } from './walk.ts'

/** What a pattern or a name is given. */
export interface Source {
  readonly kind: Definition['kind']
  readonly operator: string
  readonly value: Value | undefined
  readonly parameter?: number
  readonly fallback?: Value
  readonly taken?: readonly string[]
  readonly skipped?: number
  readonly tried?: Span
}

/** Declares the names of a pattern (`declares`), or assigns to what it names. Gives the binding where it is a single declared name. */
export function bindPattern(
  walk: Walk,
  pattern: Node,
  source: Source,
  declares: BindingKind | undefined,
  path: readonly string[] = [],
): BindingBuilder | undefined {
  walk.step()
  switch (pattern.type) {
    case 'Identifier': {
      const span = spanOf(pattern)
      const definition = toDefinition(walk, span, source, path)
      if (declares === undefined) {
        walk.writes.push({ name: pattern.name, scope: walk.scope, definition })
        return undefined
      }
      const binding = declare(walk, pattern.name, declares, span)
      if (pattern.typeAnnotation) noteType(walk, binding, pattern.typeAnnotation)
      if (source.value !== undefined || source.kind !== 'init') define(walk, binding, definition, declares)
      return binding
    }
    case 'AssignmentPattern': {
      const fallback = walk.toValue(pattern.right)
      if (pattern.left.type === 'Identifier') nameLiterals(walk, fallback, pattern.left.name)
      return bindPattern(walk, pattern.left, { ...source, fallback }, declares, path)
    }
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement')
          bindPattern(walk, property.argument, { ...source, taken: namesIn(pattern) }, declares, path)
        else {
          if (property.computed) walk.toValue(property.key)
          // with recovery a method may stand here, `({ m() {} } = x)`, whatever the types say: it has no value
          if (property.value === undefined) continue
          bindPattern(walk, property.value, source, declares, [...path, keyOf(property.key, property.computed) ?? '[]'])
        }
      }
      return undefined
    case 'ArrayPattern':
      for (const [index, element] of pattern.elements.entries()) {
        if (element === null) continue
        if (element.type === 'RestElement') bindPattern(walk, element.argument, { ...source, skipped: index }, declares, path)
        else bindPattern(walk, element, source, declares, [...path, String(index)])
      }
      return undefined
    case 'RestElement':
      return bindPattern(walk, pattern.argument, source, declares, path)
    case 'TSParameterProperty': {
      const binding = bindPattern(walk, pattern.parameter, source, declares, path)
      if (binding !== undefined) addParameterProperty(walk, binding)
      return binding
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return bindPattern(walk, pattern.expression, source, declares, path)
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const target = walk.toValue(pattern)
      if (target.kind !== 'member' || source.value === undefined) return undefined
      const value = toPart(source.value, path)
      walk.assignments.push({
        start: pattern.start ?? 0,
        end: pattern.end ?? 0,
        target,
        operator: source.operator,
        value,
        function: walk.function,
      })
      return undefined
    }
    default:
      return undefined
  }
}

/** A `var` that has a value is assigned another one where it is declared again, each round of a loop as well. Fact: ECMAScript 2025, 14.3.2, "Variable Statement", and 14.7.5. */
function define(walk: Walk, { name, definitions }: BindingBuilder, definition: Definition, declares: BindingKind): void {
  const { kind } = definition
  if (declares === 'var' && definitions.length > 0 && /^(?:init|each|key)$/.test(kind))
    walk.writes.push({ name, scope: walk.scope, definition: kind === 'init' ? { ...definition, kind: 'assign' } : definition })
  else definitions.push(definition)
}

/** The part of a value that a path leads to, as if it had been written out. */
function toPart(value: Value, path: readonly string[]): Value {
  let part = value
  for (const name of path) {
    part = { kind: 'member', start: value.start, end: value.end, object: part, name, property: undefined, isOptional: false }
  }
  return part
}

/** `constructor(private readonly db: Database)` is `this.db = db` as well. */
function addParameterProperty(walk: Walk, binding: BindingBuilder): void {
  const { start, end, name } = binding
  const object: Value = { kind: 'this', start, end: start, function: walk.function }
  const target = { kind: 'member', start, end, object, name, property: undefined, isOptional: false } as const
  const value: Value = { kind: 'reference', start, end, name, binding }
  walk.assignments.push({ start, end, target, operator: '=', value, function: walk.function })
}

function namesIn({ properties }: ObjectPattern): readonly string[] {
  return properties.flatMap((property) => (property.type === 'RestElement' ? [] : (keyOf(property.key, property.computed) ?? [])))
}

/** With every field, also without a value: V8 copies what is spread field by field, and a large project has a million definitions. */
function toDefinition(walk: Walk, { start, end }: Span, source: Source, path: readonly string[]): Definition {
  return {
    start,
    end,
    kind: source.kind,
    operator: source.operator,
    value: source.value,
    path,
    fallback: source.fallback,
    parameter: source.parameter,
    function: walk.function,
    taken: source.taken,
    skipped: source.skipped,
    tried: source.tried,
  }
}
