import type { Severity, TokenKind } from '../../core/index.ts'

/** Colours for a terminal, or none. */
export interface Painter {
  severity(severity: Severity, text: string): string
  strong(text: string): string
  faint(text: string): string
  /** A piece of code, harmless already. */
  code(kind: TokenKind, text: string): string
}

const COLOURS: Readonly<Record<Severity, string>> = { CRITICAL: '1;31', HIGH: '31', MEDIUM: '33', LOW: '36', INFO: '2' }
const CODE_COLOURS: Readonly<Record<TokenKind, string>> = {
  plain: '',
  comment: '2',
  string: '32',
  keyword: '35',
  number: '33',
  name: '36',
}
/** Longer texts are cut: nobody reads them on a terminal. */
const MAX_TEXT = 1000

/** NO_COLOR and FORCE_COLOR are heeded; a pipe or a CI without them gets none. */
export function createPainter(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Painter {
  const forced = environment['FORCE_COLOR'] !== undefined && environment['FORCE_COLOR'] !== '0'
  const refused = environment['FORCE_COLOR'] === '0' || (environment['NO_COLOR'] ?? '') !== ''
  const coloured = forced || (stream.isTTY === true && !refused && environment['TERM'] !== 'dumb')
  const paint = (code: string, text: string): string => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    severity: (severity, text) => paint(COLOURS[severity], text),
    strong: (text) => paint('1', text),
    faint: (text) => paint('2', text),
    code: (kind, text) => (CODE_COLOURS[kind] === '' ? text : paint(CODE_COLOURS[kind], text)),
  }
}

/** Text that came from a project, harmless on a terminal and in a build log: what would be obeyed, reordered or taken for a command is shown. */
export function cleanForTerminal(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\u2026` : text
  return (
    cut
      .toWellFormed()
      .replaceAll(
        /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      // Azure Pipelines and GitHub obey these wherever they stand, `::command` where a line begins with it
      .replaceAll(/##(?=\[|vso\[)/gi, '#\\x23')
      .replace(/^\s*::/, '\\x3a:')
  )
}
