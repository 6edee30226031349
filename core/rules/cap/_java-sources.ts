import type { CapRoot } from '../../model/cap/index.ts'
import { toJavaTokens, type JavaToken } from '../../parse/java-tokens.ts'

export interface JavaSource {
  readonly file: string
  readonly tokens: readonly JavaToken[]
}

/** Beans of such a profile are not made in production. */
const DEVELOPMENT = /@Profile\s{0,5}\(\s{0,5}\{?\s{0,5}"(?:dev|test|local|default|mock|h2)/i

/** The Java code of a CAP root in which one of the words occurs, as tokens. */
export function* javaSources({ files }: CapRoot, words: RegExp): Generator<JavaSource> {
  for (const { path, kind, content } of files) {
    const text = kind.role === 'java' && !kind.test && content.as === 'text' ? content.text : undefined
    if (text !== undefined && words.test(text) && !DEVELOPMENT.test(text)) yield { file: path, tokens: toJavaTokens(text) }
  }
}

/** Whether tokens stand one after another from a place on. */
export function isWritten(tokens: readonly JavaToken[], at: number, ...texts: readonly string[]): boolean {
  return texts.every((text, index) => tokens[at + index]?.text === text && tokens[at + index]?.kind !== 'string')
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '{': '}' }

/** Where the bracket that opens at a place closes; the end, where it does not. */
export function closingOf(tokens: readonly JavaToken[], open: number): number {
  const [opening = '', closing] = [tokens[open]?.text, PAIRS[tokens[open]?.text ?? '']]
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined || token.kind !== 'symbol') continue
    if (token.text === opening) depth++
    else if (token.text === closing && --depth === 0) return index
  }
  return tokens.length
}
