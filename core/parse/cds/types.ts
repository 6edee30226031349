import type { Span } from '../../types.ts'

/** The tree of one .cds file. Names are qualified by the file's own blocks and namespace; references are as written, since what they mean
 *  depends on other files. */
export interface CdsDocument {
  /** '' where there is none. */
  readonly namespace: string
  readonly usings: readonly CdsUsing[]
  /** Services, entities and so on, those inside contexts and services too, in the order of the text. */
  readonly definitions: readonly CdsDefinition[]
  readonly annotates: readonly CdsAnnotate[]
  readonly extends: readonly CdsExtend[]
  /** Annotations that are commented out. */
  readonly disabled?: readonly CdsDisabled[]
  /** Conditions of privileges that are commented out. */
  readonly disabledConditions?: readonly CdsDisabledCondition[]
  /** Attributes of the user that it names anywhere: `area` of `$user.area`, and of `$user.attr.area`. */
  readonly userAttributes?: readonly string[]
  /** What could not be read and was skipped. */
  readonly errors: readonly CdsError[]
}

/** A comment with `@requires` or `@restrict` and roles in it. */
export interface CdsDisabled extends Span {
  /** `requires`, `restrict`. */
  readonly name: string
  readonly roles: readonly string[]
  /** Where goes on what stands behind the comment. */
  readonly before: number
}

/** A comment with a `where` about the user in it. */
export interface CdsDisabledCondition extends Span {
  /** As it is written, without quotes. */
  readonly condition: string
}

export interface CdsError extends Span {
  /** Where the reader goes on. */
  readonly resumed: number
}

/** `using path as alias from 'file'`; a using without a name has neither path nor alias. */
export interface CdsUsing extends Span {
  readonly path?: string
  readonly alias?: string
  readonly from?: string
}

export interface CdsName extends Span {
  readonly name: string
}

/** A name that stands for something else: `my.Books`, `Books:title`, `type of Books:title`. */
export interface CdsReference extends Span {
  readonly path: string
  /** The element after the colon, dotted. */
  readonly element?: string
}

export type CdsKind = 'context' | 'service' | 'entity' | 'type' | 'aspect' | 'event' | 'action' | 'function' | 'annotation'

export interface CdsDefinition extends Span {
  readonly kind: CdsKind
  readonly name: string
  /** The name without its blocks and namespace. */
  readonly nameSpan: Span
  /** Qualified name of the block that it stands in; the namespace outside of blocks. */
  readonly scope: string
  readonly annotations: readonly CdsAnnotation[]
  readonly includes: readonly CdsReference[]
  readonly elements: readonly CdsMember[]
  readonly params: readonly CdsMember[]
  readonly actions: readonly CdsAction[]
  readonly type?: CdsType
  readonly returns?: CdsType
  readonly query?: CdsQuery
}

/** An action or function bound to an entity. */
export interface CdsAction extends Span {
  readonly kind: 'action' | 'function'
  readonly name: string
  readonly nameSpan: Span
  readonly annotations: readonly CdsAnnotation[]
  readonly params: readonly CdsMember[]
  readonly returns?: CdsType
}

/** An element, a parameter or a mixin. */
export interface CdsMember extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly annotations: readonly CdsAnnotation[]
  readonly key: boolean
  readonly virtual: boolean
  readonly localized: boolean
  readonly notNull: boolean
  readonly type?: CdsType
  readonly default?: CdsExpression
  /** `= expression` of a calculated element. */
  readonly value?: CdsExpression
  /** `extend member with …` inside an `extend`: adds to a member that exists. */
  readonly extension: boolean
}

/** A type where it is used. `many` and `array of` are wrapped: the type inside is `items`. */
export interface CdsType extends Span {
  readonly kind: 'reference' | 'struct' | 'many' | 'association' | 'composition' | 'query'
  /** The type's name, or the target of an association. */
  readonly reference?: CdsReference
  /** `String(20)`: the first argument, where it is a number. */
  readonly length?: number
  /** Elements of a struct, or of a composition's inline target. */
  readonly elements: readonly CdsMember[]
  readonly items?: CdsType
  readonly toMany: boolean
  readonly keys: readonly CdsColumn[]
  readonly on?: CdsExpression
  readonly enum: readonly CdsEnumSymbol[]
  readonly query?: CdsQuery
  /** Of what a function returns: it has no other place for them. */
  readonly annotations: readonly CdsAnnotation[]
}

export interface CdsEnumSymbol extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly annotations: readonly CdsAnnotation[]
  readonly value?: CdsExpression
}

/** One annotation, records flattened as the compiler does: `@a: {b: 1}` is `a.b`. Names have no `@` in front. */
export interface CdsAnnotation extends Span {
  readonly name: string
  readonly nameSpan: Span
  readonly value: CdsValue
}

/** The value of an annotation. The kinds that JSON knows are shaped like a `DataNode`. */
export type CdsValue = CdsScalar | CdsWord | CdsComparison | CdsList | CdsRecord

export interface CdsScalar extends Span {
  readonly kind: 'string' | 'number' | 'boolean' | 'null'
  readonly value: string | number | boolean | null
}

/** `#symbol`, a path without parentheses, or `...` in a list (its text is empty, or what follows `up to`). */
export interface CdsWord extends Span {
  readonly kind: 'symbol' | 'path' | 'rest'
  readonly text: string
}

/** `(expression)`. */
export interface CdsComparison extends Span {
  readonly kind: 'expression'
  readonly expression: CdsExpression
}

export interface CdsList extends Span {
  readonly kind: 'array'
  readonly items: readonly CdsValue[]
}

export interface CdsRecord extends Span {
  readonly kind: 'object'
  readonly members: readonly { readonly key: string; readonly keySpan: Span; readonly value: CdsValue }[]
}

/** An expression or condition: its text, and what it names. */
export interface CdsExpression extends Span {
  readonly text: string
  /** Paths as written, without arguments and filters: `author.name`, `$user.country`. */
  readonly paths: readonly CdsPath[]
  readonly queries: readonly CdsQuery[]
}

export interface CdsPath extends CdsName {
  /** It stands in the filter of this path, and starts where that leads to: `items` of `status` in `items[status = 'open']`. */
  readonly base?: string
}

export interface CdsQuery extends Span {
  readonly kind: 'projection' | 'select' | 'set'
  readonly sources: readonly CdsSource[]
  /** Undefined: all columns. */
  readonly columns?: readonly CdsColumn[]
  readonly excluding: readonly CdsName[]
  readonly mixins: readonly CdsMember[]
  readonly where?: CdsExpression
  /** Something but `where` leaves rows out or merges them: a filter in brackets behind a source, `group by`, `having`, `limit`. */
  readonly isNarrowed?: true
  /** Operands of a set operation, and subqueries it reads from. */
  readonly parts: readonly CdsQuery[]
}

/** An entity that a query reads, on either side of a join. */
export interface CdsSource extends CdsReference {
  readonly alias?: string
}

export interface CdsColumn extends Span {
  /** Its alias, else the last part of its path; undefined for an inline `a.{b}` and an expression without alias; `*` for all. */
  readonly name?: string
  readonly nameSpan?: Span
  readonly expression?: CdsExpression
  readonly annotations: readonly CdsAnnotation[]
  readonly key: boolean
  readonly type?: CdsType
  /** What stands in braces: `author { name }`, `author.{ name }`. */
  readonly columns?: readonly CdsColumn[]
  readonly excluding: readonly CdsName[]
}

/** `annotate target with …`. */
export interface CdsAnnotate extends CdsAnnotated {
  readonly target: CdsReference
  /** Qualified name of the block that it stands in; the namespace outside of blocks. */
  readonly scope: string
}

/** What an `annotate` says about its target and the target's parts. */
export interface CdsAnnotated extends Span {
  readonly annotations: readonly CdsAnnotation[]
  /** Elements, or symbols of an enum. */
  readonly elements: readonly CdsAnnotatedMember[]
  readonly actions: readonly CdsAnnotatedMember[]
  readonly params: readonly CdsAnnotatedMember[]
  readonly returns?: CdsAnnotated
}

export interface CdsAnnotatedMember extends CdsAnnotated {
  readonly name: string
  readonly nameSpan: Span
}

/** `extend target with …`. */
export interface CdsExtend extends Span {
  readonly target: CdsReference
  readonly scope: string
  readonly annotations: readonly CdsAnnotation[]
  readonly includes: readonly CdsReference[]
  readonly elements: readonly CdsMember[]
  readonly enum: readonly CdsEnumSymbol[]
  readonly columns: readonly CdsColumn[]
  readonly actions: readonly CdsAction[]
  /** What it adds to a service or context; the names are relative to the target. */
  readonly definitions: readonly CdsDefinition[]
}
