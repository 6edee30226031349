import { phpFindings, type PhpFault, type PhpFaultKind } from '../../model/php/index.ts'
import type { Exposure, Match } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** Faults of one kind as matches. `caller`: whoever sends a request to a script in which nothing looks at who calls, needs no login; `rule`: the rule says who attacks. */
export function* phpMatches(project: Project, kind: PhpFaultKind, reachBy: 'caller' | 'rule' = 'caller'): Generator<Match> {
  for (const fault of project.once(phpFindings).faults) {
    if (fault.kind !== kind) continue
    const { at, variant, sink, part } = fault
    yield {
      at,
      args: { sink, part },
      ...(reachBy === 'caller' && { exposure: exposureOf(fault) }),
      ...(variant !== undefined && { variant }),
    }
  }
}

/** Which request runs a function that nobody calls, the project doesn't tell. */
function exposureOf({ isOpen, isUncalled }: PhpFault): Exposure {
  return { reach: isOpen ? 'anyone' : 'user', ...(isUncalled && { evidence: 'assumed' as const }) }
}
