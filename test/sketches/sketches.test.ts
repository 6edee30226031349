import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import { allFindings, scanByItsOwn, scanByOne, scanFiles } from '../scan-files.ts'
import { readSketches, type Sketch } from './sketches.ts'

/** How many of all sketches of an area may be faults that are missed. */
const MISSED = 0.05
/** Java is not parsed: its rules look at settings, which their examples hold. That a version ends soon depends on the day of the scan. */
const ELSEWHERE = /^(?:cap\/java-.*|ui5\/version-not-long-term)$/

const HINT =
  'Either no row has the source or the sink, or a row of a sanitizer makes it harmless for this rule, or what it is a part of is the address of the page as a whole and not named in OWN_ADDRESSES, or no keyword of core/flow/keywords.ts lets the script be parsed, or data ends at a function of a package that no row names, at a method by a name that none has (PASSING_METHODS), or at a function of another plain script, or a route is registered in a way that core/flow/frameworks/registrations.ts does not know, or on a router whose own access path no row of core/server-frameworks.ts makes: see docs/models.md'

/** Why a level is another one than the sketch says. */
const LEVEL =
  'who reaches the place makes the level (docs/severity.md): a server that no row of core/server-frameworks.ts makes, by the path of the call that returns it, is none that is known to be open to anyone, a middleware in front asks for a login, a field that is restricted by a role lowers it'

/** Why something is found although it is no fault. */
const FALSE =
  'it is no fault: no row makes the value harmless for this rule (cleaning-packages.ts, web.ts), or a row of sources reads more than others choose (`at` in callback-sources.ts, READS in requests.ts), or what refuses in front of it is registered in a way that core/flow/frameworks/registrations.ts does not know, or no row can say it (docs/models.md)'

/** A text that those sketches hold that are asked for: `SKETCHES='encodeUrl(' npm run test:unit -- test/sketches`. */
const ASKED = process.env['SKETCHES']
const AREAS = ['cap', 'ui5']
const asked = (area: string): Sketch[] => readSketches(area).filter(({ source }) => ASKED === undefined || source.includes(ASKED))

test.skipIf(ASKED === undefined)('there are sketches with the text that SKETCHES names', () => {
  expect(AREAS.flatMap(asked).length, `no sketch holds ${ASKED}`).toBeGreaterThan(0)
})

describe.each(AREAS)('sketches of %s', (area) => {
  const sketches = asked(area)
  const missed = sketches.filter(({ kind }) => kind === 'missed')

  test.each(sketches.map((sketch, index) => [sketch.name, sketch, index] as const))('%s', async (_, sketch, index) => {
    const { rule, kind, files, severity } = sketch
    const project = new Map([...files, ['README.md', '']])
    // one of four with all rules: none of them may fail on it
    const scanFound = index % 4 === 0 ? scanFiles : (found: typeof project) => scanByItsOwn(rule, found)
    const { en } = await (kind === 'found' ? scanFound(project) : scanByOne(rule, project))
    const all = allFindings(en)
    const found = all.filter(({ ruleId }) => ruleId === rule)
    const places = found.map((it) => `${it.severity} ${it.file}:${it.line}`)
    const others = all.filter((it) => !found.includes(it)).map((it) => `${it.ruleId} ${it.file}:${it.line}`)
    const nothing = `${rule} finds nothing, other rules find: ${others.join(', ') || 'nothing'}. ${HINT}`
    if (kind === 'found' && places.length === 0) expect.fail(nothing)
    if (kind === 'found') expect(places).not.toEqual([])
    else expect(places, kind === 'missed' ? 'it is no longer missed: make it a +' : FALSE).toEqual([])
    if (severity !== undefined)
      expect(
        found.map((it) => it.severity),
        LEVEL,
      ).toContain(severity)
  })

  test.skipIf(ASKED !== undefined)(`${missed.length} of ${sketches.length} are missed`, () => {
    expect(sketches.length).toBeGreaterThan(400)
    expect(missed.length / sketches.length).toBeLessThanOrEqual(MISSED)
  })

  test('each is of a rule that there is', () => {
    const rules = new Set<string>(RULES.map(({ id }) => id))
    expect(sketches.flatMap(({ rule, name }) => (rules.has(rule) ? [] : `no rule ${rule}: ${name}`))).toEqual([])
  })

  test.skipIf(ASKED !== undefined)('each rule has one that it finds, and one that only looks like it', () => {
    const has = (rule: string, kinds: readonly Sketch['kind'][]): boolean =>
      sketches.some((sketch) => sketch.rule === rule && kinds.includes(sketch.kind))
    const rules = RULES.flatMap(({ id }) => (id.startsWith(`${area}/`) && !ELSEWHERE.test(id) ? id : []))
    expect(rules.filter((id) => !has(id, ['found']) || !has(id, ['silent', 'refuted']))).toEqual([])
  })
})
