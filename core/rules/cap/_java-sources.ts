import type { CapRoot } from '../../model/cap/index.ts'
import { toJavaTokens, type JavaToken } from '../../parse/java-tokens.ts'

export interface JavaSource {
  readonly file: string
  readonly tokens: readonly JavaToken[]
}

/** Beans of such a profile are not made in production. */
const DEVELOPMENT = /@Profile\s{0,5}\(\s{0,5}\{?\s{0,5}"(?:dev|test|local|default|mock|h2)/i

/** The Java code of a CAP root in which one of the words occurs, as tokens. */
export function* javaSources({ files }: Pick<CapRoot, 'files'>, words: RegExp): Generator<JavaSource> {
  for (const { path, kind, content } of files) {
    const text = kind.role === 'java' && !kind.test && content.as === 'text' ? content.text : undefined
    if (text !== undefined && words.test(text) && !DEVELOPMENT.test(text)) yield { file: path, tokens: toJavaTokens(text) }
  }
}

/** Whether tokens stand one after another from a place on. */
export function isWritten(tokens: readonly JavaToken[], at: number, ...texts: readonly string[]): boolean {
  return texts.every((text, index) => tokens[at + index]?.text === text && tokens[at + index]?.kind !== 'string')
}

/** Where the bracket that opens at a place closes; the end, where it does not. */
export function closingOf(tokens: readonly JavaToken[], open: number): number {
  const length = tokens[open]?.closesAfter
  return length === undefined ? tokens.length : Math.min(open + length, tokens.length)
}

/** Tokens of what a method throws. */
const MAX_THROWN = 60

/** The `{` of a method behind its parameters and its `throws`. */
export function bodyBehind(tokens: readonly JavaToken[], close: number): number | undefined {
  let at = close + 1
  const last = at + MAX_THROWN
  if (isWritten(tokens, at, 'throws')) while (at < last && !isWritten(tokens, at, '{') && !isWritten(tokens, at, ';')) at++
  return isWritten(tokens, at, '{') ? at : undefined
}
