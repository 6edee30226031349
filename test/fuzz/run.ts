/**
 * Throws chance at whatever meets hostile input (`npm run fuzz [target ...]`). Each target has FUZZ_SECONDS (10); FUZZ_SEED (1) is its first seed, each
 * round the next one, so that a failure is repeated with `FUZZ_SEED=<seed> FUZZ_ROUNDS=1 npm run fuzz <target>`. Exits with 1 where anything failed.
 */
import { createChance } from '../hostile/mutate.ts'
import { leakTarget } from './leaks.ts'
import { multipartTarget } from './multipart.ts'
import { pumpTarget } from './pump/target.ts'
import { createTargets, type FuzzTarget } from './targets.ts'

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
const SECONDS = setting('FUZZ_SECONDS', 10)
const FIRST_SEED = setting('FUZZ_SEED', 1)
const ROUNDS = setting('FUZZ_ROUNDS', Infinity)
/** Nobody's fault but a reader's that is not linear: inputs have 200 kB at most. */
const SLOW_MS = 10_000
const MAX_FAILURES = 5

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function fuzz(target: FuzzTarget): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let failures = 0
  let round = 0
  let slowest = 0
  const { rounds = 0, each = '' } = target
  while (round < ROUNDS && (performance.now() < end || round < rounds) && failures < MAX_FAILURES) {
    const seed = FIRST_SEED + round
    const started = performance.now()
    try {
      await target.run(createChance(seed), round)
    } catch (error) {
      failures++
      print(`${target.name}: seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
    round++
    const took = performance.now() - started
    slowest = Math.max(slowest, took)
    if (took > SLOW_MS && rounds === 0) {
      failures++
      print(`${target.name}: seed ${seed}: ${Math.round(took)} ms`)
    }
  }
  print(
    `${target.name.padEnd(10)} ${String(round).padStart(9)} rounds${each}, slowest ${Math.round(slowest)} ms, ${failures} failures`,
  )
  return failures
}

const wanted = process.argv.slice(2)
const targets = [multipartTarget, ...(await createTargets()), leakTarget, pumpTarget].filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
)
if (targets.length === 0) throw new Error(`no target of these names: ${wanted.join(' ')}`)
let failures = 0
for (const target of targets) failures += await fuzz(target)
process.exitCode = failures > 0 ? 1 : 0
