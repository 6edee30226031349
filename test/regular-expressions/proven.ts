import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Digests of the expressions that the checker has proven linear: it takes a minute for all of them, so that a usual run asks it about new ones only. */
const LIST = new URL('proven.txt', import.meta.url).pathname

function digest(expression: string): string {
  return createHash('sha256').update(expression).digest('hex').slice(0, 16)
}

/** Expressions as they are written, with slashes and flags. */
export function createProvenList(): { has(expression: string): boolean; replace(expressions: readonly string[]): void } {
  const known = new Set(existsSync(LIST) ? readFileSync(LIST, 'utf8').split('\n') : [])
  return {
    has: (expression) => known.has(digest(expression)),
    replace: (expressions) =>
      writeFileSync(
        LIST,
        expressions
          .map((expression) => `${digest(expression)}\n`)
          .sort()
          .join(''),
      ),
  }
}
