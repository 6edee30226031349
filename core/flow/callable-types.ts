import type { FlowCall, FlowSource } from './types.ts'

/** What the values of a server's script are that can be called, and where they are called: followed through the whole app. Numbers are nodes where nothing else is said. */
export interface FlowCallables {
  /** Values that are a function of the file, by its index. */
  readonly functions: readonly (readonly [node: number, index: number])[]
  readonly classes: readonly FlowClassBody[]
  /** Values that are a class, and `this` of one. */
  readonly classNodes: readonly (readonly [node: number, index: number])[]
  readonly selves: readonly (readonly [node: number, index: number])[]
  /** `super` in the methods of a class. */
  readonly supers: readonly (readonly [node: number, index: number])[]
  /** Values that are a package, by its access path. */
  readonly packages: readonly (readonly [node: number, path: string])[]
  readonly calls: readonly FlowOpenCall[]
  /** Fields that are written from outside of a class: the object, the name, what it is given, where that goes into the object. */
  readonly written?: readonly (readonly [node: number, name: string, from: number, put: number])[]
  /** Routers that are read from an object where they are mounted: what the app is, they are. */
  readonly mounted: readonly number[]
  /** `run.bind(null, x)`; `rest` stands for what the function gives. */
  readonly partials: readonly {
    /** The value that is called. */
    readonly called: number
    readonly result: number
    readonly args: readonly number[]
    readonly rest: number
    /** What `this` is from then on. */
    readonly object?: number
  }[]
  readonly failures?: FlowFailures
}

/** The calls whose exceptions may be those of requests, by the nodes of their results. */
export interface FlowFailures {
  /** Calls that send a request. */
  readonly requests: readonly number[]
  /** Calls that are given credentials to send, whether they send a request or not. */
  readonly signed: readonly number[]
  /** Calls to a destination by its name, whose credentials a package adds. */
  readonly named: readonly number[]
  /** Calls whose exceptions leave a function, by its index. */
  readonly leaving: readonly (readonly [index: number, result: number])[]
  /** Calls whose exceptions are caught, by the node of what catches them. */
  readonly caught: readonly (readonly [node: number, result: number])[]
}

export interface FlowClassBody {
  readonly initializer: number | undefined
  /** Functions whose `this` is an object of the class. */
  readonly methods: readonly number[]
  /** Those with decorators: a framework calls them, or the project's own. */
  readonly decorated?: readonly number[]
  readonly parent: number | undefined
  readonly members: readonly {
    readonly name: string
    readonly isStatic: boolean
    readonly node: number
    readonly getter?: number
    readonly setter?: number
  }[]
  readonly fields: readonly (readonly [name: string, node: number])[]
}

/** A call whose function is not written beside it. */
export interface FlowOpenCall {
  /** The value that is called. */
  readonly called: number
  readonly how: 'call' | 'new' | 'super'
  /** It runs when the server starts, and never again. */
  readonly isOnce?: true
  readonly args: readonly number[]
  readonly result: number
  /** The object whose method it is. */
  readonly receiver?: number
  /** `super.run(x)`. */
  readonly isSuper?: true
  /** What `this` is by `run.call(object)`. */
  readonly object?: number
  readonly filled?: FlowCall['filled']
  /** The parameter that is called. */
  readonly via?: number
  /** What a framework fills its parameters with, where it is no call but a registration. */
  readonly handed: readonly { readonly parameter: number; readonly source: Omit<FlowSource, 'node'> }[]
}
