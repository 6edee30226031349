export interface Approuter {
  readonly root: string
}
