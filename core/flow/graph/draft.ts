import type { FilledRows } from '../fields/filled-rows.ts'
import type { SettledFields } from '../fields/settled-fields.ts'
import type { Callback } from '../../facts/callbacks.ts'
import type { Binding, ClassFact, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import type {
  FlowCall,
  FlowClass,
  FlowFunction,
  FlowGate,
  FlowObject,
  FlowPort,
  FlowRoute,
  WrappedExport,
  FlowSink,
  FlowSource,
  Realm,
} from '../types.ts'
import type { AskedValue, FlowRefusal } from '../check-types.ts'
import type { FlowSettings } from '../sources/project-rows.ts'
import type { ScriptChecks } from '../checks/script-checks.ts'
import type { GraphBuilder } from './builder.ts'
import type { Environment } from './environment.ts'
import type { CallablesDraft } from '../calls/callables.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import type { LastWrites } from '../fields/last-writes.ts'
import type { Lineage } from '../calls/lineage.ts'
import type { Owners } from '../calls/owners.ts'
import type { ElementNames } from '../pages/react.ts'
import type { AnsweredChange } from '../sources/own-changes.ts'

/** Nodes of what functions are given. */
export interface ParameterNodes {
  /** The node of a parameter. */
  nodeOf(fact: FunctionFact, index: number): number | undefined
  /** The same as the function itself knows it: of a rest parameter the list. */
  namedNodeOf(fact: FunctionFact, index: number): number | undefined
  /** The node of `arguments` as it is read at an offset. */
  argumentsAt(offset: number): number | undefined
  /** The node of the object whose method a function is, or lies in. */
  selfOf(fact: FunctionFact): number | undefined
}

/** How classes and objects of the file, and those of others, are made from each other. */
export interface ClassRelations {
  /** Classes of the file that extend each other; of servers they are followed as values. */
  readonly lineage: Lineage
  /** Classes that are written as functions; they stand among the others as well. */
  readonly prototypes: ReadonlyMap<FunctionFact, ClassFact>
  /** Methods that the file gives to what jQuery finds. */
  readonly plugins: ReadonlySet<FunctionFact>
  /** The class of another file that one extends. */
  parentOf(owner: object): FlowClass['parent']
  /** The objects whose methods a class has as well. */
  mixedInto(owner: object): readonly Value[]
  /** What a field of `this` is given anywhere in the file. */
  fieldValues(owner: object, name: string): readonly Value[]
}

/** What fields, lists and maps hold where they are read, and what is put into them. */
export interface FieldsDraft {
  /** What a field holds where it is read, as far as the lines above say it. */
  readonly settled: SettledFields
  readonly filledRows: FilledRows
  /** Objects and classes whose fields are those of a value as well: `Object.assign(this, options)`. */
  readonly mergedInto: { readonly owner: object; readonly from: number }[]
  /** By function: nodes of what it puts into objects that it is given, by the position of the parameter. */
  readonly filled: Map<FunctionFact, Map<number, number>>
  /** Values of assignments: what they are put into is connected field by field. */
  readonly assigned: ReadonlySet<Value>
  /** What is put into maps by a key. */
  readonly keyed: ReadonlySet<Value>
  /** Names of lists whose items change their places. */
  readonly shuffled: ReadonlySet<Binding>
}

/** Objects whose methods are called by the values that they are. */
export interface ObjectsDraft {
  readonly all: FlowObject[]
  /** By class or object: what its objects are called for, which is the same for each `this`. */
  readonly byOwner: Map<object, Omit<FlowObject, 'node'>>
  /** What `new` gives of classes of the file. */
  readonly made: { readonly node: number; readonly owner: object }[]
  /** By what is called: the node of the object whose method it is. */
  readonly receivers: Map<Value, number>
}

/** Functions of the file, and where they are called. */
export interface CallingDraft {
  /** Indexes of the functions. */
  readonly functions: ReadonlyMap<FunctionFact, number>
  /** Functions that the file does not write: they come behind those of the file. */
  readonly madeFunctions: FlowFunction[]
  readonly calls: FlowCall[]
  /** Calls of methods of `this`, by their indexes. */
  readonly ownCalls: { readonly call: number; readonly owner: object; readonly method: string }[]
  /** By the body of a promise: the promise. */
  readonly promiseOf: ReadonlyMap<FunctionFact, Value>
}

/** Where data begins and ends in the file. */
export interface EndsDraft {
  readonly sources: FlowSource[]
  readonly sinks: FlowSink[]
  readonly ports: FlowPort[]
  readonly unresolved: number[]
}

/** What conditions prove, and what others of the project are asked about. */
export interface ChecksDraft extends ScriptChecks {
  readonly parts: FunctionParts
  /** Values that others of the project may have checked. */
  readonly asked: AskedValue[]
  /** Values that a function of another file checks before, which may throw: `validateName(name)`. */
  readonly handed: { readonly value: Value; readonly node: number }[]
}

/** What only scripts of servers have. */
export interface ServerDraft {
  /** What can be called, for the whole app. */
  readonly callables: CallablesDraft
  /** By function, the call that it is handed to. */
  readonly callbacks: ReadonlyMap<FunctionFact, Callback>
  readonly refusals: FlowRefusal[]
  readonly routes: FlowRoute[]
  /** Functions that it exports in a wrapper, by their names. */
  readonly wrapped: WrappedExport[]
  /** Where routers are mounted, with what stands in front of them. */
  readonly mounts: (readonly [node: number, front: readonly FlowGate[]])[]
  /** Where an app is protected from: by its name the offset behind the middleware that authenticates. */
  readonly protectedFrom: Map<Binding, number>
  /** Whether an offset lies in a route that an earlier one answers: nothing that is written there runs. */
  readonly isShadowed: (offset: number) => boolean
}

/** What only scripts of pages have. */
export interface PageDraft {
  /** The components that references and events belong to. */
  readonly elements: ElementNames
  /** What is written twice in a row. */
  readonly lastWrites: LastWrites
  /** What is put into names by methods, with a node between. */
  readonly added: Map<Value, number>
  /** The script encodes texts for markup: whoever wrote it has thought of what it shows. */
  readonly encodes: boolean
  /** The change of the page whose answer an object holds. */
  readonly changeBehind: (object: Value) => AnsweredChange | undefined
}

/** What is followed in this script beside requests. */
export interface Followed {
  /** What the project adds to the tables. */
  readonly settings: FlowSettings | undefined
  /** Of a server: credentials of the file, into logs. */
  readonly secrets: boolean
  /** The file may ask a language model. */
  readonly models: boolean
  /** What is handed to functions that nobody knows: it may hold sinks of its own. */
  readonly all: boolean
}

/** The graph of a script while its parts are added. */
export interface FlowDraft {
  readonly path: string
  readonly realm: Realm
  readonly environment: Environment
  readonly text: string
  readonly facts: ScriptFacts
  readonly follows: Followed
  readonly graph: GraphBuilder
  readonly owners: Owners
  readonly parameters: ParameterNodes
  readonly classes: ClassRelations
  readonly objects: ObjectsDraft
  readonly fields: FieldsDraft
  readonly calling: CallingDraft
  readonly ends: EndsDraft
  readonly checks: ChecksDraft
  readonly server: ServerDraft
  readonly page: PageDraft
  readonly step: (count?: number) => void
  /** The node of a value; what leads to it is added later. */
  use(value: Value): number
  /** Keeps what a node looks like in the code, or in other words; `fields`: what a pattern reads of the value. */
  show(node: number, value: Value | string | undefined, fields?: readonly string[]): void
}
