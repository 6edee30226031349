import type { ProjectFile } from '../../../files.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { toJavaTokens, type JavaToken } from '../../../parse/java-tokens.ts'

export interface JavaSource {
  readonly file: string
  readonly tokens: readonly JavaToken[]
}

/** Beans of such a profile are not made in production. */
const DEVELOPMENT = /@Profile\s{0,5}\(\s{0,5}\{?\s{0,5}"(?:dev|test|local|default|mock|h2)/i

/** The Java code of a CAP root in which one of the words occurs, as tokens. */
export function* javaSources({ files }: Pick<CapRoot, 'files'>, words: RegExp): Generator<JavaSource> {
  yield* javaTokens(files, words, DEVELOPMENT)
}

/** The same of any files, without those in which other words occur. */
export function* javaTokens(files: Iterable<ProjectFile>, words: RegExp, others?: RegExp): Generator<JavaSource> {
  for (const { file, text } of javaTexts(files))
    if (words.test(text) && others?.test(text) !== true) yield { file, tokens: toJavaTokens(text) }
}

/** The Java code of files, without that of tests. */
export function* javaTexts(files: Iterable<ProjectFile>): Generator<{ readonly file: string; readonly text: string }> {
  for (const { path, kind, content } of files)
    if (kind.role === 'java' && !kind.test && content.as === 'text' && content.text !== undefined)
      yield { file: path, text: content.text }
}
