/** The tree of one .cds file. */
export interface CdsDocument {
  readonly namespace: string
}
