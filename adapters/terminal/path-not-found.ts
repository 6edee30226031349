import { Refusal, type Locale } from '../../core/index.ts'
import { describeRefusal } from '../../handlers/index.ts'
import { say } from './words.ts'

/** What a user named on the command line is not there. */
export class PathNotFound extends Refusal {
  readonly path: string

  constructor(path: string) {
    super('directory-not-found')
    this.path = path
  }
}

/** The detail of a refusal for a terminal: the path that was named is on this machine, not on that of a server. */
export function describeInTerminal(refusal: Refusal, locale: Locale): string {
  if (refusal instanceof PathNotFound) return say(locale, 'pathNotFound', { path: refusal.path })
  return describeRefusal(refusal, locale)
}
