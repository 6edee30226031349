import type {
  LogicalExpression,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  IfStatement,
  Node,
  Statement,
  SwitchStatement,
  ThrowStatement,
  TSEnumDeclaration,
  TSModuleDeclaration,
  VariableDeclaration,
} from '../parse/javascript.ts'
import { addClass, addFunctionDeclaration, toDefinition } from './functions.ts'
import { toNamedValue } from './expressions.ts'
import { nameLiterals } from './literals.ts'
import { visitExport, visitImport, visitImportEquals } from './module-statements.ts'
import { asCaught, exits, rejects, visitTry } from './leaving.ts'
import { bindPattern } from './patterns.ts'
import type { Guard, ObjectField, Value } from './types.ts'
import { toBranch } from './branches.ts'
import { declare, inBlock, keyOf, spanOf, type Branch, type Walk } from './walk.ts'

/** Walks a statement. */
export function visit(walk: Walk, given: Node): void {
  walk.step()
  let node = given
  while (node.type === 'LabeledStatement') node = node.body
  switch (node.type) {
    case 'ExpressionStatement': {
      const value = walk.toValue(node.expression)
      if (node.expression.type === 'LogicalExpression' && node.expression.operator !== '??')
        addShortCircuit(walk, value, node.expression)
      return
    }
    case 'VariableDeclaration':
      visitVariables(walk, node)
      return
    case 'ReturnStatement':
      if (node.argument) walk.function.returns.push(walk.toValue(node.argument))
      return
    case 'IfStatement':
      visitIf(walk, node)
      return
    case 'BlockStatement':
    case 'TSModuleBlock': {
      const { body } = node
      inBlock(walk, () => visitAll(walk, body), spanOf(node).end)
      return
    }
    case 'FunctionDeclaration':
      addFunctionDeclaration(walk, node)
      return
    case 'ClassDeclaration':
      if (node.declare !== true) addClass(walk, node)
      return
    case 'ForStatement':
      visitFor(walk, node)
      return
    case 'ForOfStatement':
    case 'ForInStatement':
      visitLoop(walk, node)
      return
    case 'WhileStatement':
    case 'DoWhileStatement':
      walk.toValue(node.test)
      if (node.type === 'WhileStatement') walk.partial.push(spanOf(node.body))
      visit(walk, node.body)
      return
    case 'SwitchStatement':
      visitSwitch(walk, node)
      return
    case 'TryStatement':
      visitTry(walk, node)
      return
    case 'ThrowStatement':
      visitThrow(walk, node)
      return
    case 'WithStatement':
      walk.toValue(node.object)
      visit(walk, node.body)
      return
    case 'ImportDeclaration':
      visitImport(walk, node)
      return
    case 'TSImportEqualsDeclaration':
      visitImportEquals(walk, node)
      return
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration':
    case 'TSExportAssignment':
      visitExport(walk, node)
      return
    case 'TSEnumDeclaration':
      visitEnum(walk, node)
      return
    case 'TSModuleDeclaration':
      visitNamespace(walk, node)
      return
    default:
  }
}

function visitThrow(walk: Walk, { argument }: ThrowStatement): void {
  const thrown = walk.toValue(argument)
  walk.function.thrown ??= []
  walk.function.thrown.push(thrown)
}

function visitAll(walk: Walk, statements: readonly Statement[]): void {
  for (const statement of statements) visit(walk, statement)
}

function visitVariables(walk: Walk, node: VariableDeclaration): void {
  // `declare const cds: any` tells the compiler of a global, it makes none
  if (node.declare === true) return
  const kind = node.kind === 'let' || node.kind === 'var' ? node.kind : 'const'
  for (const declarator of node.declarations) {
    const name = declarator.id.type === 'Identifier' ? declarator.id.name : undefined
    const value = declarator.init ? toNamedValue(walk, declarator.init, name) : undefined
    bindPattern(walk, declarator.id, { kind: 'init', operator: '=', value }, kind)
    if (value !== undefined && declarator.init?.type !== 'AssignmentExpression') nameLiterals(walk, value, name)
  }
}

/** `if … else if …` in a loop; each condition is a guard of what follows. */
function visitIf(walk: Walk, given: IfStatement): void {
  let node = given
  let links = 0
  const { scope } = walk
  const parts: Branch[] = []
  for (;;) {
    const test = walk.toValue(node.test)
    const inside = spanOf(node.consequent)
    const leaves = exits(node.consequent)
    if (!leaves) parts.push(toBranch(node.consequent))
    const guard: Guard = { start: node.start ?? 0, end: node.end ?? 0, test, inside, exits: leaves, function: walk.function }
    walk.guards.push(leaves ? asCaught(walk, guard, node.consequent) : guard)
    visit(walk, node.consequent)
    if (!node.alternate) return
    if (links++ < MAX_LINKS || node.alternate.type !== 'IfStatement') addElse(walk, test, node.alternate)
    if (node.alternate.type !== 'IfStatement') {
      if (!exits(node.alternate)) parts.push(toBranch(node.alternate))
      walk.branches.push({ ...spanOf(given), scope, parts })
      return visit(walk, node.alternate)
    }
    node = node.alternate
    walk.step()
  }
}

/** Each link of `else if` stands below those before it; what stands below thousands of them is a table, and no check. */
const MAX_LINKS = 30

/** `if (ok) … else …`: there the test does not hold; and where that leaves, what follows runs where the test holds. */
function addElse(walk: Walk, test: Value, otherwise: Statement): void {
  const inside = spanOf(otherwise)
  const negated: Value = { kind: 'operation', start: test.start, end: test.end, operator: '!', operands: [test] }
  const isLast = otherwise.type !== 'IfStatement'
  const { start, end } = inside
  const guard: Guard = { start, end, test: negated, inside, exits: isLast && exits(otherwise), function: walk.function }
  walk.guards.push(guard.exits ? asCaught(walk, guard, otherwise) : guard)
}

/** Each case is a guard of its statements: `if (discriminant === test)`. */
function visitSwitch(walk: Walk, node: SwitchStatement): void {
  const discriminant = walk.toValue(node.discriminant)
  if (node.cases.some(({ test }) => !test)) {
    const parts = node.cases.flatMap((part) => {
      const last = part.consequent.at(-1)
      if (last === undefined || (last.type !== 'BreakStatement' && exits(last))) return []
      return toBranch(part, part.consequent[0]?.type === 'BlockStatement' ? 2 : 1)
    })
    walk.branches.push({ ...spanOf(node), scope: walk.scope, parts })
  }
  inBlock(walk, () => {
    for (const part of node.cases) {
      const { start, end } = spanOf(part)
      if (part.test) {
        const test = walk.toValue(part.test)
        const inside = { start: test.end, end }
        const equality: Value = { kind: 'operation', start, end: test.end, operator: '===', operands: [discriminant, test] }
        walk.guards.push({ start, end, test: equality, inside, exits: false, function: walk.function })
      } else walk.partial.push({ start, end })
      const last = part.consequent.at(-1)
      const first = node.cases.find(({ test }) => test)?.test
      // `default: return`: what follows runs for one of the cases
      if (!part.test && first && last !== undefined && last.type !== 'BreakStatement' && exits(last)) {
        const inequality: Value = {
          kind: 'operation',
          start,
          end,
          operator: '!==',
          operands: [discriminant, walk.toValue(first)],
        }
        walk.guards.push({ start, end, test: inequality, inside: { start, end }, exits: true, function: walk.function })
      }
      visitAll(walk, part.consequent)
    }
  })
}

/** `test && call()` as a statement is `if (test) call()`, and `test || call()` is `if (!test) call()`. */
function addShortCircuit(walk: Walk, value: Value, { operator, right }: LogicalExpression): void {
  if (value.kind !== 'choice') return
  const { start, end, options } = value
  const inside = options.at(-1)
  const [test, ...more] = options.slice(0, -1)
  if (inside === undefined || test === undefined) return
  const isAnd = operator === '&&'
  const whole: Value =
    more.length === 0
      ? test
      : { kind: 'choice', start, end: inside.start, options: [test, ...more], test: undefined, ...(isAnd && { isAnd }) }
  const span = { start: inside.start, end: inside.end }
  // what leaves for one of several alternatives says nothing about each of them
  if (!isAnd && more.length > 0) return
  const held: Value = isAnd ? whole : { kind: 'operation', start, end: inside.start, operator: '!', operands: [whole] }
  walk.guards.push({ start, end, test: held, inside: span, exits: !isAnd && rejects(right), function: walk.function })
}

/** What the head gives a name replaces what it held before. */
function visitFor(walk: Walk, node: ForStatement): void {
  const { init, test, update, body } = node
  const inside = (): void => {
    if (init?.type === 'VariableDeclaration') visitVariables(walk, init)
    else if (init) walk.toValue(init)
    // runs between two rounds: the first one begins without it
    inBlock(walk, () => {
      if (test) walk.toValue(test)
      if (update) walk.toValue(update)
    })
    walk.partial.push(spanOf(body))
    visit(walk, body)
  }
  inBlock(walk, inside, spanOf(node).end)
}

function visitLoop(walk: Walk, node: ForOfStatement | ForInStatement): void {
  const value = walk.toValue(node.right)
  const source = { kind: node.type === 'ForOfStatement' ? 'each' : 'key', operator: '=', value } as const
  inBlock(
    walk,
    () => {
      if (node.left.type === 'VariableDeclaration') {
        const kind = node.left.kind === 'let' || node.left.kind === 'var' ? node.left.kind : 'const'
        for (const declarator of node.left.declarations) bindPattern(walk, declarator.id, source, kind)
      } else bindPattern(walk, node.left, source, undefined)
      walk.partial.push(spanOf(node.body))
      visit(walk, node.body)
    },
    spanOf(node).end,
  )
}

/** An enum is an object of its members; one without initializer is a number. */
function visitEnum(walk: Walk, node: TSEnumDeclaration): void {
  if (node.declare === true) return
  const fields: ObjectField[] = []
  for (const [index, member] of (node.body?.members ?? node.members).entries()) {
    const span = spanOf(member)
    const value: Value = member.initializer ? walk.toValue(member.initializer) : { kind: 'literal', ...span, value: index }
    fields.push({ ...span, key: keyOf(member.id, false), computed: undefined, value })
  }
  const binding = declare(walk, node.id.name, 'enum', spanOf(node.id))
  binding.definitions.push(toDefinition(walk, { kind: 'object', start: node.start ?? 0, end: node.end ?? 0, fields }))
}

function visitNamespace(walk: Walk, node: TSModuleDeclaration): void {
  if (node.declare === true || node.kind !== 'namespace') return
  if (node.id.type === 'Identifier') declare(walk, node.id.name, 'const', spanOf(node.id))
  visit(walk, node.body)
}
