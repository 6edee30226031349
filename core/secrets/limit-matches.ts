import { StopSignal } from '../budget.ts'
import type { Match } from '../types.ts'

/** More than a report shows of one rule and file, so that it can tell that there were more; each one is hashed and masks every snippet, which is not free. */
const MOST_MATCHES = 300

/** The first matches of a rule in one file. Throws a StopSignal beyond them, which a notice tells. */
export function* limitMatches(matches: Iterable<Match>): Generator<Match> {
  let count = 0
  for (const match of matches) {
    if (++count > MOST_MATCHES) throw new StopSignal('steps')
    yield match
  }
}
