import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest by far, in this order; one of them that starts last keeps a single core busy while the others idle. */
const LONGEST = [
  'test/flow/labelled.test.ts',
  'test/rules/examples.test.ts',
  'test/sketches/sketches.test.ts',
  'test/hostile/content.test.ts',
  'test/cost/cost.test.ts',
  'test/fuzz/pump.test.ts',
  'test/node/abuse.test.ts',
  'test/cli/scan-all.test.ts',
  'test/runners/reading-threads.test.ts',
  'test/cli/commands.test.ts',
  'test/runners/runners.test.ts',
  'test/node/command-line.test.ts',
  'test/node/server.test.ts',
  'test/editor/language-server.test.ts',
  'test/kept-results/reports.test.ts',
  'test/runtimes/queue.test.ts',
  'test/runtimes/delivery.test.ts',
  'test/runtimes/embedding.test.ts',
  'test/runtimes/lifecycle.test.ts',
  'test/runtimes/container.test.ts',
  'test/runtimes/package.test.ts',
  'test/runtimes/queue-load.test.ts',
  'test/runtimes/contract.test.ts',
  'test/runtimes/redis-storage.test.ts',
  'test/page/axe.test.ts',
  'test/page/looks.test.ts',
  'test/page/projects.test.ts',
]

/** Files in the order of Vitest, by their size where nobody knows how long they take, but for those that are known to take long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
