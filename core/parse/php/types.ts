import type { Span } from '../../types.ts'

/** An expression of PHP, as far as rules ask for it. Names of functions and classes are in lower case, without their namespace. */
export type PhpExpression = Span & PhpExpressionKind

type PhpExpressionKind =
  /** A string or a number that is written. */
  | { readonly kind: 'text'; readonly value: string }
  /** A constant by its name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** `$a['b']`, `$a->b`; without a key `$a[]`. */
  | { readonly kind: 'member'; readonly of: PhpExpression; readonly key?: PhpExpression }
  /** `f()`, `$a->f()`, `A::f()`, `new A()` (`new a`); language constructs as well: `echo`, `exit`, `isset`, `include`. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly of?: PhpExpression
      readonly owner?: string
      readonly args: readonly PhpExpression[]
    }
  /** What is joined to one text: `"a $b"`, `'a' . $b`, a command in backticks. */
  | { readonly kind: 'join'; readonly parts: readonly PhpExpression[]; readonly isCommand?: true }
  | { readonly kind: 'list'; readonly items: readonly PhpItem[] }
  | { readonly kind: 'assign'; readonly target: PhpExpression; readonly operator: string; readonly value: PhpExpression }
  /** Of one operand or two; casts are `(int)`. */
  | { readonly kind: 'operation'; readonly operator: string; readonly operands: readonly PhpExpression[] }
  | { readonly kind: 'choice'; readonly test: PhpExpression; readonly yes: PhpExpression; readonly no: PhpExpression }
  | { readonly kind: 'function'; readonly function: PhpFunction }
  | { readonly kind: 'unknown' }

export interface PhpItem {
  readonly key?: PhpExpression
  readonly value: PhpExpression
}

export interface PhpFunction extends Span {
  readonly name: string
  readonly owner?: string
  readonly parameters: readonly string[]
  readonly body: readonly PhpStatement[]
}

export type PhpStatement = Span &
  (
    | { readonly kind: 'expression'; readonly value: PhpExpression }
    | { readonly kind: 'html' }
    | {
        readonly kind: 'if'
        readonly test: PhpExpression
        readonly yes: readonly PhpStatement[]
        readonly no: readonly PhpStatement[]
      }
    /** What it begins with and goes on with, and the list that it walks over. */
    | {
        readonly kind: 'loop'
        readonly heads: readonly PhpExpression[]
        readonly each?: { readonly of: PhpExpression; readonly targets: readonly PhpExpression[] }
        readonly body: readonly PhpStatement[]
      }
    /** `break` ends a case of a switch as well. */
    | { readonly kind: 'leave'; readonly how: 'return' | 'throw' | 'break'; readonly value?: PhpExpression }
    /** Of `switch` and `try`: one of them runs, as far as one can tell. */
    | { readonly kind: 'either'; readonly branches: readonly (readonly PhpStatement[])[] }
    | { readonly kind: 'block'; readonly body: readonly PhpStatement[] }
  )

export interface PhpSource {
  readonly statements: readonly PhpStatement[]
  /** Functions and methods that have a name. */
  readonly functions: readonly PhpFunction[]
  /** How many tokens it has. */
  readonly size: number
}
