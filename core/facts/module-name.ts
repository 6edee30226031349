/** A module, or what is taken from it. */
export interface ModuleName {
  readonly source: string
  /** undefined: the module itself or its default export, which are one here. */
  readonly name: string | undefined
}
