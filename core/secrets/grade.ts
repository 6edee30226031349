import type { FileKind } from '../files.ts'
import type { Confidence, Severity } from '../types.ts'

export interface Grade {
  readonly severity: Severity
  readonly confidence: Confidence
}

const LESS_SEVERE: Readonly<Record<Severity, Severity>> = {
  CRITICAL: 'HIGH',
  HIGH: 'MEDIUM',
  MEDIUM: 'LOW',
  LOW: 'INFO',
  INFO: 'INFO',
}
const LESS_SURE: Readonly<Record<Confidence, Confidence>> = { high: 'medium', medium: 'low', low: 'low' }

/** One step less of both: in tests and samples most credentials are nobody's. */
export function lowerGrade({ severity, confidence }: Grade): Grade {
  return { severity: LESS_SEVERE[severity], confidence: LESS_SURE[confidence] }
}

const SAMPLE_FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|mocks?|samples?|examples?|fixtures?|docs?|e2e)\//i
/** A word of the name, or a text by its ending. */
const SAMPLE_NAME =
  /(?:^|[^a-z0-9])(?:tests?|specs?|mocks?|mocked|samples?|examples?|templates?|tpl|fixtures?|readme)(?![a-z0-9])|\.(?:md|mdx|markdown|rst|adoc)$/i

/** Whether a file is a test, a sample or documentation: by its kind, a folder, or a word of its name (`.env.example`, `README.md`, `mock-server.js`). */
export function isSampleFile(path: string, kind: FileKind): boolean {
  return kind.test || SAMPLE_FOLDER.test(path) || SAMPLE_NAME.test(path.slice(path.lastIndexOf('/') + 1))
}

/** Texts for people, one file for each language: they talk of passwords and of addresses, and hold none. */
export function isTranslation(path: string): boolean {
  return /(?:^|\/)(?:i18n|_i18n|messages)\/[^/]{1,200}\.properties$|(?:^|\/)(?:i18n|messagebundle)[^/]{0,100}\.properties$/i.test(
    path,
  )
}
