import { defineConfig } from 'vitest/config'

/** The page in a real Chromium, which is the system's (`apt-get install chromium`). `npm run build` comes before. One after the other: there is one browser. */
export default defineConfig({
  test: { include: ['test/page/**/*.test.ts'], fileParallelism: false, testTimeout: 180_000, hookTimeout: 60_000 },
})
