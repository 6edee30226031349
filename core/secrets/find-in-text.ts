import { createBudget, withinSteps } from '../budget.ts'
import type { KeywordIndex } from '../keywords/index.ts'
import type { Span } from '../types.ts'
import { createCredentialFile, BINDING_SECRET } from './index.ts'

/** A text of usual length; a token costs some hundred, a name some dozens. */
const LEAST_STEPS = 20_000
const STEPS_PER_CHARACTER = 100

/** How a text is read: as the words of a command, whose values end at blanks and quotes. */
const READ_AS = 'text.sh'

export interface FoundInText {
  readonly span: Span
  readonly value: string
}

/** Credentials in texts that are no file: paths, names, addresses, what a caller wrote. Findings or not: all that would be masked in a file. */
export function findInText(text: string, keywords: KeywordIndex): readonly FoundInText[] {
  const hits = keywords.find(new TextEncoder().encode(text))
  const budget = createBudget(LEAST_STEPS + text.length * STEPS_PER_CHARACTER)
  const file = createCredentialFile({
    path: READ_AS,
    kind: { language: 'text', test: false },
    scope: 'all',
    text,
    content: { as: 'text' },
    hits,
    budget,
  })
  const spans: Span[] = []
  // what was found until the steps ended
  withinSteps(() => {
    const { byRow, masked } = file.found()
    for (const { span } of [...[...byRow.values()].flat(), ...masked, ...file.tokens(BINDING_SECRET), ...file.privateKeys()])
      spans.push(span)
    for (const { spanOf, passwordStart, password } of file.urls())
      spans.push(spanOf(passwordStart, passwordStart + password.length))
  })
  return spans.map((span) => ({ span, value: text.slice(span.start, span.end) }))
}
