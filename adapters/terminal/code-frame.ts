import { readCodeTokens, type ReportFinding } from '../../core/index.ts'
import { cleanForTerminal, type Painter } from './paint.ts'

/** The report cuts the lines from three above the match to three below. */
const LINES_ABOVE = 3

/** The line of a finding between the one before and the one after, and a mark under what was found. [] where there is no code. */
export function printCodeFrame(
  { file, snippet, line, column, endLine, endColumn, severity }: ReportFinding,
  paint: Painter,
  indent: string,
): readonly string[] {
  if (snippet === undefined || line === undefined) return []
  const first = Math.max(1, line - LINES_ABOVE)
  const lines = snippet.split('\n').map((text, index) => ({ number: first + index, text }))
  const clean = lines.map(({ text }) => cleanForTerminal(text.replaceAll('\t', ' ')))
  const coloured = readCodeTokens(clean.join('\n'), file).map((tokens) =>
    tokens.map(({ kind, text }) => paint.code(kind, text)).join(''),
  )
  const width = String(line + 1).length
  const head = (number: string): string => paint.faint(`${indent}${number.padStart(width)} | `)
  return lines
    .filter(({ number }) => Math.abs(number - line) <= 1)
    .flatMap(({ number, text }) => {
      const shown = [`${head(String(number))}${coloured[number - first] ?? ''}`]
      // where the line was cut at its beginning the columns do not fit it any more
      if (number !== line || column === undefined || text.startsWith('\u2026')) return shown
      const end = endLine === line && endColumn !== undefined ? endColumn - 1 : text.length
      const length = Math.max(1, Math.min(end, text.length) - column + 1)
      if (column > text.length) return shown
      const before = cleanForTerminal(text.slice(0, column - 1).replaceAll('\t', ' ')).length
      const mark = `^${'~'.repeat(length - 1)}`
      return [...shown, `${head('')}${' '.repeat(before)}${paint.severity(severity, mark)}`]
    })
}
