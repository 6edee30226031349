import { isRefusal, type Locale } from '../../../core/index.ts'
import { describeInTerminal } from '../path-not-found.ts'
import { EXIT, UsageFault } from '../usage.ts'

/** Why one project has no report, in the language of the run; the others go on. */
export class ProjectFault extends Error {
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

export interface Failure {
  /** Stable, never localised. */
  readonly code: string
  readonly detail: string
  /** What `parapet scan` would end with. */
  readonly exit: number
}

/** What a project ended with, in words. Whatever is no known kind of error is a fault of ours. */
export function toFailure(error: unknown, locale: Locale): Failure {
  if (isRefusal(error)) return { code: error.code, detail: describeInTerminal(error, locale), exit: EXIT.usage }
  if (error instanceof ProjectFault) return { code: error.code, detail: error.message, exit: EXIT.usage }
  if (error instanceof UsageFault) return { code: 'invalid-request', detail: error.text[locale], exit: EXIT.usage }
  return { code: 'internal-error', detail: error instanceof Error ? error.message : String(error), exit: EXIT.internal }
}
