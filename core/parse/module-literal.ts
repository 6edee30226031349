import type { DataMember, DataNode } from './data.ts'
import { parseScript, type Expression, type Node, type ObjectExpression, type Statement } from './javascript.ts'

/**
 * The object literal that a module exports, as data: `module.exports = {…}`, `export default {…}`, or a constant of the module that is exported so.
 * What is computed in it is left out; a module that exports anything else is an empty object. Throws a ParseFailure as parseScript does.
 */
export function parseModuleLiteral(text: string, path: string): DataNode {
  const { body } = parseScript(text, path).program
  const exported = body.findLast((statement) => exportOf(statement) !== undefined)
  const written = exported === undefined ? undefined : exportOf(exported)
  const value = written?.type === 'Identifier' ? constantOf(body, written.name) : written
  return toNode(value) ?? { kind: 'object', members: [], start: 0, end: 0 }
}

function exportOf(statement: Statement): Node | undefined {
  if (statement.type === 'ExportDefaultDeclaration') return statement.declaration
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return undefined
  const { left, right, operator } = statement.expression
  const isExports =
    operator === '=' &&
    left.type === 'MemberExpression' &&
    left.object.type === 'Identifier' &&
    left.object.name === 'module' &&
    left.property.type === 'Identifier' &&
    left.property.name === 'exports'
  return isExports ? right : undefined
}

function constantOf(body: readonly Statement[], name: string): Expression | undefined {
  for (const statement of body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue
    for (const { id, init } of statement.declarations) if (id.type === 'Identifier' && id.name === name) return init ?? undefined
  }
  return undefined
}

/** Spans of strings are without their quotes, as those of JSON are. The parser's guard bounds how deep this goes. */
function toNode(node: Node | undefined): DataNode | undefined {
  if (node === undefined) return undefined
  const [start, end] = [node.start ?? 0, node.end ?? 0]
  switch (node.type) {
    case 'ObjectExpression':
      return { kind: 'object', members: node.properties.flatMap((property) => toMember(property)), start, end }
    case 'ArrayExpression':
      return { kind: 'array', items: node.elements.flatMap((element) => toNode(element ?? undefined) ?? []), start, end }
    case 'StringLiteral':
      return { kind: 'string', value: node.value, start: start + 1, end: end - 1 }
    case 'TemplateLiteral': {
      const [only] = node.quasis
      if (node.quasis.length > 1 || only === undefined) return undefined
      return { kind: 'string', value: only.value.cooked ?? only.value.raw, start: start + 1, end: end - 1 }
    }
    case 'NumericLiteral':
      return { kind: 'number', value: node.value, start, end }
    case 'BooleanLiteral':
      return { kind: 'boolean', value: node.value, start, end }
    case 'NullLiteral':
      return { kind: 'null', value: null, start, end }
    default:
      return undefined
  }
}

function toMember(property: ObjectExpression['properties'][number]): DataMember[] {
  if (property.type !== 'ObjectProperty' || (property.computed && property.key.type !== 'StringLiteral')) return []
  const { key } = property
  const value = toNode(property.value)
  if (value === undefined) return []
  const [start, end] = [key.start ?? 0, key.end ?? 0]
  if (key.type === 'Identifier') return [{ key: key.name, keySpan: { start, end }, value }]
  if (key.type === 'StringLiteral') return [{ key: key.value, keySpan: { start: start + 1, end: end - 1 }, value }]
  return key.type === 'NumericLiteral' ? [{ key: String(key.value), keySpan: { start, end }, value }] : []
}
