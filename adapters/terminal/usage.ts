import type { Localized } from '../../core/index.ts'

/** Wrong usage: exit code 2. `text` says why in both languages; an empty one shows the help. */
export class UsageFault extends Error {
  readonly text: Localized<string>

  /** One text is in the language of the user already. */
  constructor(text: Localized<string> | string) {
    const both = typeof text === 'string' ? { en: text, fr: text } : text
    super(both.en)
    this.text = both
  }
}

export const EXIT = { done: 0, findings: 1, usage: 2, incomplete: 3, internal: 4, interrupted: 130 } as const
