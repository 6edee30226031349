import type { Budget } from '../budget.ts'
import type { Node } from '../parse/javascript.ts'
import type { Span } from '../types.ts'
import { ITERATOR_KEY } from './iterator-key.ts'
import type {
  Assignment,
  Binding,
  BindingKind,
  CallValue,
  ClassFact,
  Definition,
  ExportFact,
  FunctionFact,
  Guard,
  ImportFact,
  JsxFact,
  MemberValue,
  NamedLiteral,
  PartialSpan,
  ReferenceValue,
  Value,
} from './types.ts'

type Mutable<Fact> = { -readonly [Key in keyof Fact]: Fact[Key] }

export type BindingBuilder = Omit<Mutable<Binding>, 'definitions' | 'additions' | 'nested'> & {
  definitions: Definition[]
  additions: Value[]
  nested?: Value[]
}
export type FunctionBuilder = Omit<Mutable<FunctionFact>, 'parameters' | 'returns' | 'thrown'> & {
  parameters: (Binding | undefined)[]
  returns: Value[]
  thrown?: Value[]
}

/** Where names are declared. References are resolved when the whole file was walked: so hoisting needs no pass of its own. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly function: FunctionFact
  /** `var` goes up to here. */
  readonly holdsVar: boolean
  /** Made with the first declaration: most blocks have none. */
  names: Map<string, BindingBuilder> | undefined
  /** Of a block of statements in braces: where it ends. */
  readonly end?: number
}

/** One of the ways through a statement; `depth`: how many scopes below that of the statement its own lines stand. */
export interface Branch extends Span {
  readonly depth: number
}

/** A statement of which one branch runs whatever happens, but for those that leave: `if … else …`, `switch` with `default`, `try`. */
export interface Branches extends Span {
  readonly scope: Scope
  readonly parts: readonly Branch[]
}

/** An assignment whose name is declared outside of its block. */
export interface BranchWrite {
  readonly binding: BindingBuilder
  readonly scope: Scope
  readonly definition: Definition
}

/** The relative name of a file of the project that a module of another name is: a package of the same workspace, an alias. */
export type RelativeName = (source: string) => string | undefined

/** The state of one walk over one tree. */
export interface Walk {
  readonly functions: FunctionFact[]
  readonly classes: ClassFact[]
  readonly bindings: BindingBuilder[]
  readonly calls: CallValue[]
  readonly assignments: Assignment[]
  readonly deletions: MemberValue[]
  readonly imports: ImportFact[]
  readonly exports: ExportFact[]
  readonly elements: JsxFact[]
  readonly literals: NamedLiteral[]
  readonly guards: Guard[]
  readonly types: Map<Value | BindingBuilder, string>
  readonly partial: PartialSpan[]
  readonly branches: Branches[]
  readonly branchWrites: BranchWrite[]
  readonly references: { readonly value: Mutable<ReferenceValue>; readonly scope: Scope }[]
  readonly writes: { readonly name: string; readonly scope: Scope; readonly definition: Definition }[]
  /** Names of the left-hand sides that the walk is in; those from `namesFrom` on name the next function. */
  readonly names: string[]
  namesFrom: number
  scope: Scope
  function: FunctionBuilder
  /** Where what is thrown is caught, and what follows runs nevertheless. */
  caught: { readonly function: FunctionBuilder; readonly end: number } | undefined
  /** Counts one node. Throws a StopSignal when the budget is used up. */
  step(): void
  /** A module as it is written, or the file of the project that its name stands for. */
  moduleName(source: string): string
  toValue(node: Node | null | undefined): Value
  visit(node: Node): void
}

const STEPS_AT_ONCE = 1024

/** A walk of a file with `length` UTF-16 units; `toValue` and `visit` come from the modules that know expressions and statements. */
export function createWalk(
  length: number,
  { budget, relativeName }: { readonly budget: Budget | undefined; readonly relativeName: RelativeName | undefined },
  toValue: (walk: Walk, node: Node | null | undefined) => Value,
  visit: (walk: Walk, node: Node) => void,
): Walk {
  const file: FunctionBuilder = {
    start: 0,
    end: length,
    name: '',
    kind: 'file',
    parent: undefined,
    isAsync: true,
    owner: undefined,
    parameters: [],
    returns: [],
  }
  let steps = 0
  const walk: Walk = {
    functions: [file],
    classes: [],
    bindings: [],
    calls: [],
    assignments: [],
    deletions: [],
    imports: [],
    exports: [],
    elements: [],
    literals: [],
    guards: [],
    types: new Map(),
    partial: [],
    branches: [],
    branchWrites: [],
    references: [],
    writes: [],
    names: [],
    namesFrom: 0,
    scope: { parent: undefined, function: file, holdsVar: true, names: undefined },
    function: file,
    caught: undefined,
    step() {
      if (++steps < STEPS_AT_ONCE) return
      steps = 0
      budget?.step(STEPS_AT_ONCE)
    },
    moduleName: (source) => relativeName?.(source) ?? source,
    toValue: (node) => toValue(walk, node),
    visit: (node) => visit(walk, node),
  }
  return walk
}

/** Runs `inside` in a new scope of the same function. `end`: of a block of statements in braces. */
export function inBlock(walk: Walk, inside: () => void, end?: number): void {
  const outer = walk.scope
  walk.scope = { parent: outer, function: walk.function, holdsVar: false, names: undefined, ...(end !== undefined && { end }) }
  inside()
  walk.scope = outer
}

/** The binding of a name in the scope that its kind belongs to; a name that is declared twice is one binding. */
export function declare(walk: Walk, name: string, kind: BindingKind, span: Span): BindingBuilder {
  let scope = walk.scope
  if (kind === 'var') while (!scope.holdsVar && scope.parent !== undefined) scope = scope.parent
  scope.names ??= new Map()
  const known = scope.names.get(name)
  if (known !== undefined) return known
  const binding: BindingBuilder = {
    start: span.start,
    end: span.end,
    name,
    kind,
    function: scope.function,
    definitions: [],
    additions: [],
    isCaptured: false,
    module: undefined,
  }
  scope.names.set(name, binding)
  walk.bindings.push(binding)
  return binding
}

/** Ties references and assignments to their bindings; gives the names that stay global. */
export function resolveNames(walk: Walk): Set<string> {
  const globals = new Set<string>()
  declareImplied(walk)
  for (const { value, scope } of walk.references) {
    const binding = lookUp(scope, value.name)
    if (binding === undefined) globals.add(value.name)
    else {
      value.binding = binding
      if (binding.function !== scope.function) binding.isCaptured = true
    }
  }
  const written = new Set<BindingBuilder>()
  for (const { name, scope, definition } of walk.writes) {
    const binding = lookUp(scope, name)
    if (binding === undefined) {
      globals.add(name)
      if (name === 'location') addPageAddress(walk, definition)
      continue
    }
    const isPlain = definition.operator === '=' && scope.names?.get(name) === binding
    const replacing = isPlain ? Infinity : definition.operator === '=' ? scope.end : undefined
    const own: Definition = replacing === undefined ? definition : { replacesUntil: replacing, ...definition }
    binding.definitions.push(own)
    if (definition.operator === '=') walk.branchWrites.push({ binding, scope, definition: own })
    written.add(binding)
    if (binding.function !== scope.function) binding.isCaptured = true
  }
  for (const binding of written) binding.definitions.sort((one, other) => one.start - other.start)
  return globals
}

/** What assigning to a name changes for the platform, or for another module: properties of `window`, and of modules of Node.js. */
const OF_PLATFORM =
  /^(?:on[a-z]+|location|name|status|opener|parent|top|self|window|document|event|origin|history|frames|length|closed|module|exports|require|global|globalThis|process|console|sap|jQuery|\$)$/

/** `socket = new WebSocket(…)` that nobody declares makes a name of the whole script. Fact: ECMAScript 2025, PutValue, step 2, outside of strict mode. */
function declareImplied(walk: Walk): void {
  for (const { name, scope, definition } of walk.writes)
    if (definition.operator === '=' && lookUp(scope, name) === undefined && !OF_PLATFORM.test(name))
      declare(walk, name, 'var', definition)
}

/** `location = address` is `window.location = address`. */
function addPageAddress({ assignments }: Walk, { start, end, operator, value, function: within }: Definition): void {
  if (value === undefined) return
  const object: ReferenceValue = { kind: 'reference', start, end: start, name: 'window', binding: undefined }
  const target = { kind: 'member', start, end: start, object, name: 'location', property: undefined, isOptional: false } as const
  assignments.push({ start, end, target, operator, value, function: within })
}

function lookUp(from: Scope, name: string): BindingBuilder | undefined {
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
    const binding = scope.names?.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}

/** The span of a node: parsed nodes always have one. */
export function spanOf(node: Node): Span {
  return { start: node.start ?? 0, end: node.end ?? 0 }
}

function isIterator(key: Node): boolean {
  if (key.type !== 'MemberExpression' || key.object.type !== 'Identifier' || key.object.name !== 'Symbol') return false
  return key.property.type === 'Identifier' && /^(?:iterator|asyncIterator)$/.test(key.property.name)
}

/** The name of a key that is written out: `a`, `'a'`, `1`, `#a`; undefined if it is computed. */
export function keyOf(key: Node, computed: boolean): string | undefined {
  if (key.type === 'StringLiteral') return key.value
  if (computed) return isIterator(key) ? ITERATOR_KEY : undefined
  if (key.type === 'Identifier') return key.name
  if (key.type === 'NumericLiteral') return String(key.value)
  if (key.type === 'PrivateName') return `#${key.id.name}`
  return undefined
}
