import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../core/engine.ts'
import { runs } from '../../soak.ts'
import { describeAlarm, measure, type Outcome } from '../material/measure.ts'
import { SECRET_RULES } from '../open-credentials.ts'
import { FAMILIES, writeAllPlaces } from './index.ts'

const SEEDS = Array.from({ length: runs(10) }, (_, at) => `places ${at + 1}`)
const FOUND = 0.97
/** Of one family of places, so that none hides behind the others. */
const FOUND_IN_FAMILY = 0.95
const ALARMS = 0.01

function shareFound(outcomes: readonly Outcome[]): number {
  const whole = outcomes.reduce((sum, { sample }) => sum + sample.secrets.length, 0)
  return 1 - outcomes.reduce((sum, { missed }) => sum + missed.length, 0) / whole
}

describe.each(SEEDS)('%s', (seed) => {
  const { planted, twins } = writeAllPlaces(seed)
  const engine = createEngine(SECRET_RULES)
  const found = measure(planted, engine)
  const missedOf = (outcomes: readonly Outcome[]): string =>
    outcomes.flatMap(({ sample, missed }) => (missed.length > 0 ? [sample.name] : [])).join('\n')

  test('credentials are found', async () => {
    expect(shareFound(await found), missedOf(await found)).toBeGreaterThanOrEqual(FOUND)
  })

  test.each(Object.keys(FAMILIES))('those of the family %s', async (family) => {
    const own = (await found).filter(({ sample }) => sample.name.startsWith(`${family}: `))
    expect(shareFound(own), missedOf(own)).toBeGreaterThanOrEqual(FOUND_IN_FAMILY)
  })

  test('a credential is one finding, and nothing else of its file is one', async () => {
    const outcomes = (await found).filter(({ doubled, alarms }) => doubled.length > 0 || alarms.length > 0)
    expect(outcomes.map(({ sample }) => sample.name)).toEqual([])
  })

  test('the same places without a credential are silent', async () => {
    const outcomes = await measure(twins, engine)
    const alarming = outcomes.filter(({ alarms }) => alarms.length > 0)
    expect(alarming.length / outcomes.length, alarming.map(describeAlarm).join('\n')).toBeLessThanOrEqual(ALARMS)
  })
})
