import type { CodeToken } from './code-tokens.ts'
import type { ReportFinding } from './types.ts'

/** A snippet has so many lines above the first line of its finding, and below it. */
export const LINES_AROUND = 3

/** The number of a snippet's first line. */
export const firstLineOf = (line: number): number => Math.max(1, line - LINES_AROUND)

/** The first line of a finding in three: before it, its own, and behind. Undefined where the line as a whole is marked, as one that was cut at its beginning: no column fits it any more. */
export function splitAtMatch(
  tokens: readonly CodeToken[],
  { line, column, endLine, endColumn }: ReportFinding,
): readonly [before: readonly CodeToken[], own: readonly CodeToken[], behind: readonly CodeToken[]] | undefined {
  const text = tokens.map((token) => token.text).join('')
  const end = endLine === line && endColumn !== undefined ? endColumn - 1 : text.length
  const isWhole = column === undefined || endColumn === undefined || text.startsWith('…') || text.includes('<U+')
  if (isWhole || column - 1 >= text.length || end <= column - 1) return undefined
  return [sliceTokens(tokens, 0, column - 1), sliceTokens(tokens, column - 1, end), sliceTokens(tokens, end, text.length)]
}

/** The pieces between two columns of a line, those at the ends cut. */
export function sliceTokens(tokens: readonly CodeToken[], start: number, end: number): readonly CodeToken[] {
  let at = 0
  return tokens.flatMap(({ kind, text }) => {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, text.length)]
    at += text.length
    return from < to ? [{ kind, text: text.slice(from, to) }] : []
  })
}
