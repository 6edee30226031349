import type { Span } from '../types.ts'

/** What rules and models ask about one script; a pure function of its text. It holds no node of the syntax tree. All lists are in the order of the text. */
export interface ScriptFacts {
  /** `functions[0]` is the file itself. */
  readonly functions: readonly FunctionFact[]
  readonly classes: readonly ClassFact[]
  readonly bindings: readonly Binding[]
  /** Names that are used and that nothing in the file declares. */
  readonly globals: ReadonlySet<string>
  /** Every call, construction and tagged template; the innermost of a chain first. */
  readonly calls: readonly CallValue[]
  readonly assignments: readonly Assignment[]
  /** What is deleted: `delete query.where`. */
  readonly deletions: readonly MemberValue[]
  readonly imports: readonly ImportFact[]
  readonly exports: readonly ExportFact[]
  readonly elements: readonly JsxFact[]
  readonly literals: readonly NamedLiteral[]
  readonly guards: readonly Guard[]
  /** What may not run to its end although the code behind it runs: bodies of loops and of `catch`, blocks of `try` that fail without leaving, `default:`. */
  readonly partial: readonly PartialSpan[]
  /** Names of the classes that values are asserted to be of, and names declared: `node as NoteCard`, `card: NoteCard`. */
  readonly types: ReadonlyMap<Value | Binding, string>
  /** Every value that the others hold on to (valuesOf); put together when it is asked for first. */
  readonly values: readonly HeldValue[]
}

/** A value, and the one that it is a direct part of. */
export interface HeldValue {
  readonly value: Value
  readonly parent: Value | undefined
}

export interface PartialSpan extends Span {
  /** Of the body of a `catch`: the block whose exceptions it gets. */
  readonly tried?: Span
}

export interface FunctionFact extends Span {
  /** `Class.method`, `object.property` or what it is assigned to; '' for the file and for what has no name. */
  readonly name: string
  readonly kind: 'file' | 'function' | 'arrow' | 'method' | 'constructor' | 'getter' | 'setter' | 'initializer'
  readonly parent: FunctionFact | undefined
  readonly isAsync: boolean
  /** The class or object literal that it is a member of. */
  readonly owner: ClassFact | ObjectValue | undefined
  /** One per parameter; undefined where it is a pattern (its bindings say `parameter`). */
  readonly parameters: readonly (Binding | undefined)[]
  /** The parameter that gets all further arguments. */
  readonly rest?: number
  /** What stands before parameters, `@Query('name') name`, by their positions. */
  readonly decorated?: ReadonlyMap<number, readonly Value[]>
  /** What `return` gives back, or the arrow's expression. */
  readonly returns: readonly Value[]
  /** What it throws itself, in the order of the code. */
  readonly thrown?: readonly Value[]
}

export interface ClassFact extends Span {
  readonly name: string
  readonly parent: Value | undefined
  /** What stands before it, `@Controller('products')`: each is a function that gets the class. */
  readonly decorators?: readonly Value[]
  readonly members: readonly ClassMember[]
}

export interface ClassMember extends Span {
  /** undefined: computed, or a static block. Private names with their `#`. */
  readonly name: string | undefined
  readonly isStatic: boolean
  readonly value: Value | undefined
  /** What stands before it, `@On('submit')`: each is a function that gets the member. */
  readonly decorators?: readonly Value[]
}

export type BindingKind = 'import' | 'parameter' | 'const' | 'let' | 'var' | 'function' | 'class' | 'catch' | 'enum'

/** A declared name; the span is that of its first declaration. */
export interface Binding extends Span {
  readonly name: string
  readonly kind: BindingKind
  /** The function (or the file) that it is declared in. */
  readonly function: FunctionFact
  /** All the values that it is given. */
  readonly definitions: readonly Definition[]
  /** What is put into its value later, `list.push(x)`, `map.key = x`; into lists that lie in it, `map.list.push(x)`. */
  readonly additions: readonly Value[]
  readonly nested?: readonly Value[]
  /** A function within its own uses it. */
  readonly isCaptured: boolean
  /** An import, or a parameter that `sap.ui.define` fills. */
  readonly module: ModuleName | undefined
}

/** A module, or what is taken from it. */
export interface ModuleName {
  readonly source: string
  /** undefined: the module itself or its default export, which are one here. */
  readonly name: string | undefined
}

/** One value of a binding. Of a pattern, `path` leads from `value` to the part that is bound: `['data', 'ID']`. */
export interface Definition extends Span {
  /** `each` and `key`: the elements and the keys of `value`, by a loop. */
  readonly kind: 'init' | 'assign' | 'parameter' | 'each' | 'key' | 'catch'
  /** `=`, or that of a compound assignment: `+=`, `??=`, `++`. */
  readonly operator: string
  /** Of a parameter: the argument, where the function is called on the spot. */
  readonly value: Value | undefined
  readonly path: readonly string[]
  /** What stands in the pattern for a missing value. */
  readonly fallback: Value | undefined
  /** Position of the parameter. */
  readonly parameter: number | undefined
  /** Of the rest of an object or list, `{ name, ...others }`, `[first, ...others]`: what was taken out before; how many items. */
  readonly taken?: readonly string[]
  readonly skipped?: number
  /** An assignment that its block makes whenever it runs: up to the end of the block what the name was given before is gone, in that which declares the name for good. */
  readonly replacesUntil?: number
  /** Of what is caught: the block that threw it. */
  readonly tried?: Span
  /** The first assignment in a statement all of whose branches assign the name: behind that, what it was given before is gone. */
  readonly branches?: Span
  readonly function: FunctionFact
}

/** An assignment to a member: `a.b = value`, `a[b] += value`. */
export interface Assignment extends Span {
  readonly target: MemberValue
  readonly operator: string
  readonly value: Value
  readonly function: FunctionFact
}

export interface ImportFact extends Span {
  readonly source: string
  /** `probe`: `sap.ui.require('…')`, which gives a module that is loaded already. */
  readonly kind: 'import' | 'reexport' | 'require' | 'dynamic' | 'define' | 'probe' | 'jquery-sap'
  /** The name that the file knows it by. */
  readonly binding: Binding | undefined
}

export interface ExportFact extends Span {
  /** `default` for the default export and for `module.exports = …`; `*` for a module passed on as a whole. */
  readonly name: string
  readonly value: Value | undefined
  /** The module that it is passed on from. */
  readonly source: string | undefined
  /** Its name there. */
  readonly from?: string
}

export interface JsxFact extends Span {
  /** As written: `Input`, `ui5.Input`, `div`. */
  readonly name: string
  /** The component that it resolves to; undefined for tags of HTML. */
  readonly component: Value | undefined
  readonly attributes: readonly JsxAttributeFact[]
}

export interface JsxAttributeFact extends Span {
  /** undefined: a spread. */
  readonly name: string | undefined
  /** undefined: no value, which is `true`. */
  readonly value: Value | undefined
}

/** A string literal, or a template without parts, with the name on its left-hand side. The span is without the quotes. */
export interface NamedLiteral extends Span {
  readonly name: string
  readonly value: string
  /** The object whose property it is: its other fields tell what it is for. */
  readonly owner: ObjectValue | undefined
}

/** A condition and what it guards. */
export interface Guard extends Span {
  readonly test: Value
  /** What runs where the test holds. */
  readonly inside: Span
  /** It leaves by return, throw, continue or break; what it throws may be caught at an offset, and what follows runs. */
  readonly exits: boolean
  readonly caughtAt?: number
  readonly function: FunctionFact
}

/** An expression. Parentheses, types and non-null marks are gone, sequences are their last part. */
export type Value =
  | LiteralValue
  | RegexValue
  | TemplateValue
  | ConcatValue
  | OperationValue
  | ChoiceValue
  | ReferenceValue
  | ThisValue
  | PlainValue
  | MemberValue
  | CallValue
  | ObjectValue
  | ArrayValue
  | FunctionValue
  | ClassValue
  | WrappedValue
  | JsxValue

/** Also a template without parts. A big integer is its nearest number. */
export interface LiteralValue extends Span {
  readonly kind: 'literal'
  readonly value: string | number | boolean | null
}

export interface RegexValue extends Span {
  readonly kind: 'regex'
  readonly pattern: string
  readonly flags: string
}

/** An untagged template; `texts` has one more than `parts`. */
export interface TemplateValue extends Span {
  readonly kind: 'template'
  readonly texts: readonly string[]
  readonly parts: readonly Value[]
}

/** `a + b + c`: addition or concatenation, which only the values tell. */
export interface ConcatValue extends Span {
  readonly kind: 'concat'
  readonly parts: readonly Value[]
}

/** Any operator that gives no text of its operands: arithmetic, comparison, negation, `typeof`; `a - b - c` has three operands. */
export interface OperationValue extends Span {
  readonly kind: 'operation'
  readonly operator: string
  readonly operands: readonly Value[]
}

/** One of its options: `?:`, `||`, `&&`, `??`. */
export interface ChoiceValue extends Span {
  readonly kind: 'choice'
  readonly options: readonly Value[]
  readonly test: Value | undefined
  /** `a && b`: those before the last one are what it is only where they are empty. */
  readonly isAnd?: true
}

/** A name. Without binding it is global. */
export interface ReferenceValue extends Span {
  readonly kind: 'reference'
  readonly name: string
  readonly binding: Binding | undefined
}

export interface ThisValue extends Span {
  readonly kind: 'this'
  /** Where it stands; arrows take `this` from their parent. */
  readonly function: FunctionFact
}

/** `unknown`: what no rule asks for, such as `yield` or `new.target`; `import`: the callee of a dynamic import. */
export interface PlainValue extends Span {
  readonly kind: 'super' | 'import' | 'unknown'
}

/** `object.name`, or `object[property]`; a constant string in brackets is a name too. */
export interface MemberValue extends Span {
  readonly kind: 'member'
  readonly object: Value
  readonly name: string | undefined
  readonly property: Value | undefined
  readonly isOptional: boolean
}

/** A call, a construction, or a tagged template: then `args` are its parts and `texts` what stands between them. */
export interface CallValue extends Span {
  readonly kind: 'call' | 'new' | 'tagged'
  readonly callee: Value
  readonly args: readonly Value[]
  readonly texts: readonly string[] | undefined
  readonly function: FunctionFact
}

export interface ObjectValue extends Span {
  readonly kind: 'object'
  readonly fields: readonly ObjectField[]
}

/** The span is that of the key. A spread has no key. */
export interface ObjectField extends Span {
  readonly key: string | undefined
  readonly computed: Value | undefined
  readonly value: Value
}

/** Holes are `unknown`. */
export interface ArrayValue extends Span {
  readonly kind: 'array'
  readonly items: readonly Value[]
}

export interface FunctionValue extends Span {
  readonly kind: 'function'
  readonly function: FunctionFact
}

export interface ClassValue extends Span {
  readonly kind: 'class'
  readonly class: ClassFact
}

/** `await value`, `...value`. */
export interface WrappedValue extends Span {
  readonly kind: 'await' | 'spread'
  readonly value: Value
}

export interface JsxValue extends Span {
  readonly kind: 'jsx'
  readonly element: JsxFact | undefined
}
