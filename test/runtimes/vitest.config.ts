import { defineConfig } from 'vitest/config'

/** The bundled edge adapter on real runtimes. Their binaries are installed by `npm ci --prefix test/runtimes`; where one is missing the run fails. */
export default defineConfig({
  test: { include: ['test/runtimes/**/*.test.ts'], exclude: ['**/node_modules/**'], testTimeout: 60_000, hookTimeout: 60_000 },
})
