import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'core/rules/**/*.test.ts'],
    // test/runtimes has a configuration of its own: its binaries are large and not among the project's dependencies
    exclude: ['**/node_modules/**', 'test/runtimes/**', 'test/exports/**'],
    // the long loops run whole in a soak
    testTimeout: process.env['SOAK'] === undefined ? 60_000 : 1_200_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    // all cores: by default one of them is left to the main process, which has little to do
    maxWorkers: '100%',
    // test files share a worker's modules, engines and bundles: they change nothing outside of themselves, in whatever order they run
    isolate: false,
  },
})
