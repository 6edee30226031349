import type { CdsDocument, CdsExpression } from './types.ts'
import type { Statements } from './definitions.ts'
import type { Span } from '../../types.ts'
import { ParseFailure } from '../failure.ts'
import { CdsTrouble, Cursor } from './cursor.ts'
import { parseStatement } from './definitions.ts'
import { findDisabled, findDisabledConditions } from './disabled.ts'
import { parseExpression } from './expressions.ts'
import { tokenize } from './lexer.ts'

export { definitionAt } from './definition-at.ts'
export type * from './types.ts'

/**
 * Reads a .cds file as people write it, older and newer dialects alike. Of a broken definition what could be read stays, and
 * `errors` says so. Spans are exact. Throws ParseFailure for a text that is no CDS, and for one that nests too deep.
 * Facts: the language as capire describes it (CDL, CQL, CXL); its compiler 6.9 is the yardstick of the tests.
 */
export function parseCds(text: string): CdsDocument {
  const comments: Span[] = []
  const tokens = tokenize(text, (comment) => comments.push(comment))
  const cursor = new Cursor(text, tokens)
  const into: Statements = { namespace: '', usings: [], definitions: [], annotates: [], extends: [] }
  cursor.parseMembers(0, ';', () => {
    parseStatement(cursor, into.namespace, into)
  })
  const count = into.usings.length + into.definitions.length + into.annotates.length + into.extends.length
  if (cursor.errors.length > 0 && count === 0) throw new ParseFailure('syntax', cursor.errors[0]?.start)
  let next = 0
  // asked for one comment after the other
  const nextFrom = (end: number): number => {
    while ((tokens[next]?.start ?? end) < end) next++
    return tokens[next]?.start ?? text.length
  }
  const disabled = findDisabled(text, comments, nextFrom)
  const disabledConditions = findDisabledConditions(text, comments)
  return {
    ...into,
    ...(disabled.length > 0 && { disabled }),
    ...(disabledConditions.length > 0 && { disabledConditions }),
    errors: cursor.errors,
  }
}

/** Reads a condition that stands in a string, spans within it. `broken`: it is no condition; `unread`: it nests too deep. */
export function parseCondition(text: string): CdsExpression | 'broken' | 'unread' {
  const cursor = new Cursor(text, tokenize(text))
  try {
    const expression = parseExpression(cursor)
    return cursor.isAtEnd ? expression : 'broken'
  } catch (error) {
    if (error instanceof CdsTrouble) return 'broken'
    if (error instanceof ParseFailure) return 'unread'
    throw error
  }
}
