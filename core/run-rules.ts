import { StopSignal, type Budget } from './budget.ts'
import type { Rule } from './rules/rule.ts'
import type { ContextOf, Subjects, SubjectName } from './rules/subjects.ts'
import type { Notice, PendingMatch } from './types.ts'

/** Where the matches and the failures of rules go. */
export interface RuleSink {
  match(match: PendingMatch): void
  notice(notice: Notice): void
  /** What a rule threw, for the log: it may hold text of the project, so no report ever does. */
  fault(error: unknown, ruleId: string): void
}

/** To ask a rule costs a little, whatever it answers. */
const RULE_STEPS = 10
/** A match costs more than a step: it is kept, sorted and placed. */
const MATCH_STEPS = 20

/**
 * Runs each rule on one subject. The only `try` around rules: one that throws becomes the notice `rule-failed`, one that is out of steps
 * `time-limit`, and the others go on. Throws a StopSignal only when the whole scan was interrupted.
 */
export function runRules<Name extends SubjectName>(
  rules: readonly Rule[],
  name: Name,
  subject: Subjects[Name],
  context: ContextOf<Name>,
  work: { readonly budget: Budget; readonly sink: RuleSink; readonly file?: string },
): void {
  const { budget, sink, file } = work
  for (const rule of rules) {
    budget.nextPiece()
    try {
      budget.step(RULE_STEPS)
      for (const match of rule.checks[name]?.(subject, context) ?? []) {
        budget.step(MATCH_STEPS)
        sink.match({ ruleId: rule.id, match })
      }
    } catch (error) {
      if (error instanceof StopSignal && error.reason !== 'steps') throw error
      const place = { ruleId: rule.id, ...(file !== undefined && { file }), partial: true }
      if (error instanceof StopSignal) sink.notice({ code: 'time-limit', reason: 'steps', ...place })
      else {
        sink.notice({ code: 'rule-failed', reason: 'error', ...place })
        sink.fault(error, rule.id)
      }
    }
  }
}
