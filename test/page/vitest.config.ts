import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../longest-first.ts'
import { oneCache } from '../one-cache.ts'

/** The page in a real Chromium, which is the system's (`apt-get install chromium`). `npm run build` comes before. */
export default defineConfig({
  plugins: [oneCache()],
  test: {
    // kept in node_modules: the next run, of whatever configuration, transforms what has changed
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    // a worker imports the scanner once
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [{ extends: true, test: { name: 'page', include: ['test/page/**/*.test.ts'] } }],
  },
})
