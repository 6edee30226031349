import type { FileKind } from '../files.ts'
import type { Confidence, Evidence, Impact } from '../types.ts'

/** What a credential opens, how much of what its user needs is in the project, and how sure it is that it is one. */
export interface Grade {
  readonly impact: Impact
  readonly evidence: Evidence
  readonly confidence: Confidence
  /** Nothing but the host is missing beside it, which may stand where the project uses it. */
  readonly lacks?: 'host'
}

const LESS_SURE: Readonly<Record<Confidence, Confidence>> = { high: 'medium', medium: 'low', low: 'low' }

/** One step less of evidence and confidence: in tests, samples and requests of developers most credentials are nobody's. */
export function lowerGrade(grade: Grade): Grade {
  return { ...weakenEvidence(grade), confidence: LESS_SURE[grade.confidence] }
}

/** One step less of evidence. What gives little anyway is no guess for that. */
export function weakenEvidence(grade: Grade): Grade {
  return { ...grade, evidence: grade.evidence === 'shown' || grade.impact !== 'takeover' ? 'assumed' : 'guessed' }
}

const SAMPLE_FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|mocks?|samples?|examples?|fixtures?|docs?|e2e)\//i
/** A word of the name, or a text or a collection of requests by its ending. */
const SAMPLE_NAME =
  /(?:^|[^a-z0-9])(?:tests?|specs?|mocks?|mocked|samples?|examples?|templates?|tpl|fixtures?|readme)(?![a-z0-9])|\.(?:md|mdx|markdown|rst|adoc|http|rest|bru)$/i

/** Whether a file is a test, a sample, documentation or requests that developers send: by its kind, a folder, or its name (`.env.example`, `README.md`, `mock-server.js`). */
export function isSampleFile(path: string, kind: FileKind): boolean {
  return kind.test || isInSampleFolder(path) || SAMPLE_NAME.test(path.slice(path.lastIndexOf('/') + 1))
}

export function isInSampleFolder(path: string): boolean {
  return SAMPLE_FOLDER.test(path)
}

const MESSAGE_BUNDLE =
  /(?:^|\/)(?:i18n|_i18n|messages)\/[^/]{1,200}\.properties$|(?:^|\/)(?:i18n|messagebundle)[^/]{0,100}\.properties$/i
/** What other frameworks keep them in: a folder of languages, or a file by its language. */
const LANGUAGE_FOLDER =
  /(?:^|\/)(?:i18n|locales?|translations?|lang|languages?)\/(?:[^/]{1,100}\/)?[^/]{1,100}\.(?:json|[cm]?[jt]s|properties|ya?ml|po)$/i
const LANGUAGE_FILE =
  /(?:^|\/)(?:i18n|lang|language|locale|translations?|messages|strings)[-_.]?[a-z]{2}(?:[-_][a-z]{2})?\.(?:json|[cm]?[jt]s|properties|ya?ml)$/i

/** Texts for people, one file for each language: they talk of passwords and of addresses, and hold none. */
export function isTranslation(path: string): boolean {
  return MESSAGE_BUNDLE.test(path) || LANGUAGE_FOLDER.test(path) || LANGUAGE_FILE.test(path)
}
