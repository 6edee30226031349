/** The door to what scans and lists of rules need, nine tenths of the program: handlers load it late (`loadScanner`), so that a server is there before it. */
export { createEngine, type Engine } from './engine.ts'
export type { FileResult } from './files.ts'
export { rowsOf } from './grade/index.ts'
export { SAP_PACKAGE_NAMES } from './model/npm/index.ts'
export { createKeepingReader, holdsCredentials, withOwnArrays, type KeptPlace, type ResultKeep } from './phases/kept-results.ts'
export type { FileReader, KeptResult } from './phases/read-file.ts'
export {
  readHanded,
  type FileAnswer,
  type HandedBatch,
  type ReadingThread,
  type ReadingThreads,
  type SharedContext,
} from './phases/reading-threads.ts'
export type { Inflater } from './project/inflate.ts'
export { judgeArchive } from './project/open.ts'
export { wordByExample } from './report/example-words.ts'
export { wordGradeRows } from './report/grade-rows.ts'
export { RULES } from './rules/index.ts'
export { createInProcessRunner, openSource, type DirectoryOpener, type InProcessOptions } from './runner.ts'
export { scan } from './scan.ts'
