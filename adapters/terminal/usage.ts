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

/** The same exit code where nothing is wrong with the command line: a service that does not answer, a file that is there already. The help would not help. */
export class CommandFault extends UsageFault {}

export const EXIT = { done: 0, findings: 1, usage: 2, incomplete: 3, internal: 4, interrupted: 130 } as const
