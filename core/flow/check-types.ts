/** How a function tells of a check: it throws, or it gives true or false. */
export type CheckForm = 'throws' | 'true' | 'false'

/** What a function has made sure of one of its parameters. */
export interface FlowCheck {
  readonly parameter: number
  readonly form: CheckForm
  /** Rules for which the value is harmless then; without it for all. */
  readonly cleans?: readonly string[]
  /** It tells so by a promise. */
  readonly isPromised?: true
}

/** A value that is read where a function of another file has checked it, if it does check: between the two nodes it is as that file says. */
export interface CheckedValue {
  readonly from: number
  readonly to: number
  readonly module: { readonly source: string; readonly name: string }
  readonly argument: number
  readonly form: CheckForm
  /** What it gives is waited for. */
  readonly isAwaited?: true
}
