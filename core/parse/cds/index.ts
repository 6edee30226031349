import type { CdsDocument, CdsExpression } from './types.ts'
import type { Statements } from './definitions.ts'
import type { Span } from '../../types.ts'
import { ParseFailure } from '../failure.ts'
import { CdsTrouble, Cursor } from './cursor.ts'
import { parseStatement } from './definitions.ts'
import { findDisabled, findDisabledConditions } from './disabled.ts'
import { parseExpression } from './expressions.ts'
import { tokenize, type Token } from './lexer.ts'

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
  const userAttributes = text.includes('$user') ? findUserAttributes(tokens) : []
  return {
    ...into,
    ...(userAttributes.length > 0 && { userAttributes }),
    ...(disabled.length > 0 && { disabled }),
    ...(disabledConditions.length > 0 && { disabledConditions }),
    errors: cursor.errors,
  }
}

/** In conditions, queries and defaults, and in strings, in which older models write conditions. */
function findUserAttributes(tokens: readonly Token[]): readonly string[] {
  const found = new Set<string>()
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'string') {
      for (const [, path = ''] of text.matchAll(/\$user\.([\w$.]{1,200})/g)) for (const name of path.split('.')) found.add(name)
    } else if (text === '$user') {
      for (let next = index + 1; tokens[next]?.text === '.'; next += 2) found.add(tokens[next + 1]?.text ?? '')
    }
  }
  return [...found]
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
