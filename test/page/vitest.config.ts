import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../longest-first.ts'

/** The page in a real Chromium, which is the system's (`apt-get install chromium`). `npm run build` comes before. */
export default defineConfig({
  test: {
    include: ['test/page/**/*.test.ts'],
    // kept in node_modules: the next run, of whatever configuration, transforms what has changed
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    // a worker imports the scanner once
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
  },
})
