import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { spanAround } from '../../../facts/function-table.ts'
import { createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import type { Binding, Definition } from '../../../facts/types.ts'
import type { FlowHit } from '../../../flow/index.ts'
import { findFirst } from '../../../lists.ts'
import { isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'

/** In the order of the text: an object that one call of a function makes, as a statement writes it to the log: what the same call does to it later is not written. */
interface EarlyLog extends Span {
  /** The function. */
  readonly from: number
  readonly until: number
}

export const earlyLogs: Extract<EarlyLog> = defineExtract({
  name: 'early-logs',
  keywords: ['console.', '.log(', 'logger.'],
  collect({ facts, step }) {
    const logs: EarlyLog[] = []
    const made = new Map<Binding, boolean>()
    const isMade = (binding: Binding): boolean => {
      const known = made.get(binding) ?? isMadeInside(binding)
      made.set(binding, known)
      return known
    }
    const partsAround = createSpanIndex(facts.partial, (part) => part)
    for (const call of facts.calls) {
      const { args, function: within } = call
      step()
      if (within.kind === 'file' || !isLogCall(call)) continue
      for (const { start, end, ...given } of args) {
        const binding = 'binding' in given ? given.binding : undefined
        // what is kept outside of the function holds what an earlier call gave it
        if (binding?.function !== within || !isMade(binding)) continue
        const parts = partsAround(start)
        step(parts.length)
        if (!parts.some((part) => isWithin(part, within))) logs.push({ start, end, from: within.start, until: within.end })
      }
    }
    return logs.toSorted((a, b) => a.start - b.start)
  },
})

/** Whatever a name stands for, each call of its function makes it, or gets it from a caller, who mostly makes one for each call. */
function isMadeInside({ definitions, function: within }: Binding): boolean {
  const isNew = ({ kind, operator, value, path, function: by }: Definition): boolean =>
    path.length === 0 &&
    (kind === 'parameter' ||
      ((kind === 'init' || kind === 'assign') &&
        operator === '=' &&
        by === within &&
        (value?.kind === 'object' || value?.kind === 'new')))
  return definitions.length > 0 && definitions.every(isNew)
}

/** Whether a statement writes an object to the log before the same function puts the credential into it; functions inside of it may have run before. */
export function isLoggedBefore({ at, steps }: FlowHit, { scripts, files }: Pick<Project, 'scripts' | 'files'>): boolean {
  const source = steps[0]?.at
  const { span } = at
  const from = source?.span?.start
  const functions = files.get(at.file)?.functions
  if (span === undefined || from === undefined || source?.file !== at.file || from < span.end || functions === undefined)
    return false
  const around = spanAround(functions, from)
  const logs = scripts.of(at.file, earlyLogs)
  const log = logs[findFirst(logs.length, (index) => (logs[index]?.start ?? 0) >= span.start)]
  return log?.start === span.start && around?.start === log.from && around.end === log.until
}
