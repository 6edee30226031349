import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'core/rules/**/*.test.ts'],
    // test/runtimes has a configuration of its own: its binaries are large and not among the project's dependencies
    exclude: ['**/node_modules/**', 'test/runtimes/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
