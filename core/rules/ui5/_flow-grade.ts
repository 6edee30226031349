import type { FlowHit } from '../../flow/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { Match, Severity } from '../../types.ts'

const LOWER: Readonly<Record<Severity, Severity>> = { CRITICAL: 'HIGH', HIGH: 'MEDIUM', MEDIUM: 'LOW', LOW: 'LOW', INFO: 'INFO' }

/**
 * What every rule on flow in a browser says of a hit. Who may have chosen the value decides: whoever sends a link, another window or another user weighs as the rule
 * says; a property of a control one level less; what only the user enters or stores is LOW, and so is what nobody can tell.
 */
export function gradeByOrigin({ at, origin, steps, weak }: FlowHit, severity: Severity = 'HIGH'): Match {
  const isOwn = isDeveloperFile(at.file) || isToolFile(at.file)
  const graded = gradeOf(origin, severity)
  return {
    at,
    flow: steps,
    severity: isOwn ? LOWER[LOWER[graded]] : graded,
    confidence: origin === 'unknown' ? 'low' : weak ? 'medium' : 'high',
  }
}

function gradeOf(origin: FlowHit['origin'], severity: Severity): Severity {
  switch (origin) {
    case 'property':
      return LOWER[severity]
    case 'input':
    case 'storage':
    case 'unknown':
      return severity === 'INFO' ? 'INFO' : 'LOW'
    default:
      return severity
  }
}
