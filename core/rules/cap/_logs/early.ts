import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import type { FlowHit } from '../../../flow/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'

/** An object of one call of a function, as a statement writes it to the log: what the same call does to it later is not written. */
interface EarlyLog extends Span {
  /** The end of the function. */
  readonly until: number
  /** Functions inside of it, which may have run before. */
  readonly inner: readonly Span[]
}

export const earlyLogs: Extract<EarlyLog> = defineExtract({
  name: 'early-logs',
  keywords: ['console.', '.log(', 'logger.'],
  *collect({ facts, step }) {
    for (const { callee, args, function: within } of facts.calls) {
      if (!('object' in callee) || within.kind === 'file') continue
      for (const { start, end, ...given } of args) {
        const binding = 'binding' in given ? given.binding : undefined
        // what is kept outside of the function holds what an earlier call gave it
        if (binding?.function !== within) continue
        step(1 + ((facts.partial.length + facts.functions.length) >> 3))
        if (facts.partial.some((part) => isAround(part, start) && isWithin(part, within))) continue
        const inner = facts.functions.flatMap((one) =>
          one.start > end && one.end < within.end ? [{ start: one.start, end: one.end }] : [],
        )
        yield { start, end, until: within.end, inner }
      }
    }
  },
})

/** Whether a statement writes an object to the log before the same function puts the credential into it. */
export function isLoggedBefore({ at, steps }: FlowHit, { scripts }: Pick<Project, 'scripts'>): boolean {
  const source = steps[0]?.at
  const { span } = at
  const from = source?.span?.start
  if (span === undefined || from === undefined || source?.file !== at.file || from < span.end) return false
  return scripts
    .of(at.file, earlyLogs)
    .some((one) => one.start === span.start && from < one.until && !one.inner.some((inner) => isAround(inner, from)))
}
