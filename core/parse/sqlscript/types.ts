import type { Span } from '../../types.ts'

/** `word`: a keyword or plain name · `quoted`: a name in double quotes. `text` is decoded; `name` is what names are compared by. */
export interface SqlToken extends Span {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol'
  readonly text: string
  /** Upper case for words, as written for quoted names, the symbol itself; '' for strings and numbers. */
  readonly name: string
}

export interface SqlParameter {
  readonly name: string
  readonly mode: 'in' | 'out' | 'inout'
  /** First word of its type, in upper case; '' for types of the user. */
  readonly type: string
}

/** A procedure or function with its text cut into statements; a library has several. */
export interface SqlRoutineTree extends Span {
  readonly kind: 'procedure' | 'function'
  readonly name: string
  readonly nameSpan: Span
  readonly parameters: readonly SqlParameter[]
  /** `SQL SECURITY`, where it is written. */
  readonly security?: Span & { readonly mode: 'definer' | 'invoker' }
  readonly statements: readonly SqlStatement[]
}

export interface SqlStatement {
  readonly tokens: readonly SqlToken[]
  /** The branches and loops around it, outermost first, by numbers: those of IF and of its ELSE are different ones. */
  readonly branches: readonly number[]
}

export interface SqlDocument {
  readonly routines: readonly SqlRoutineTree[]
}
