import { StopSignal, type Budget } from './budget.ts'
import type { Rule } from './rules/rule.ts'
import type { ContextOf, Subjects, SubjectName } from './rules/subjects.ts'
import type { Notice, PendingMatch } from './types.ts'

/** Where the matches and the failures of rules go. */
export interface RuleSink {
  match(match: PendingMatch): void
  notice(notice: Notice): void
}

/** A match costs more than a step: it is kept, sorted and placed. */
const MATCH_STEPS = 20

/**
 * Runs each rule on one subject. The only `try` around rules: one that throws becomes the notice `rule-failed`, one that is out of steps
 * `time-limit`, and the others go on. Throws a StopSignal only when the whole scan was interrupted.
 */
export function runRules(
  rules: readonly Rule[],
  subject: Subjects[SubjectName],
  context: ContextOf<SubjectName>,
  work: { readonly budget: Budget; readonly sink: RuleSink; readonly file?: string },
): void {
  const { budget, sink, file } = work
  for (const rule of rules) {
    budget.nextPiece()
    try {
      for (const match of rule.check(subject, context)) {
        budget.step(MATCH_STEPS)
        sink.match({ ruleId: rule.id, match })
      }
    } catch (error) {
      if (error instanceof StopSignal && error.reason !== 'steps') throw error
      const place = { ruleId: rule.id, ...(file !== undefined && { file }), partial: true }
      if (error instanceof StopSignal) sink.notice({ code: 'time-limit', reason: 'steps', ...place })
      else sink.notice({ code: 'rule-failed', reason: 'error', ...place })
    }
  }
}
