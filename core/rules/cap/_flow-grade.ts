import type { FlowHit } from '../../flow/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { inEachLanguage } from '../../arguments.ts'
import type { Match, Severity } from '../../types.ts'

const LOWER: Readonly<Record<Severity, Severity>> = { CRITICAL: 'HIGH', HIGH: 'MEDIUM', MEDIUM: 'LOW', LOW: 'LOW', INFO: 'INFO' }

/**
 * What every rule on flow says of a hit: its place, its steps, and a confidence that falls where the origin is known by a name alone. Code that only developers run
 * counts two levels less; a message one, since its sender has to get at the broker first.
 */
export function gradeHit({ at, steps, weak, entry }: FlowHit, severity: Severity = 'HIGH'): Match {
  const isOwn = isDeveloperFile(at.file) || isToolFile(at.file)
  const reached = entry === 'message' ? LOWER[severity] : severity
  return { at, flow: steps, confidence: weak ? 'medium' : 'high', severity: isOwn ? LOWER[LOWER[reached]] : reached }
}

/** What a client sent may come back from the database before it gets anywhere: part of a sentence, or nothing. */
export function wordStore({ steps }: FlowHit): string {
  const isKept = steps.some(({ step, args }) => step === 'store' && args?.['name']?.startsWith('rows') === true)
  return isKept ? inEachLanguage({ en: ', then stored in the database,', fr: ', puis stockée dans la base de données,' }) : ''
}
