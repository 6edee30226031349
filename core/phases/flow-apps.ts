import type { FileFlow, LinkedFile, Realm } from '../flow/index.ts'

/** What data flows through together. */
export interface FlowApp {
  readonly root: string
  readonly files: readonly LinkedFile[]
  /** Whether what nobody in this app calls is called by nobody. */
  readonly isHome: (path: string) => boolean
  /** Files of other packages and libraries. */
  readonly imported: readonly string[]
}

/** The files with a graph of one side. */
export function linkedFiles(files: Iterable<{ readonly path: string; readonly flow?: FileFlow }>, realm: Realm): LinkedFile[] {
  return [...files].flatMap(({ path, flow }) => (flow?.realm === realm ? [{ path, flow }] : []))
}
