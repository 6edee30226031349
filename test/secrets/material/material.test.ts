import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../core/engine.ts'
import { runs } from '../../soak.ts'
import { SECRET_RULES } from '../open-credentials.ts'
import { describeAlarm, measure, type Outcome } from './measure.ts'
import { writeMaterial } from './index.ts'
import type { Kind } from './sample.ts'

const SEEDS = Array.from({ length: runs(10) }, (_, at) => `seed ${at + 1}`)
/** The least share of planted credentials that are found. */
const FOUND: Readonly<Record<Kind, number>> = { structured: 0.99, contextual: 0.97, generic: 0.95 }
/** The largest share of safe twins with a finding. */
const ALARMS = 0.01

const describeMiss = ({ sample, missed }: Outcome): string[] => missed.map(({ value }) => `${sample.name}: ${value}`)

describe.each(SEEDS)('material of %s', (seed) => {
  const { planted, twins } = writeMaterial(seed)
  const engine = createEngine(SECRET_RULES)
  const found = measure(planted, engine)

  test.each(['structured', 'contextual', 'generic'] as const)('%s credentials are found', async (kind) => {
    const outcomes = (await found).filter(({ sample }) => sample.kind === kind)
    const whole = outcomes.reduce((sum, { sample }) => sum + sample.secrets.length, 0)
    const missed = outcomes.flatMap(describeMiss)
    expect(1 - missed.length / whole, missed.join('\n')).toBeGreaterThanOrEqual(FOUND[kind])
  })

  test('a credential is one finding', async () => {
    const doubled = (await found).filter((outcome) => outcome.doubled.length > 0)
    expect(doubled.map(({ sample }) => sample.name)).toEqual([])
  })

  test('nothing else of these files is one', async () => {
    const outcomes = await found
    const alarming = outcomes.filter(({ alarms }) => alarms.length > 0)
    expect(alarming.length / outcomes.length, alarming.map(describeAlarm).join('\n')).toBeLessThanOrEqual(ALARMS)
  })

  test('safe twins stay silent', async () => {
    const outcomes = await measure(twins, engine)
    const alarming = outcomes.filter(({ alarms }) => alarms.length > 0)
    expect(alarming.length / outcomes.length, alarming.map(describeAlarm).join('\n')).toBeLessThanOrEqual(ALARMS)
  })
})
