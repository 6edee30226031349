import type { CatchClause, Node, Statement, TryStatement } from '../parse/javascript.ts'
import { toBranch } from './branches.ts'
import { bindPattern } from './patterns.ts'
import type { Guard } from './types.ts'
import { inBlock, keyOf, spanOf, type Walk } from './walk.ts'

function lastOf(statement: Statement): Statement | undefined {
  return statement.type === 'BlockStatement' ? statement.body.at(-1) : statement
}

export function exits(statement: Statement): boolean {
  const last = lastOf(statement)
  switch (last?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true
    case 'ExpressionStatement':
      return rejects(last.expression)
    default:
      return false
  }
}

/** req.reject() of CAP throws. */
export function rejects(given: Node): boolean {
  const call = given.type === 'AwaitExpression' ? given.argument : given
  return (
    call.type === 'CallExpression' && call.callee.type === 'MemberExpression' && keyOf(call.callee.property, false) === 'reject'
  )
}

/** A condition that throws where that is caught. */
export function asCaught({ caught }: Walk, guard: Guard, statement: Statement): Guard {
  const last = lastOf(statement)
  const isThrown = last?.type === 'ThrowStatement' || last?.type === 'ExpressionStatement'
  return isThrown && caught?.function === guard.function ? { ...guard, caughtAt: caught.end } : guard
}

/** Where what a block throws is caught and nothing leaves, its conditions decide about the block alone. */
export function visitTry(walk: Walk, node: TryStatement): void {
  const { handler } = node
  const isSwallowing = handler && !exits(handler.body)
  const outer = walk.caught
  // a value that is replaced there by a default is no longer what was refused
  if (isSwallowing && !handler.body.body.some((statement) => replaces(statement, handler)))
    walk.caught = { function: walk.function, end: node.block.end ?? 0 }
  walk.visit(node.block)
  walk.caught = outer
  const parts = [toBranch(node.block)]
  if (isSwallowing) {
    walk.partial.push(spanOf(node.block))
    parts.push(toBranch(handler.body, 2))
  }
  walk.branches.push({ ...spanOf(node), scope: walk.scope, parts })
  if (handler) {
    walk.partial.push({ ...spanOf(handler.body), tried: spanOf(node.block) })
    inBlock(walk, () => {
      if (handler.param)
        bindPattern(walk, handler.param, { kind: 'catch', operator: '=', value: undefined, tried: spanOf(node.block) }, 'catch')
      walk.visit(handler.body)
    })
  }
  if (node.finalizer) walk.visit(node.finalizer)
}

/** Keeping the error replaces nothing. */
function replaces(statement: Statement, { param }: CatchClause): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return false
  const { right } = statement.expression
  return right.type !== 'Identifier' || param?.type !== 'Identifier' || right.name !== param.name
}
