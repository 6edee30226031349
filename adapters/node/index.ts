/** `parapet/node`: what a host on Node adds to `createScannerApp`: scans in worker threads, directories, reports that outlive the process. */
export { createWorkerPool, type PoolOptions, type WorkerPool } from './worker-pool.ts'
export { createDirectoryPolicy } from './directory-policy.ts'
export { createDurableStorage } from './durable-storage.ts'
export { toNodeHandler } from 'h3/node'
export { openStorage } from './open-storage.ts'
export { createLog } from './log.ts'
export { readSettings, SettingsFault, type Settings } from './settings.ts'
export { startServer, type RunningServer } from './server.ts'
