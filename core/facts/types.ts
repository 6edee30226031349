import type { Span } from '../types.ts'

/** What rules and models ask about one JavaScript or TypeScript file; a pure function of its text. */
export interface ScriptFacts {
  readonly functions: readonly FunctionFact[]
}

export interface FunctionFact extends Span {
  readonly name: string
  readonly parent: number
}
