export interface CapRoot {
  readonly root: string
}
