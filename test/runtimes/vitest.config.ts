import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../longest-first.ts'
import { oneCache } from '../one-cache.ts'

/**
 * The package as others get it, on real runtimes and in real hosts. Their binaries are installed by `npm ci --prefix test/runtimes`; where one is
 * missing the run fails.
 */
export default defineConfig({
  plugins: [oneCache()],
  test: {
    // kept in node_modules: the next run, of whatever configuration, transforms what has changed
    experimental: { fsModuleCache: true },
    // an installation from Git that builds takes 270 s beside the tests of the page: a limit only for what hangs
    testTimeout: process.env['SOAK'] === undefined ? 900_000 : 1_200_000,
    // to remove three installations took more than 180 s on a slow disk
    hookTimeout: 900_000,
    maxWorkers: 4,
    // a worker imports the scanner once: loading it anew for each file took a tenth of the processor time
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'runtimes',
          include: ['test/runtimes/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/runtimes/build-package.ts'],
        },
      },
    ],
  },
})
