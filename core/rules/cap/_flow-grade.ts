import { inEachLanguage } from '../../arguments.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { GradeFacts, Match } from '../../types.ts'

/**
 * What every rule on flow says of a hit: its place, its steps, and a confidence that falls where the origin is known by a name alone. Who sends the data the
 * project tells. `facts`: what the rule says of this hit beside its impact.
 */
export function gradeHit({ at, steps, weak }: FlowHit, facts: GradeFacts = {}): Match {
  return { at, flow: steps, confidence: weak ? 'medium' : 'high', ...facts }
}

/** That an attacker may have written what was stored is shown where the model lets all users write the rows, else assumed. */
export function ofStored({ marks }: FlowHit): Required<Pick<GradeFacts, 'evidence'>> {
  return { evidence: marks.has('of-users') ? 'shown' : 'assumed' }
}

/** Whether the value went through a row of the database: whoever reads it there is another one than who sent it. */
export function isRowKept({ steps }: FlowHit): boolean {
  return steps.some(({ step, args }) => step === 'store' && args?.['name']?.startsWith('rows ') === true)
}

/** What a client sent may come back from the database before it gets anywhere: part of a sentence, or nothing. */
export function wordStore(hit: FlowHit): string {
  return isRowKept(hit)
    ? inEachLanguage({ en: ', then stored in the database,', fr: ', puis stockée dans la base de données,' })
    : ''
}
