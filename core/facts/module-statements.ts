import type {
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ImportDeclaration,
  Node,
  TSExportAssignment,
  TSImportEqualsDeclaration,
} from '../parse/javascript.ts'
import { addClass, addFunctionDeclaration, toDefinition } from './functions.ts'
import type { Span } from '../types.ts'
import type { ReferenceValue, Value } from './types.ts'
import { declare, spanOf, type Walk } from './walk.ts'

/** `import … from '…'`: default and namespace are the module itself, as `require` gives it. Types leave nothing. */
export function visitImport(walk: Walk, node: ImportDeclaration): void {
  if (node.importKind === 'type' || node.importKind === 'typeof') return
  const source = walk.moduleName(node.source.value)
  const fact = { start: node.start ?? 0, end: node.end ?? 0, source, kind: 'import' as const }
  if (node.specifiers.length === 0) walk.imports.push({ binding: undefined, ...fact })
  for (const specifier of node.specifiers) {
    let name: string | undefined
    if (specifier.type === 'ImportSpecifier') {
      if (specifier.importKind === 'type' || specifier.importKind === 'typeof') continue
      name = textOf(specifier.imported)
      if (name === 'default') name = undefined
    }
    const binding = declare(walk, specifier.local.name, 'import', spanOf(specifier.local))
    binding.module = { source, name }
    walk.imports.push({ binding, ...fact })
  }
}

/** TypeScript's `import a = require('b')` and `import a = b.c`. */
export function visitImportEquals(walk: Walk, node: TSImportEqualsDeclaration): void {
  if (node.importKind === 'type') return
  const binding = declare(walk, node.id.name, 'import', spanOf(node.id))
  if (node.moduleReference.type === 'TSExternalModuleReference') {
    const source = walk.moduleName(node.moduleReference.expression.value)
    binding.module = { source, name: undefined }
    walk.imports.push({ start: node.start ?? 0, end: node.end ?? 0, source, kind: 'require', binding })
  } else binding.definitions.push(toDefinition(walk, toEntity(walk, node.moduleReference)))
}

function toEntity(walk: Walk, node: Node): Value {
  const names: string[] = []
  let here: Node = node
  while (here.type === 'TSQualifiedName') {
    names.push(here.right.name)
    here = here.left
  }
  let value: Value = walk.toValue(here)
  for (const name of names.reverse()) {
    value = {
      kind: 'member',
      start: node.start ?? 0,
      end: node.end ?? 0,
      object: value,
      name,
      property: undefined,
      isOptional: false,
    }
  }
  return value
}

/** All forms of ES exports; those of CommonJS are assignments. */
export function visitExport(
  walk: Walk,
  node: ExportNamedDeclaration | ExportDefaultDeclaration | ExportAllDeclaration | TSExportAssignment,
): void {
  const span = spanOf(node)
  switch (node.type) {
    case 'ExportAllDeclaration':
      if (node.exportKind === 'type') return
      addAll(walk, span, walk.moduleName(node.source.value))
      return
    case 'TSExportAssignment':
      walk.exports.push({ ...span, name: 'default', value: walk.toValue(node.expression), source: undefined })
      return
    case 'ExportDefaultDeclaration':
      walk.exports.push({ ...span, name: 'default', value: toDefault(walk, node.declaration), source: undefined })
      return
    case 'ExportNamedDeclaration':
      if (node.exportKind !== 'type') visitNamed(walk, node)
  }
}

function addAll(walk: Walk, span: Span, source: string): void {
  walk.imports.push({ ...span, source, kind: 'reexport', binding: undefined })
  walk.exports.push({ ...span, name: '*', value: undefined, source })
}

function visitNamed(walk: Walk, node: ExportNamedDeclaration): void {
  const source = node.source ? walk.moduleName(node.source.value) : undefined
  if (source !== undefined)
    walk.imports.push({ start: node.start ?? 0, end: node.end ?? 0, source, kind: 'reexport', binding: undefined })
  for (const specifier of node.specifiers) {
    const name = textOf(specifier.exported)
    const value = specifier.type === 'ExportSpecifier' && source === undefined ? walk.toValue(specifier.local) : undefined
    const from = source === undefined ? undefined : specifier.type === 'ExportSpecifier' ? textOf(specifier.local) : '*'
    const span = { start: specifier.start ?? 0, end: specifier.end ?? 0 }
    walk.exports.push({ ...span, name, value, source, ...(from !== undefined && { from }) })
  }
  if (!node.declaration) return
  walk.visit(node.declaration)
  for (const id of declaredNames(node.declaration)) {
    const value: ReferenceValue = { kind: 'reference', start: id.start ?? 0, end: id.end ?? 0, name: id.name, binding: undefined }
    walk.references.push({ value, scope: walk.scope })
    walk.exports.push({ start: node.start ?? 0, end: node.end ?? 0, name: id.name, value, source: undefined })
  }
}

function declaredNames(node: Node): { name: string; start?: number | null; end?: number | null }[] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [node.id] : []
  if (node.type === 'TSEnumDeclaration') return [node.id]
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id] : []))
}

function toDefault(walk: Walk, node: Node): Value {
  if (node.type === 'FunctionDeclaration') {
    const fact = addFunctionDeclaration(walk, node, 'default')
    return { kind: 'function', start: node.start ?? 0, end: node.end ?? 0, function: fact }
  }
  if (node.type === 'ClassDeclaration')
    return { kind: 'class', start: node.start ?? 0, end: node.end ?? 0, class: addClass(walk, node, 'default') }
  return walk.toValue(node)
}

function textOf(node: { type: 'Identifier'; name: string } | { type: 'StringLiteral'; value: string }): string {
  return node.type === 'Identifier' ? node.name : node.value
}
