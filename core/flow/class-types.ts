/** A control of the app's own. */
export interface FlowControl {
  /** Full name; of a class without one `OWN_CLASS`: it has that of its module. */
  readonly name: string
  /** What it extends: `module:./Base`, `global:my.app.Base`. */
  readonly parent: string | undefined
  /** The module of its renderer, as it is written. */
  readonly renderer: string | undefined
  /** Properties of a type that holds no markup: numbers, booleans, sizes, enumerations. */
  readonly plain: readonly string[]
  /** Those of them that are addresses: of any scheme, `javascript:` too. */
  readonly addresses: readonly string[]
  /** Those that setters of its own keep in another form than they are given. */
  readonly kept: readonly string[]
}

/** A class, by the name that it is exported with: '' for the module itself, `global my.app.Base` for a namespace. */
export interface FlowClass {
  readonly name: string
  /** The class of another file that it extends. */
  readonly parent?: { readonly source: string; readonly name: string }
  /** Objects and classes of other files whose methods it has as well. */
  readonly mixed?: readonly { readonly source: string; readonly name: string }[]
  /** Nodes of the fields of `this`. */
  readonly fields: readonly (readonly [name: string, node: number])[]
  /** Its objects know of each other: by static members, or by what the file keeps beside the class. */
  readonly isShared?: true
}

/** `this.onRoute(x)`. */
export interface FlowHook {
  /** Index of the call. */
  readonly call: number
  /** The names of the class, as among `classes`. */
  readonly classes: readonly string[]
  readonly method: string
}

/** A class, by its exported names, with what the calls of methods of `this` run there. */
export interface FlowVariant {
  readonly classes: readonly string[]
  readonly calls: readonly (readonly [call: number, targets: readonly number[]])[]
}
