import { createBudget, type Budget } from '../../core/budget.ts'
import type { OpenContent } from '../../core/files.ts'
import { createKeywordIndex, type KeywordIndex } from '../../core/keywords/index.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { RULES } from '../../core/rules/index.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { createCredentialFile, type CredentialFile } from '../../core/secrets/index.ts'

/** The rules of the area. */
export const SECRET_RULES: readonly Rule[] = RULES.filter(({ id }) => id.startsWith('secrets/'))

export const SECRET_KEYWORDS: readonly string[] = [...new Set(SECRET_RULES.flatMap(({ keywords }) => keywords ?? []))]

const INDEX = createKeywordIndex(SECRET_KEYWORDS)

/** Any number of steps, counted. */
export function createCounter(): Budget {
  return createBudget(Number.MAX_SAFE_INTEGER)
}

/** A text as the rules of the area see it, with more keywords where a test needs them. */
export function openCredentials(
  text: string,
  settings: { path?: string; content?: OpenContent; keywords?: readonly string[]; budget?: Budget } = {},
): CredentialFile {
  const path = settings.path ?? 'srv/file.txt'
  const found = classifyPath(path)
  if (found.class === 'out') throw new Error(`${path} is left out`)
  return createCredentialFile({
    path,
    kind: found.kind,
    scope: found.class,
    text,
    content: settings.content ?? { as: 'text' },
    hits: indexOf(settings.keywords).find(new TextEncoder().encode(text)),
    budget: settings.budget ?? createCounter(),
  })
}

function indexOf(keywords: readonly string[] | undefined): KeywordIndex {
  return keywords === undefined ? INDEX : createKeywordIndex([...SECRET_KEYWORDS, ...keywords])
}
