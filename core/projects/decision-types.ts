export const DECISION_STATES = ['accepted', 'false-positive', 'will-repair', 'not-affected'] as const
export type DecisionState = (typeof DECISION_STATES)[number]

/** What somebody decides about findings. */
export interface DecisionText {
  readonly state: DecisionState
  readonly reason: string
  /** The last day on which it holds, as `2027-03-31`. */
  readonly until?: string
  readonly owner?: string
  /** Who decides. */
  readonly by?: string
}

/** One of them as it is kept: written once, never changed. `withdrawn`: what was decided before holds no more. */
export interface DecisionRecord extends Omit<DecisionText, 'state'> {
  readonly state: DecisionState | 'withdrawn'
  readonly at: string
  readonly ids: readonly string[]
}

/** What holds for a finding. */
export interface Decision extends DecisionText {
  readonly at: string
  readonly expired: boolean
  /** Names this one among all that were decided about the finding: for `If-Match`. */
  readonly etag: string
}

/** What was decided before. */
export interface FormerDecision extends Omit<DecisionText, 'state'> {
  readonly state: DecisionState | 'withdrawn'
  readonly at: string
}

/** What was decided about a finding: what holds now, if anything does, and what was before, newest first. */
export interface DecidedFinding {
  readonly findingId: string
  readonly decision?: Decision
  readonly history: readonly FormerDecision[]
}

/** A finding that is decided on, and what its caller has seen of it: the tag of a decision, or that there is none. */
export interface Awaited {
  readonly id: string
  readonly etag?: string
}

/** Nothing is written where somebody else decided meanwhile. */
export type DecideOutcome =
  | { readonly kind: 'decided'; readonly findings: readonly DecidedFinding[] }
  | { readonly kind: 'changed'; readonly findings: readonly DecidedFinding[] }

/** The day of a time, in UTC. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The same for what holds until a day: that day is the last one. */
export const isExpired = (until: string | undefined, today: string): boolean => until !== undefined && until < today
