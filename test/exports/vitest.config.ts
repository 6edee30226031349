import { defineConfig } from 'vitest/config'
import { oneCache } from '../one-cache.ts'

/** What Parapet writes, read by the tools of others. They are installed by `npm ci --prefix test/exports`; where one is missing the run fails. */
export default defineConfig({
  plugins: [oneCache()],
  test: {
    projects: [
      { extends: true, test: { name: 'exports', include: ['test/exports/**/*.test.ts'], exclude: ['**/node_modules/**'] } },
    ],
    // kept in node_modules: the next run, of whatever configuration, transforms what has changed
    experimental: { fsModuleCache: true },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
