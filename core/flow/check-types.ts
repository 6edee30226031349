import type { Proof } from '../conditions/constraint.ts'
import type { HandledEvent } from '../model/cap/index.ts'
import type { Span } from '../types.ts'

/** How a function tells of a check: it throws, it gives true or false, or it answers a request itself instead of letting the next function run. */
export type CheckForm = 'throws' | 'true' | 'false' | 'refuses'

/** What is proved of a value, or of what lies in fields of it. */
export interface ProvedField {
  /** Fields that lead to what is checked; without it the value itself. */
  readonly path?: readonly string[]
  readonly proofs: readonly Proof[]
}

/** What a function has made sure of one of its parameters. */
export interface FlowCheck extends ProvedField {
  readonly parameter: number
  readonly form: CheckForm
  /** It tells so by a promise. */
  readonly isPromised?: true
}

/**
 * A value that somebody else is asked about before it is read: what is known of `from` comes to `to` by way of `between`, unless who was asked has made sure of something. Whether that is so,
 * is known when files are joined.
 */
export interface AskedValue {
  readonly from: number
  readonly between: number
  readonly to: number
  readonly by: Asked
  /** The ways to tell that count here. */
  readonly forms: readonly CheckForm[]
  /** What it gives is waited for. */
  readonly isAwaited?: true
  /** It is enough unless who was asked says otherwise: a name promises a check, or a schema is there that nobody can read. */
  readonly isBelieved?: true
  /** Fields that lead from what was given to the value, or from the value to what was given. */
  readonly path: readonly string[]
  readonly within: readonly string[]
}

/** Who is asked: a function that a call runs, with what it was given, by their nodes · a function that ran before with the same request · a schema that another file exports. */
export type Asked =
  | { readonly call: number; readonly given: number }
  | { readonly front: number }
  | { readonly schema: { readonly source: string; readonly name: string } }

/** A schema that a file exports, and what it makes sure of. */
export interface FlowSchema {
  readonly name: string
  readonly proved: readonly ProvedField[]
}

/** A handler that runs before others of the same event, and refuses what has the wrong form. */
export interface FlowRefusal {
  readonly handled: Pick<HandledEvent, 'service' | 'events' | 'entities'>
  /** Fields of the data that it checks itself. */
  readonly fields: readonly string[]
  /** What it hands to functions that may check it: the nodes, with the fields that lead there from the request. */
  readonly given: readonly { readonly node: number; readonly path: readonly string[] }[]
}

/** A method that nothing of its file calls before it has tested the same values where they are kept. */
export interface TestedPlaces extends Span {
  readonly method: string
  /** Names of properties, and `#id` of controls. */
  readonly names: readonly string[]
}
