import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claimOf, highestLevel, levelAt, levelOf, rowsOf, toGrade } from '../../core/grade/index.ts'
import { wordGrade } from '../../core/report/grade-words.ts'
import { RULES } from '../../core/rules/index.ts'
import { EVIDENCES, IMPACTS, LOCALES, REACHES, SEVERITIES, USAGES } from '../../core/scales.ts'
import type { Grade, GradeClaim, Severity } from '../../core/types.ts'

const claim = (changes: Partial<GradeClaim> = {}): GradeClaim => ({ impact: 'data', ...changes })
const level = (changes: Partial<GradeClaim>, usage: Grade['usage'] = 'deployed'): string =>
  levelOf(toGrade(claim(changes), { reach: 'user' }, usage))
const rank = (severity: string): number => SEVERITIES.findIndex((one) => one === severity)

describe('the level of a claim', () => {
  test.each<[string, Partial<GradeClaim>, Grade['usage'], string]>([
    ['data of users', {}, 'deployed', 'HIGH'],
    ['without a login', { reach: 'anyone' }, 'deployed', 'CRITICAL'],
    ['a link is missing', { evidence: 'assumed' }, 'deployed', 'MEDIUM'],
    ['a name alone', { reach: 'anyone', evidence: 'guessed' }, 'deployed', 'LOW'],
    ['in a test', {}, 'unused', 'INFO'],
    ['in a test, of no consequence', { impact: 'bounded' }, 'unused', 'none'],
    ['in a file of a generator', { impact: 'takeover', reach: 'anyone' }, 'boilerplate', 'INFO'],
    ['demonstration data', { circumstance: 'demo', reach: 'anyone' }, 'deployed', 'MEDIUM'],
    ['an advisory', { advisory: 'CRITICAL' }, 'deployed', 'CRITICAL'],
    ['an advisory of what is not deployed', { advisory: 'CRITICAL', evidence: 'assumed' }, 'deployed', 'HIGH'],
    ['against the table', { shift: 'lower' }, 'deployed', 'MEDIUM'],
    ['the lowest stays', { impact: 'hygiene', shift: 'lower' }, 'deployed', 'INFO'],
  ])('%s', (_, changes, usage, expected) => {
    expect(level(changes, usage)).toBe(expected)
  })

  test('the project tells the reach where the rule does not', () => {
    expect(toGrade(claim(), { reach: 'privileged' }, 'deployed').reach).toBe('privileged')
    expect(toGrade(claim({ reach: 'anyone' }), { reach: 'privileged', evidence: 'assumed' }, 'deployed')).toMatchObject({
      reach: 'anyone',
      evidence: 'shown',
    })
  })

  test('what a credential is worth does not depend on its file', () => {
    expect(level({ impact: 'takeover', reach: 'anyone', usage: 'deployed' }, 'unused')).toBe('CRITICAL')
  })

  test('demonstration data counts for data alone', () => {
    const asked = { reach: 'anyone', isDemo: true } as const
    expect(levelOf(toGrade(claim(), asked, 'deployed'))).toBe('MEDIUM')
    expect(levelOf(toGrade(claim({ impact: 'takeover' }), asked, 'deployed'))).toBe('CRITICAL')
  })
})

test('a match wins over its variant, a variant over its rule', () => {
  const rule = { impact: 'data', evidence: 'assumed', grades: { later: { impact: 'bounded', reach: 'anyone' } } } as const
  expect(claimOf(rule, {})).toEqual({ impact: 'data', evidence: 'assumed' })
  expect(claimOf(rule, { variant: 'later' })).toEqual({ impact: 'bounded', reach: 'anyone', evidence: 'assumed' })
  expect(claimOf(rule, { variant: 'later', impact: 'session' }).impact).toBe('session')
  expect(claimOf(rule, { variant: 'none' })).toEqual(claimOf(rule, {}))
})

const GRADES = fc.record({
  impact: fc.constantFrom(...IMPACTS),
  reach: fc.constantFrom(...REACHES),
  usage: fc.constantFrom(...USAGES),
  evidence: fc.constantFrom(...EVIDENCES),
})

test('the words name an attacker on the network path, the level stays', () => {
  const grade = { impact: 'takeover', reach: 'user', usage: 'deployed', evidence: 'shown' } as const
  expect(levelOf({ ...grade, attacker: 'network' })).toBe(levelOf(grade))
  expect(wordGrade({ ...grade, attacker: 'network' }, 'HIGH', 'en')).toMatch(/^High: anyone on the network path can run code/)
  expect(wordGrade({ ...grade, reach: 'privileged', attacker: 'network' }, 'MEDIUM', 'fr')).toMatch(
    /^Moyenne : seule une personne placée sur le trajet/,
  )
})

describe('laws', () => {
  test('less proof is never worse, nor is a file of a generator', () => {
    fc.assert(
      fc.property(GRADES, (grade) => {
        const shown = levelOf({ ...grade, evidence: 'shown' })
        const weaker = levelOf(grade)
        if (shown === 'none') expect(weaker).toBe('none')
        else expect(rank(weaker)).toBeGreaterThanOrEqual(rank(shown))
      }),
    )
  })

  test('whatever anyone can do is at least as severe as what a user can do, and that as what a privileged user can', () => {
    for (const impact of IMPACTS) {
      const [anyone, user, privileged] = (['anyone', 'user', 'privileged'] as const).map((reach) => rank(levelAt(impact, reach)))
      expect(anyone).toBeLessThanOrEqual(user ?? -1)
      expect(user).toBeLessThanOrEqual(privileged ?? -1)
    }
  })

  test('every grade that is a finding has a sentence in both languages', () => {
    fc.assert(
      fc.property(GRADES, (grade) => {
        const severity = levelOf(grade)
        const found = SEVERITIES.find((one): one is Severity => one === severity)
        if (found === undefined) return
        for (const locale of LOCALES) expect(wordGrade(grade, found, locale)).toMatch(/^\p{Lu}[^{}]{10,}\.$/u)
      }),
    )
  })
})

test('a list of rules names the highest level of each', () => {
  expect(highestLevel({ impact: 'data', reach: 'user', grades: { open: { reach: 'anyone' } } })).toBe('CRITICAL')
  expect(highestLevel({ impact: 'defence' })).toBe('LOW')
  expect(highestLevel({ impact: 'bounded', evidence: 'assumed', reach: 'user' })).toBe('INFO')
})

describe('the rows of the table that a rule uses', () => {
  test('one for each impact and circumstance, with the reach that the rule fixes and the proof that it has', () => {
    expect(rowsOf({ impact: 'data' })).toEqual([
      {
        impact: 'data',
        levels: { anyone: 'CRITICAL', user: 'HIGH', privileged: 'MEDIUM', local: 'LOW', pipeline: 'MEDIUM', nobody: 'INFO' },
      },
    ])
    expect(
      rowsOf({
        impact: 'takeover',
        reach: 'anyone',
        evidence: 'assumed',
        grades: {
          live: { evidence: 'shown' },
          old: { impact: 'hygiene', circumstance: 'ended', reach: 'user' },
          known: { advisory: 'HIGH' },
        },
      }),
    ).toEqual([
      { impact: 'takeover', levels: { anyone: 'CRITICAL' } },
      { impact: 'hygiene', circumstance: 'ended', levels: { user: 'LOW' } },
    ])
  })

  test('their highest level is the severity that lists of rules name', () => {
    for (const rule of RULES) {
      const levels = new Set(rowsOf(rule).flatMap((row) => Object.values(row.levels)))
      const claims = [undefined, ...Object.keys(rule.grades ?? {})].map((variant) =>
        claimOf(rule, { ...(variant !== undefined && { variant }) }),
      )
      if (claims.every(({ advisory }) => advisory === undefined))
        expect([rule.id, SEVERITIES.find((one) => levels.has(one))]).toEqual([rule.id, rule.severity])
    }
  })
})

/** Rules that go against the table by one level: each says why in its doc comment. */
test('few rules go against the table', () => {
  expect(RULES.filter(({ shift }) => shift !== undefined).map(({ id }) => id)).toEqual([])
})
