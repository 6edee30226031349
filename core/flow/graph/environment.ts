import type { Assignment, Binding, CallValue, Definition, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import type { OpenCall } from '../calls/browser-targets.ts'
import type { FileFlow, FlowFunction, RouteFunction } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import type { GraphSteps, FlowInput } from './input.ts'

/** Nodes of a call. */
export interface CallNodes {
  readonly result: number
  readonly args: () => readonly number[]
  /** What the function that is called gets: a tag gets the texts first. */
  readonly given: () => readonly number[]
  /** A function of the project may run. */
  readonly runsOwn: boolean
  /** It makes one function of several: none of them runs now. */
  readonly composes: boolean
}

/** A call whose function the file does not have. */
export interface ForeignCall {
  readonly callee: Value
  readonly paths: readonly string[]
  readonly call: CallValue | undefined
  readonly args: readonly Value[]
}

/** What values are in an environment, beside what the language makes of them. */
export interface EnvironmentValues {
  /** What a value is beside its parts: a source, a function or an object that is called where it arrives. */
  addValue(value: Value, to: number, draft: FlowDraft): void
  connectText(value: Value & { readonly kind: 'template' | 'concat' }, to: number, draft: FlowDraft): void
  connectItems(value: Value & { readonly kind: 'array' }, to: number, draft: FlowDraft): void
  /** Sinks and functions in the fields of an object. */
  addFields(value: Value & { readonly kind: 'object' }, draft: FlowDraft): void
  /** What reading a field begins. */
  addMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): void
  /** What a field of an object of the framework is; true: nothing else leads to it. */
  connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): boolean
  /** A field of an object whose class the file has, by the object. */
  connectOwnField(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): void
  /** A name that another file gives; true: that file tells all of it. */
  addImport(binding: Binding, node: number, draft: FlowDraft): boolean
  addDefinition(definition: Definition, node: number, draft: FlowDraft): void
}

/** What calls do in an environment, beside what the language makes of them. */
export interface EnvironmentCalls {
  /** Access paths of what is called. */
  pathsOf(call: CallValue, draft: FlowDraft): readonly string[]
  /** What a call takes out of a list, map or object, at the place where it then lies. Gives whether that is all that comes out. */
  addMoved(call: CallValue, paths: readonly string[], result: number, args: () => readonly number[], draft: FlowDraft): boolean
  /** Names of functions that make one of several here, beside those that do so everywhere. */
  readonly composing: ReadonlySet<string>
  /** What a function of several, which a call makes, gives for what the one before gives. */
  addStep(step: Value, from: number, call: CallValue, draft: FlowDraft): number
  addCall(call: CallValue, paths: readonly string[], nodes: CallNodes, draft: FlowDraft): void
  /** A function of another file, or one that is known by the values that arrive. */
  addForeign(foreign: ForeignCall, open: OpenCall, draft: FlowDraft): void
  /** The object whose method a function of the file is called as. */
  receiverOf(callee: Value, draft: FlowDraft, open: OpenCall, call?: CallValue): number | undefined
  /** `list.map(toRow)`: a function by its name, or one that is not written there. True: it is one, and connected. */
  addNamedCallback(call: CallValue, name: string, result: number, draft: FlowDraft): boolean
  /** Makes a node one that holds a function, by its index. */
  addFunction(node: number, index: number, draft: FlowDraft): void
  /** A method that the language calls: `String(query)` calls `toString`. */
  addImplicitCall(object: Value, name: string, result: number, draft: FlowDraft): void
  /** The rules for which a call makes what it gets harmless. */
  cleanedBy(call: CallValue, paths: readonly string[]): readonly string[] | undefined
  /** The same of a function of the project, by its name beside its body. */
  believedOf(call: CallValue, paths: readonly string[]): readonly string[] | undefined
  /** What calls have to know of the functions of the file. */
  describeFunctions(draft: FlowDraft): (fact: FunctionFact) => Partial<FlowFunction>
}

/**
 * What the environment of a script adds to the language: CAP and the packages of Node.js on a server, UI5 and the DOM in a page. ECMAScript itself is understood
 * once; what asks here is what only one of them has, or what each keeps in another form (lists and maps are read by their items in models, by places in rows).
 */
export interface Environment {
  readonly values: EnvironmentValues
  readonly calls: EnvironmentCalls
  readonly steps: ScriptSteps
}

/** What a script gives to other files, and what only one environment has of a graph. */
export type EnvironmentParts = Pick<FileFlow, 'exports' | 'server' | 'page'>

/** The steps of a graph that the environment of its script takes, in their order. */
export interface ScriptSteps {
  /** Where requests enter. Gives what functions do as answers to routes. */
  addRequests(handlers: readonly HandlerFunction[], draft: FlowDraft): ReadonlyMap<FunctionFact, RouteFunction>
  addCalls(draft: FlowDraft, input: FlowInput, handlers: readonly HandlerFunction[]): void
  addAssignment(assignment: Assignment, draft: FlowDraft): void
  /** What there is beside calls and assignments. Gives the step that ends the graph, when all values are connected. */
  addParts(draft: FlowDraft, part: GraphSteps['part']): () => EnvironmentParts
  /** Whether others may call its functions by their names alone. */
  isCalledByName(facts: ScriptFacts): boolean
}
