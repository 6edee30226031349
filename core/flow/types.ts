import type { HandledEvent, PayloadType } from '../model/cap/index.ts'
import type { Span } from '../types.ts'
import type { FlowCallables } from './callable-types.ts'
import type { SinkEffect } from './models/effects.ts'
import type { Origin } from './solve/origins.ts'
import type { AskedValue, FlowCheck, FlowRefusal, FlowSchema, TestedPlaces } from './check-types.ts'
import type { FlowClass, FlowControl, FlowHook, FlowVariant } from './class-types.ts'
import type { AnsweringFunction, FlowGate, FlowRoute, RouteFunction, WrappedExport } from './route-types.ts'

export type * from './class-types.ts'
export * from './solve/operations.ts'
export type * from './callable-types.ts'
export type * from './solve/origins.ts'
export type * from './route-types.ts'

/** The data flow of one file: a graph of values as plain data. Nodes are numbers; lists of numbers hold records of a fixed width. */
export interface FileFlow {
  /** Where the script runs; of a view: in the browser. */
  readonly realm: Realm
  /** Two numbers a node: start and end in the text. */
  readonly nodes: Int32Array
  /** Four numbers an edge: from, to, operation (`Operation`), and what that needs: a name, or a set of faults. */
  readonly edges: Int32Array
  /** Names of fields. */
  readonly names: readonly string[]
  readonly functions: readonly FlowFunction[]
  readonly calls: readonly FlowCall[]
  readonly sources: readonly FlowSource[]
  readonly sinks: readonly FlowSink[]
  readonly ports: readonly FlowPort[]
  /** Nodes of values that nothing in the file tells: what a function that is not there gives, names that nobody declares. */
  readonly unresolved: readonly number[]
  /** What may be called where it arrives. */
  readonly objects?: readonly FlowObject[]
  readonly exports: FlowExports
  /** Values that others of the project may have checked. */
  readonly asked?: readonly AskedValue[]
  /** Of a script that runs on a server. */
  readonly server?: ServerFlow
  /** Of a script that runs in a page. */
  readonly page?: PageFlow
  /** What is shown of a node, as it is written; of those that begin a path. */
  readonly shown: ReadonlyMap<number, string>
}

/** What other files get of a file, by name. */
export interface FlowExports {
  /** `default`, `run`, `default.run`, `Helper#run`. */
  readonly functions: readonly (readonly [name: string, target: number])[]
  /** What is passed on from other modules, by the name that it has here; `*` for all of a module. */
  readonly passedOn?: readonly FlowPassedOn[]
  /** Classes that other files may extend. */
  readonly classes: readonly FlowClass[]
  /** Classes of the file that call other methods of `this` than those which they extend. */
  readonly variants?: readonly FlowVariant[]
  /** Calls of methods of `this`, which classes that extend this one may override. */
  readonly hooks?: readonly FlowHook[]
  readonly schemas?: readonly FlowSchema[]
}

/** What a file or a view without any flow has, in a page. */
export const NO_FLOW: FileFlow = {
  realm: 'browser',
  nodes: new Int32Array(),
  edges: new Int32Array(),
  names: [],
  functions: [],
  calls: [],
  sources: [],
  sinks: [],
  ports: [],
  unresolved: [],
  exports: { functions: [], classes: [] },
  shown: new Map(),
}

/** What only scripts of servers have. */
export interface ServerFlow {
  readonly callables: FlowCallables
  /** What handlers of the phase before refuse. */
  readonly refusals: readonly FlowRefusal[]
  /** Routes that it registers, and routers that it mounts. */
  readonly routes: readonly FlowRoute[]
  /** Functions that it exports in a wrapper, `exports.list = asyncHandler(…)`, by their names. */
  readonly wrapped: readonly WrappedExport[]
  /** Where routers are mounted, with what stands in front of them. */
  readonly mounts: readonly (readonly [node: number, front: readonly FlowGate[]])[]
}

/** What only scripts of pages have. */
export interface PageFlow {
  /** What a method puts into the object that it is called on, as lists do; not where a method of the app is called. */
  readonly additions: readonly (readonly [node: number, result: number])[]
  /** Models to which views do not write back, as the script says. */
  readonly oneWay: readonly string[]
  /** Models that its controller sets on its view before that is shown. */
  readonly first: readonly string[]
  /** Controls that the file defines. */
  readonly controls: readonly FlowControl[]
  readonly tested?: readonly TestedPlaces[]
}

/** Files of one realm share modules; nothing flows from one realm to the other. */
export type Realm = 'server' | 'browser'

/** Where a file touches what the code of an app shares by a name: a model, an event, a control. What is put in comes out wherever it is read. */
export interface FlowPort {
  readonly node: number
  readonly access: 'read' | 'write'
  /** What is shared, its kind first: `model settings`, `event app.order`, `control my.app.view.Main#comment`. */
  readonly store: string
  /** Fields below it, outermost first; `*` where they are not known. */
  readonly path: readonly string[]
  /** Of what is kept in the browser: it is a constant, or no text. */
  readonly isFixed?: true
  /** It is a model that is set here, by a controller on its own view or by others. */
  readonly set?: 'own-view' | 'elsewhere'
}

/** Stands for the name of a class that its module gives. */
export const OWN_CLASS = '@class'
/** Stands for the control that the renderer in a file of its own belongs to. */
export const OWN_RENDERER = '@renderer'

/** Begins the name of a property as it is given to the setter that keeps it in another form. */
export const SETTING = 'set '
/** Begins the store of what such a setter keeps, for the control by its name and those that it derives from. */
export const KEPT = 'kept '

export interface FlowFunction {
  /** `Class.method`, or what it is assigned to. */
  readonly name: string
  readonly parameters: readonly number[]
  /** The parameter that gets all further arguments. */
  readonly rest?: number
  /** The node of what it returns. */
  readonly result: number
  /** What it puts into objects that it is given: position of the parameter, node. */
  readonly filled?: readonly (readonly [parameter: number, node: number])[]
  readonly checks?: readonly FlowCheck[]
  /** It gives functions that know what it was called with, or runs those that it is given: each call makes its own. */
  readonly isMaker?: true
  /** Its copies are called instead. */
  readonly isCopied?: true
  /** What parameters are where a call leaves them out. */
  readonly defaults?: readonly (readonly [parameter: number, node: number])[]
  /** A router that it makes and gives back: what its callers do with the result is done with it. */
  readonly router?: number
  /** Of one that may answer requests. */
  readonly route?: RouteFunction
  /** Of a method: its object, with what the method puts into it. */
  readonly self?: number
  /** It reads or writes what its first parameter names, and does nothing else. */
  readonly keyed?: FlowKeyed
  readonly start: number
  readonly end: number
}

export interface FlowKeyed {
  /** The object, or the node of what is put into it. */
  readonly object: number
  /** The key is a path of a model. */
  readonly isPath: boolean
  /** The position of what is written; it reads otherwise. */
  readonly value?: number
  /** Parameters that it gives back instead. */
  readonly passed?: readonly number[]
}

/** A call of a function of the project. */
export interface FlowCall {
  readonly result: number
  /** The first argument, where that is a constant text. */
  readonly key?: string
  /** The object whose method it is. */
  readonly receiver?: number
  readonly args: readonly number[]
  /** By the position of an argument that is an object: the node of what is put into it. */
  readonly filled?: readonly (readonly [argument: number, node: number])[]
  /** Functions of this file. */
  readonly targets: readonly number[]
  /** `super.run(x)`: what the class above has, whatever others have instead. */
  readonly isSuper?: true
  /** A function of another file: the module as it is written, and what of it is called; `made`: the node of the object whose method or constructor it is. */
  readonly module?: { readonly source: string; readonly name: string; readonly made?: number }
  /** Where nothing of that says what is called: what a value holds, or a method of it. `via`: the parameter that it is. */
  readonly dispatch?: { readonly node: number; readonly name: string; readonly via?: number }
}

/** An export of another module under a name of this one. */
export interface FlowPassedOn {
  /** '' for the module itself, `*` for all names. */
  readonly name: string
  readonly source: string
  /** '' for the module itself, `*` for all that it exports. */
  readonly imported: string
}

/** A function or an object with methods, where it is made: it may be called wherever it arrives. */
export interface FlowObject {
  readonly node: number
  /** Functions of this file by the names of methods; '' is the function itself. */
  readonly methods: readonly (readonly [name: string, target: number])[]
  /** The class of another file that it is made from or that its own class extends; `Base#run` a method of that. */
  readonly parent?: { readonly source: string; readonly name: string }
  /** Made by `new`: fields of its class are read from it and written to it. */
  readonly isMade?: true
  /** Made by `new` of a class of this file that no other one extends: where that is written. */
  readonly of?: Span
}

/** Where data begins that somebody else may choose. */
export interface FlowSource {
  readonly node: number
  readonly origin: Origin
  /** Known by nothing but a name. */
  readonly weak: boolean
  /** Rules for which it is harmless from the beginning. */
  readonly cleaned?: readonly string[]
  /** Of a function that names uploads: the functions that answer the routes which store them. */
  readonly usedBy?: readonly Span[]
  /** Of the request of a handler: what it handles, as the script says. */
  readonly handled?: Omit<HandledEvent, 'file'>
  /** Of a handler that runs when those of the phase before have run. */
  readonly isBehind?: true
  /** The id of the control that is asked, or the handler whose event is: which control that is, views tell; or its type. */
  readonly askedControl?: { readonly control: string } | { readonly handler: string } | { readonly type: string }
  /** Of the request of a handler: fields of its data that are checked before; known when files are joined. */
  readonly checked?: readonly string[]
  /** Of rows: the last part of the entity's name. They count where clients write them. */
  readonly entity?: string
  /** Of rows: users write them without a role for it, as the model says; known when files are joined. */
  readonly isOfUsers?: true
  /** Of a message: where its listener is registered, which looks at no sender. */
  readonly listener?: Span
  /** Of what is kept in the browser: the store. It counts where others than the app's constants may be in it. */
  readonly kept?: string
  /** Of an answer: the service that was asked. It counts where the project does not define it. */
  readonly asked?: string
  /** What the CDS model says of the data in it; known when files are joined. */
  readonly payload?: RequestTypes
}

/** What the CDS model says of the data of a request. */
export interface RequestTypes {
  readonly data: PayloadType | undefined
  readonly params: PayloadType | undefined
}

/** Where it must not arrive as it is. */
export interface FlowSink {
  readonly node: number
  /** The id of the rule that reports it. */
  readonly fault: string
  /** As a developer calls it: `fs.readFile`. */
  readonly name: string
  /** What the code around it says: see `SinkDetail`. */
  readonly detail?: SinkDetail
  /** Reported only where this happened on the way: a text was put together, a log kept it, tags were put around it, it became nodes of a page. */
  readonly needs?: 'concatenated' | 'whole' | 'logged' | 'tagged' | 'parsed'
  /** Not where the same data goes on through it to another sink of the fault. */
  readonly isPassedOn?: true
  /** Reported, lower, of values whose origin nobody can tell as well. */
  readonly ofUnknown?: true
  /** Known by its name alone. */
  readonly isGuess?: true
  /** What the code around it does not tell by its name alone. */
  readonly api?: SinkApi
  /** The function around hands it on for others of this file, which are sinks of their own: only what comes from elsewhere counts. */
  readonly isForwarded?: true
  /** A function of the file runs what is put together here. */
  readonly runsAt?: Span
  /** It counts only where the whole app says so. */
  readonly only?: SinkConditions
  /** Reported, as of unknown origin, also where only an unresolved value reaches it. */
  readonly isOpen?: true
  /** What must not arrive, where it is no data of clients. */
  readonly of?: 'claims' | 'privileged' | 'error' | 'secret' | 'statement' | 'personal' | 'credential' | 'open-app' | 'reply'
  /** Of a route: the functions that its gates turned out to be. */
  readonly answeredBy?: readonly AnsweringFunction[]
  /** The id of the control that gets it: the view may say more of that. */
  readonly control?: string
  /** Where the call ends of which several values are sinks: calls of one chain begin at one place. */
  readonly call?: number
  /** What lies in a field of it counts as well. */
  readonly isDeep?: true
  readonly start: number
  readonly end: number
}

/** What is known of a sink when files are joined and solved. */
export interface SinkConditions {
  /** The receiver has to be one of this kind. */
  readonly receiver?: { readonly node: number; readonly origin: Origin }
  /** One object of the class, by its index among the callables, has to serve all requests. */
  readonly ofClass?: number
  /** The value that is called has to turn out to be one of these, which another file or a field tells. */
  readonly whenCalled?: { readonly called: number; readonly paths: readonly string[] }
  /** The result of a call by which nothing in the project may be called. */
  readonly unlessCalled?: number
  /** Of a route: the functions that answer it, none of which may ask who calls. */
  readonly gates?: readonly FlowGate[]
  /** Of a route: what takes its uploads, wherever the file makes that: `multer({ dest })`. */
  readonly uploads?: readonly Span[]
}

/** What a sink is, whatever it is called in the code. */
export interface SinkApi {
  /** As its package names it, where the code has another name for it: `fs.unlinkSync`. */
  readonly name?: string
  /** What it is about, by itself: the entity of a query, the path of a route. */
  readonly subject?: string
  /** What this call does beside what its name says. */
  readonly effects?: readonly SinkEffect[]
}

/**
 * `begin`: the text begins with it (an address whose host it decides) · `later`: something else stands before it · `fixed-host`, `fixed-path`: what stands before is a
 * constant host or path, `query`: and a question mark, `filter`: between the quotes of a filter, `trusted`: a host is fixed, and the request carries a token of the application · `destination`: the name of a destination · `sql`, `columns`: what the text is, if it is no CQL · `whole`: a query as it came · `queued`, `spawned`: how it is run later, `write`: a row that is written with all rights, `stored`: any row ·
 * `harmless`: a route that only reads, as far as can be seen nothing · `verdict`, `counts`: one that says whether there is a row, or how many · `server-fault`: an answer with a status of 500 and more · `reads`, `changes`: one that reads or changes what only the app may, `forwards`: one that asks another system for what that gives to others as well, `environment`, `internals`: one that tells the environment or figures of its process, `token`, `database`: one that hands out a token of the application, or the file of its database · `foreign`: no logger of CAP ·
 * `style`: a value of a style sheet · `markup`: tags stand around it · `html`, `plain`: the content type that the response was given, `mail`: the markup of a mail · `type`: that type itself · `deleted`: an object that loses a property · `sanitized`: what shows it
 * removes what is dangerous · `js-yaml`, `lodash`, `lodash.merge`, `lodash.defaultsdeep`, `deepmerge`: the version of that package decides · `collection`: kept in a map · `kept`: in a form that a spreadsheet imports later · `sandboxed`: an expression of another language · `template`: the text of one · `entities`: XML whose entities are expanded · `binary`: a form that runs no code · `routed`: in the handler of a route.
 */
export type SinkDetail =
  | 'entrance'
  | 'verdict'
  | 'counts'
  | 'returned-text'
  | 'server-fault'
  | 'begin'
  | 'later'
  | 'fixed-host'
  | 'fixed-path'
  | 'filter'
  | 'batch'
  | 'changeset'
  | 'query'
  | 'destination'
  | 'service'
  | 'style'
  | 'markup'
  | 'html'
  | 'mail'
  | 'rendered'
  | 'plain'
  | 'untyped'
  | 'type'
  | 'shown-type'
  | 'deleted'
  | 'sql'
  | 'columns'
  | 'js-yaml'
  | 'lodash'
  | 'lodash.merge'
  | 'lodash.defaultsdeep'
  | 'deepmerge'
  | 'whole'
  | 'condition'
  | 'tokens'
  | 'sanitized'
  | 'queued'
  | 'spawned'
  | 'stored'
  | 'collection'
  | 'credential'
  | 'kept'
  | 'file-server'
  | 'in-text'
  // the same, and the value itself is: an object says nothing there
  | 'as-text'
  | 'sandboxed'
  | 'template'
  | 'entities'
  | 'binary'
  | 'routed'
  | 'harmless'
  | 'returned'
  | 'reads'
  | 'backend'
  | 'changes'
  | 'forwards'
  | 'environment'
  | 'database'
  | 'internals'
  | 'token'
  | 'trusted'
  | 'foreign'
