import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { toAscii } from '../../adapters/scripts/node-bundle.ts'
import { measureClasses } from './classes.ts'
import { measureCold } from './cold.ts'
import { buildCorpora, CACHE, type Corpus } from './corpus.ts'
import { measureFirstUpload, type FirstUpload } from './first-upload.ts'
import { measureHealth, type Health } from './health.ts'
import { measureHostile } from './hostile.ts'
import { measureLock } from './lock.ts'
import { measurePools } from './pool.ts'
import { measureThreads, PROCESSORS } from './threads.ts'
import { measureWatch } from './watch.ts'

/**
 * Runs the floor and the scanner alternately, each in a fresh process, and compares pair by pair: `npm run bench`. Ratios gate (with 15 % for a
 * noisy machine), absolute figures are only told.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const NOISE = 1.15
/** MB beyond the floor; a large project keeps what its models, extracts and flows need. */
const MEMORY: Readonly<Record<Corpus['name'], number>> = { S: 100, M: 100, L: 250 }
/** Of programs whose compiled code is kept, as the command line's is: without it, a third of S is the compilation of its own code. */
const CPU: Readonly<Record<Corpus['name'], number>> = { S: 2.3, M: 2.1, L: 2.2 }
const ALL_RULES = 0.9
const HOSTILE_MEMORY = 250
const LOCK = 5
/** Of the floor's CPU, for the search for credentials alone; S is too small to be measured. */
const SECRETS: Readonly<Partial<Record<Corpus['name'], number>>> = { M: 0.15, L: 0.15 }
/** MB in a second, of a warm process; told. */
const SECRETS_AIM = 120
/** A cold scan of a small project, in CPU of a Node.js that does nothing; 11 to 15 before compiled code was kept. */
const COLD = 12
/** The first upload to a service that has listened for a while, in time of the second. */
const FIRST_UPLOAD = 2
/** Two threads in shares of one: L gains, S does without. */
const THREADS: Readonly<Record<'L' | 'S', { readonly wall: number; readonly cpu: number }>> = {
  L: { wall: 0.6, cpu: 1.1 },
  S: { wall: 1, cpu: 1 },
}
/** A scan in a process of its own, as the service runs them, in time of one in a thread. */
const PROCESS: Readonly<Record<'L' | 'S', number>> = { L: 1.03, S: 1.1 }
/** A saved change in a watched folder, in time of its first report; told: the aim in milliseconds, on a quiet machine. */
const CHANGE = 0.15
const CHANGE_AIM = 200

interface Run {
  readonly cpu: { readonly user: number; readonly system: number }
  readonly rss: number
  readonly findings?: number
}

/** As `cjs` with all its packages, so that V8's compiled code can be kept of it. */
function bundle(name: string, format: 'esm' | 'cjs' = 'esm'): string {
  const out = join(CACHE, `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const entry = new URL(`./${name}.ts`, import.meta.url).pathname
  const { outputFiles } = buildSync({
    write: false,
    entryPoints: [entry],
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    outfile: out,
    ...(format === 'esm'
      ? { packages: 'external' }
      : { define: { 'import.meta.url': 'PARAPET_URL' }, mainFields: ['module', 'main'] }),
    // as the edge bundle is: the source itself lies in memory, and nobody deploys its comments
    minify: true,
  })
  for (const { path, text } of outputFiles) writeFileSync(path, toAscii(text))
  return out
}

function runOnce(script: string, zip: string, ...how: readonly 'untuned'[]): Run {
  return JSON.parse(execFileSync(process.execPath, [script, zip, ...how], { encoding: 'utf8', maxBuffer: 1 << 26 }))
}

/** As the command line is installed: what V8 compiled is kept, of the floor, too. */
function runKept(program: string, zip: string, ...how: readonly 'tuned'[]): Run {
  return JSON.parse(execFileSync(process.execPath, [kept, program, zip, ...how], { encoding: 'utf8', maxBuffer: 1 << 26 }))
}

interface Stage {
  readonly bytes: number
  readonly first: number
  readonly best: number
}

/** The search for credentials in a fresh process, beside the floor of the same round. */
function tellSecrets(name: Corpus['name'], zip: string, floors: readonly Run[]): string {
  const run = (...how: readonly 'untuned'[]): Stage =>
    JSON.parse(execFileSync(process.execPath, [secretsStage, zip, ...how], { encoding: 'utf8' }))
  const stages = floors.map(() => run())
  const untuned = floors.map(() => run('untuned'))
  const ratioOf = (of: readonly Stage[]): number =>
    median(of.map(({ first }, round) => first / seconds(floors[round] ?? { cpu: { user: 0, system: 0 }, rss: 0 })))
  const ratio = ratioOf(stages)
  const speed = (of: readonly Stage[], pick: (stage: Stage) => number): string =>
    median(of.map((stage) => stage.bytes / 1e6 / pick(stage))).toFixed(0)
  const limit = SECRETS[name]
  const judged = limit === undefined ? ratio.toFixed(2) : judge(`${name} secrets ratio`, ratio, limit * NOISE)
  return `   secrets ${judged}x the floor (${limit === undefined ? 'told' : `limit ${limit}`})   told: ${speed(untuned, ({ best }) => best)} MB/s warm (aim ${SECRETS_AIM}), ${speed(stages, ({ first }) => first)} MB/s at first; where the engine isn't tuned ${ratioOf(untuned).toFixed(2)}x\n`
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const seconds = ({ cpu }: Run): number => (cpu.user + cpu.system) / 1e6
const megabytes = ({ rss }: Run): number => rss / 1024
const faults: string[] = []
const judge = (what: string, value: number, limit: number): string => {
  if (value > limit) faults.push(`${what}: ${value.toFixed(2)}, limit ${limit.toFixed(2)}`)
  return value.toFixed(2)
}

const corpora = buildCorpora()
const [scanOnce, secretsStage, kept] = [bundle('scan-once'), bundle('secrets-stage'), bundle('kept')]
const [floor, scanKept] = [bundle('floor', 'cjs'), bundle('scan-once', 'cjs')]
// compiled code is kept by the first run
const [small = ''] = corpora.values()
runKept(floor, small)
runKept(scanKept, small, 'tuned')
for (const [name, zip] of corpora) {
  const { files, bytes, all } = measureClasses(zip)
  const share = all / bytes
  if (share < ALL_RULES) faults.push(`${name}: only ${(share * 100).toFixed(1)} % of the bytes are of the class "all rules"`)
  const rounds = Array.from({ length: ROUNDS }, () => ({ floor: runKept(floor, zip), scan: runKept(scanKept, zip, 'tuned') }))
  const ratio = median(rounds.map((round) => seconds(round.scan) / seconds(round.floor)))
  const memory = median(rounds.map((round) => megabytes(round.scan))) - median(rounds.map((round) => megabytes(round.floor)))
  const fresh = seconds(runOnce(scanOnce, zip))
  // as in a host of somebody else's, and on the edge
  const untuned = seconds(runOnce(scanOnce, zip, 'untuned'))
  const told = (pick: (run: Run) => number, which: 'floor' | 'scan'): string =>
    median(rounds.map((round) => pick(round[which]))).toFixed(2)
  process.stdout.write(
    `${name}  ${files} files  ${(bytes / 1e6).toFixed(2)} MB  all rules ${(share * 100).toFixed(1)} %\n` +
      `   CPU   ${judge(`${name} CPU ratio`, ratio, CPU[name] * NOISE)}x the floor (limit ${CPU[name]})   told: floor ${told(seconds, 'floor')} s, scan ${told(seconds, 'scan')} s; ${fresh.toFixed(2)} s where no compiled code is kept, ${untuned.toFixed(2)} s where the engine isn't tuned either\n` +
      `   peak  floor + ${judge(`${name} memory above the floor, MB`, memory, MEMORY[name] * NOISE)} MB (limit ${MEMORY[name]})   told: floor ${told(megabytes, 'floor')} MB, scan ${told(megabytes, 'scan')} MB, findings ${rounds[0]?.scan.findings}\n` +
      tellSecrets(
        name,
        zip,
        rounds.map((round) => round.floor),
      ),
  )
}
const cold = measureCold(ROUNDS)
process.stdout.write(
  `cold scan of a small project: ${judge('cold scan', cold.scan / cold.node, COLD * NOISE)}x node -e 0 (limit ${COLD})   told: ${cold.scan.toFixed(2)} s of CPU, node ${cold.node.toFixed(2)} s\n`,
)
for (const name of ['L', 'S'] as const) {
  const { wall, cpu, seconds: alone, areReportsEqual } = measureThreads(corpora.get(name) ?? '', ROUNDS, ['--jobs', '2'])
  const { [name]: most } = THREADS
  // a machine of one processor gains nothing
  const told = PROCESSORS > 1 ? judge(`${name} with two threads, wall`, wall, most.wall * NOISE) : wall.toFixed(2)
  process.stdout.write(
    `${name} with two threads: wall ${told}x of one (limit ${most.wall}), CPU ${judge(`${name} with two threads, CPU`, cpu, most.cpu * NOISE)}x (limit ${most.cpu})   told: ${alone.toFixed(1)} s with one\n`,
  )
  if (!areReportsEqual) faults.push(`${name}: the reports of one and of two threads differ`)
}
for (const name of ['L', 'S'] as const) {
  const { wall, seconds: alone, memory } = await measurePools(corpora.get(name) ?? '', name === 'L' ? ROUNDS : ROUNDS * 3)
  process.stdout.write(
    `${name} in a process: wall ${judge(`${name} in a process, wall`, wall, PROCESS[name] * NOISE)}x of a thread (limit ${PROCESS[name]})   told: ${alone.toFixed(2)} s in a thread, the process holds ${memory.toFixed(0)} MB\n`,
  )
}
for (const name of ['M', 'L'] as const) {
  const { first, change, change95, cpu } = await measureWatch(name)
  process.stdout.write(
    `watch ${name}: a saved change ${judge(`watch ${name}`, change / first, CHANGE * NOISE)}x the first report (limit ${CHANGE})   told: ${change.toFixed(0)} ms (95 %: ${change95.toFixed(0)}; aim for M ${CHANGE_AIM}), CPU ${cpu.toFixed(0)} ms; first report ${first.toFixed(0)} ms with one thread\n`,
  )
}
const uploads: FirstUpload[] = []
for (let round = 0; round < ROUNDS; round++) uploads.push(await measureFirstUpload())
process.stdout.write(
  `first upload to a service: ${judge(
    'first upload',
    median(uploads.map(({ first, second }) => first / second)),
    FIRST_UPLOAD * NOISE,
  )}x the second (limit ${FIRST_UPLOAD})   told: ${median(uploads.map(({ first }) => first)).toFixed(0)} and ${median(uploads.map(({ second }) => second)).toFixed(0)} ms\n`,
)
const healths: Health[] = []
for (let round = 0; round < 3; round++) healths.push(await measureHealth(corpora.get('L') ?? ''))
process.stdout.write(
  `health during an L scan: p99 ${healths.map(({ p99 }) => p99.toFixed(1)).join(', ')} ms, max ${healths.map(({ max }) => max.toFixed(1)).join(', ')} ms ` +
    `of ${healths[0]?.requests} requests (aim: p99 of 15 ms; told); scan ${healths[0]?.seconds.toFixed(1)} s\n`,
)
const hostile = await measureHostile()
if (hostile.faults.length > 0) faults.push(`hostile inputs without a coded answer: ${hostile.faults.join(', ')}`)
process.stdout.write(
  `hostile: ${hostile.answered} inputs answered, peak base + upload + ${judge('hostile memory beyond base and upload, MB', hostile.memory, HOSTILE_MEMORY)} MB (limit ${HOSTILE_MEMORY}); ` +
    `slowest ${hostile.slowest.name}, ${hostile.slowest.seconds.toFixed(1)} s (told); ` +
    `health p99 at worst ${hostile.health.p99.toFixed(1)} ms, at ${hostile.health.name} (told)\n`,
)
const lock = measureLock()
process.stdout.write(
  `lock file of ${lock.packages} packages, ${lock.kilobytes.toFixed(0)} kB: ${judge('lock file ratio', lock.ratio, LOCK * NOISE)}x JSON.parse (limit ${LOCK})   ` +
    `told: read ${lock.readMs.toFixed(1)} ms, JSON.parse ${lock.parseMs.toFixed(1)} ms\n`,
)
if (faults.length > 0) {
  process.stdout.write(`FAILED\n${faults.map((fault) => `  ${fault}\n`).join('')}`)
  process.exitCode = 1
} else process.stdout.write('all ratios hold\n')
