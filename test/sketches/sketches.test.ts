import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { readSketches } from './sketches.ts'

/** How many of the faults may be missed, of all sketches of an area. */
const MISSED = 0.05

describe.each(['cap', 'ui5'])('sketches of %s', (area) => {
  const sketches = readSketches(area)

  test.each(sketches.map((sketch) => [sketch.name, sketch] as const))('%s', async (_, { rule, kind, files, severity }) => {
    const { en } = await scanFiles(new Map([...files, ['README.md', '']]))
    const found = allFindings(en).filter(({ ruleId }) => ruleId === rule)
    const places = found.map((it) => `${it.severity} ${it.file}:${it.line}`)
    if (kind === 'found') expect(places, 'nothing is found').not.toEqual([])
    else expect(places).toEqual([])
    if (severity !== undefined) expect(found.map((it) => it.severity)).toContain(severity)
  })

  test('few are missed', () => {
    expect(sketches.length).toBeGreaterThan(200)
    const missed = sketches.filter(({ kind }) => kind === 'missed')
    expect(missed.length / sketches.length).toBeLessThanOrEqual(MISSED)
  })
})
