import * as z from 'zod'
import { DECISION_STATES, type Awaited, type DecisionText } from '../core/index.ts'
import { schemaOf } from './_schema-of.ts'

// the messages are keys of FAULTS

/** What may stand in a text that people read in one line. */
const LINE = /^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u

const text = (fault: string, most: number): z.ZodType<string> =>
  z.string({ error: fault }).trim().min(1, { error: fault }).max(most, { error: fault }).regex(LINE, { error: fault })

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

const fields = {
  state: z.enum(DECISION_STATES, { error: 'decision-state' }),
  reason: text('decision-reason', 1000),
  until: z.string({ error: 'decision-until' }).regex(DAY, { error: 'decision-until' }).optional(),
  owner: text('decision-name', 100).optional(),
  by: text('decision-name', 100).optional(),
}

export const decisionText: z.ZodType<DecisionText> = schemaOf<DecisionText>()(z.object(fields, { error: 'not-an-object' }))

/** Several at once, each with the tag of the decision that its caller saw; left out where there was none. */
export interface DecisionsRequest extends DecisionText {
  readonly findings: readonly Awaited[]
}

/** Findings that are decided at once: their ids with their tags fit into a body. */
export const MAX_DECIDED = 500

const id = z.string({ error: 'finding-id' }).regex(/^[\w-]{1,100}$/, { error: 'finding-id' })

export const decisionsRequest: z.ZodType<DecisionsRequest> = schemaOf<DecisionsRequest>()(
  z.object(
    {
      ...fields,
      findings: z
        .array(z.object({ id, etag: z.string({ error: 'finding-id' }).max(50, { error: 'finding-id' }).optional() }), {
          error: 'decision-findings',
        })
        .min(1, { error: 'decision-findings' })
        .max(MAX_DECIDED, { error: 'decision-findings' })
        .refine((list) => new Set(list.map((one) => one.id)).size === list.length, { error: 'decision-findings' }),
    },
    { error: 'not-an-object' },
  ),
)

export const decisionParams: z.ZodType<{ readonly name: string; readonly findingId: string }> = z.object({
  name: z.string(),
  findingId: id,
})

/** Who takes a decision back. */
export const withdrawQuery: z.ZodType<{ readonly by?: string }> = z.object({ by: text('decision-name', 100).optional() })
