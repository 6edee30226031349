/** The second door: what a platform's adapter needs to run scans by its own means (threads, directories). */
export { createMatchingPort } from './advisories/match.ts'
export { createEngine, type Engine } from './engine.ts'
export { openSource } from './runner.ts'
export { scan } from './scan.ts'
export { FACT_FIELDS } from './stored-scans.ts'
export { createKeepingReader, holdsCredentials, type KeptPlace, type ResultKeep } from './phases/kept-results.ts'
export type { FileReader, KeptResult } from './phases/read-file.ts'
export {
  readHanded,
  type FileAnswer,
  type HandedBatch,
  type ReadingThread,
  type ReadingThreads,
  type SharedContext,
} from './phases/reading-threads.ts'
export type { FileResult } from './files.ts'
export { BINARY_SAMPLE, decodeText } from './project/decode.ts'
export { classifyPath, isLeftOutFolder, isUnreadFolder } from './project/kinds.ts'
export { describeFault } from './log.ts'
export { createFindingCollector, type FindingCollector } from './report/collect-findings.ts'
export type { Finding, Interruption, LeftOut, Notice, ProjectSource, SourceEntry } from './types.ts'
