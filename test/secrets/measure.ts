import { createEngine } from '../../core/engine.ts'
import { writeMaterial } from './material/index.ts'
import { describeAlarm, measure, type Outcome } from './material/measure.ts'
import { SECRET_RULES } from './open-credentials.ts'
import { FAMILIES, writeAllPlaces } from './places/index.ts'

// npx tsx test/secrets/measure.ts [seeds] [first]: shares of planted credentials that are found, and of safe twins that are not silent
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const [seeds = '5', first = '1'] = process.argv.slice(2)
const engine = createEngine(SECRET_RULES)

interface Counts {
  values: number
  missed: number
  readonly perSeed: string[]
}
const found = new Map<string, Counts>()
const quiet = new Map<string, { samples: number; alarms: number }>()

function countFound(group: string, outcomes: readonly Outcome[]): void {
  const counts = found.get(group) ?? { values: 0, missed: 0, perSeed: [] }
  found.set(group, counts)
  const values = outcomes.reduce((sum, { sample }) => sum + sample.secrets.length, 0)
  const missed = outcomes.reduce((sum, outcome) => sum + outcome.missed.length, 0)
  counts.values += values
  counts.missed += missed
  counts.perSeed.push(percent(1 - missed / values))
  for (const { sample, missed: lost } of outcomes) if (lost.length > 0) say(`MISSED ${sample.name}`)
  for (const { sample, doubled } of outcomes) if (doubled.length > 0) say(`TWICE  ${sample.name}`)
}

function countQuiet(group: string, outcomes: readonly Outcome[]): void {
  const counts = quiet.get(group) ?? { samples: 0, alarms: 0 }
  quiet.set(group, counts)
  const alarming = outcomes.filter(({ alarms }) => alarms.length > 0)
  counts.samples += outcomes.length
  counts.alarms += alarming.length
  for (const outcome of alarming) say(`ALARM  ${describeAlarm(outcome)}`)
}

function percent(share: number): string {
  return (share * 100).toFixed(2)
}

for (let seed = Number(first); seed < Number(first) + Number(seeds); seed++) {
  const material = writeMaterial(`seed ${seed}`)
  const planted = await measure(material.planted, engine)
  for (const kind of ['structured', 'contextual', 'generic'] as const)
    countFound(
      kind,
      planted.filter(({ sample }) => sample.kind === kind),
    )
  countQuiet('twins of the material', await measure(material.twins, engine))
  countQuiet('rest of files with planted credentials', planted)
  const places = writeAllPlaces(`places ${seed}`)
  const placed = await measure(places.planted, engine)
  countFound('all places', placed)
  for (const family of Object.keys(FAMILIES))
    countFound(
      `places: ${family}`,
      placed.filter(({ sample }) => sample.name.startsWith(`${family}: `)),
    )
  countQuiet('twins of the places', await measure(places.twins, engine))
}
for (const [group, { values, missed, perSeed }] of found)
  say(`found  ${percent(1 - missed / values).padStart(6)} %  of ${values} values  ${group}  (by seed: ${perSeed.join(' ')})`)
for (const [group, { samples, alarms }] of quiet)
  say(`alarms ${percent(alarms / samples).padStart(6)} %  of ${samples}  ${group}`)
