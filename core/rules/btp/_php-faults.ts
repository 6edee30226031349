import { StopSignal } from '../../budget.ts'
import { phpFindings, type PhpFault, type PhpFaultKind, type PhpFindings } from '../../model/php/index.ts'
import { folderOf } from '../../paths.ts'
import type { Exposure, Match } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** Faults that scripts repeat: those of a folder are one finding. */
const REPEATED: ReadonlySet<PhpFaultKind> = new Set(['sql', 'html', 'error', 'tls'])

/** Faults of one kind as matches. `caller`: whoever sends a request to a script in which nothing looks at who calls, needs no login; `rule`: the rule says who attacks. */
export function* phpMatches(project: Project, kind: PhpFaultKind, reachBy: 'caller' | 'rule' = 'caller'): Generator<Match> {
  const found = project.once(phpFindings)
  for (const fault of found.faults) {
    if (fault.kind !== kind) continue
    const { at, variant, sink, part } = fault
    const exposure = reachBy === 'caller' ? exposureOf(fault) : undefined
    const group = [variant, exposure?.reach, exposure?.evidence, folderOf(at.file)]
    yield {
      at,
      args: { sink, part },
      ...(exposure && { exposure }),
      ...(variant !== undefined && { variant }),
      ...(REPEATED.has(kind) && { groupKey: group.join(' ') }),
    }
  }
  tellCut(found)
}

/** That scripts were not followed to their end, a notice says of each rule that needs it. */
export function tellCut({ isCut }: PhpFindings): void {
  if (isCut) throw new StopSignal('steps')
}

/** Which request runs a function that nobody calls, the project doesn't tell. */
function exposureOf({ isOpen, isUncalled }: PhpFault): Exposure {
  return { reach: isOpen ? 'anyone' : 'user', ...(isUncalled && { evidence: 'assumed' as const }) }
}
