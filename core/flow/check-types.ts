import type { HandledEvent } from '../model/cap/index.ts'

/** How a function tells of a check: it throws, it gives true or false, or it answers a request itself instead of letting the next function run. */
export type CheckForm = 'throws' | 'true' | 'false' | 'refuses'

/** What a function has made sure of one of its parameters. */
export interface FlowCheck {
  readonly parameter: number
  readonly form: CheckForm
  /** Fields that lead from the parameter to what is checked; without it the parameter itself. */
  readonly path?: readonly string[]
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

/** The same of a server, where only the joined calls tell which function it was: what is known of `from` comes to `to` by way of `between`, unless the function does check. */
export interface PassedCheck {
  readonly from: number
  readonly between: number
  readonly to: number
  /** The call and what it was given, by their nodes; or a function that ran before with the same request. */
  readonly by: { readonly result: number; readonly given: number } | { readonly front: number }
  readonly form: CheckForm
  /** What it gives is waited for. */
  readonly isAwaited?: true
  /** It is enough unless the function's body says otherwise: its name promises a check. */
  readonly isBelieved?: true
  /** Fields that lead from what was given to the value, or from the value to what was given. */
  readonly path: readonly string[]
  readonly within: readonly string[]
}

/** A schema that a file exports: what it lets through, and the fields that it checks, as a move behind checks names them. */
export interface FlowSchema {
  readonly name: string
  readonly lets: 'any' | 'form' | 'known'
  readonly marks: readonly string[]
}

/** What the schema of another file was given, and what it gives. */
export interface SchemaCall {
  readonly from: number
  readonly to: number
  readonly module: { readonly source: string; readonly name: string }
}

/** A handler that runs before others of the same event, and refuses what has the wrong form. */
export interface FlowRefusal {
  readonly handled: Pick<HandledEvent, 'service' | 'events' | 'entities'>
  /** Fields of the data that it checks itself. */
  readonly fields: readonly string[]
  /** What it hands to functions that may check it: the nodes, with the fields that lead there from the request. */
  readonly given: readonly { readonly node: number; readonly path: readonly string[] }[]
}
