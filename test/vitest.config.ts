import { defineConfig } from 'vitest/config'
import { LongestFirst } from './longest-first.ts'
import { oneCache } from './one-cache.ts'

/** Test files that put their own in the place of modules: they get modules for themselves. */
const ISOLATED = [
  'test/api/failed-load.test.ts',
  'test/node/many-reports.test.ts',
  'test/node/storage-faults.test.ts',
  'test/node/swapped-folder.test.ts',
]
/** Tests that start the service, the command line, a pool or an editor's server: they wait for processes more than they compute. */
const PROCESSES = ['cli', 'editor', 'kept-results', 'node', 'runners'].map((folder) => `test/${folder}/**/*.test.ts`)
// these have configurations of their own: they need binaries that are not among the project's dependencies
const EXCLUDED = ['**/node_modules/**', 'test/runtimes/**', 'test/exports/**', 'test/page/**']

export default defineConfig({
  plugins: [oneCache()],
  test: {
    // the long loops run whole in a soak
    testTimeout: process.env['SOAK'] === undefined ? 180_000 : 1_200_000,
    // bundles are made there, beside all that runs in that stage
    hookTimeout: 600_000,
    // kept in node_modules: the next run, of whatever configuration, transforms what has changed
    experimental: { fsModuleCache: true },
    setupFiles: ['test/tune.ts'],
    reporters: ['default'],
    // with `-t`, one failure would list the thousands of tests that were skipped
    hideSkippedTests: true,
    // all cores: by default one of them is left to the main process, which has little to do
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts', 'core/rules/**/*.test.ts'],
          exclude: [...EXCLUDED, ...PROCESSES, ...ISOLATED],
          // they share a worker's modules, engines and bundles: they change nothing outside of themselves, in whatever order they run
          isolate: false,
        },
      },
      { extends: true, test: { name: 'processes', include: PROCESSES, exclude: [...EXCLUDED, ...ISOLATED], isolate: false } },
      { extends: true, test: { name: 'isolated', include: ISOLATED, exclude: EXCLUDED } },
    ],
  },
})
