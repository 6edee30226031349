import { describe, expect, test } from 'vitest'
import type { CatalogueAnswer } from '../../../core/catalogue/types.ts'
import { listUi5Apps } from '../../../core/inventory/ui5.ts'
import { findTarget, supportOf } from '../../../core/model/ui5/index.ts'
import { readProject, ui5AppsOf } from '../project.ts'

const CATALOGUE: CatalogueAnswer = {
  source: 'bundled',
  date: '2026-06-30',
  complete: true,
  lines: [
    { minor: '1.149', support: 'maintenance', longTerm: false, patches: [] },
    { minor: '1.147', support: 'out-of-maintenance', longTerm: false, endOfProvisioning: '2027-06-30', patches: [] },
    {
      minor: '1.145',
      support: 'maintenance',
      longTerm: false,
      endOfMaintenance: '2026-09-30',
      endOfProvisioning: '2027-09-30',
      patches: [],
    },
    { minor: '1.137', support: 'skipped', longTerm: false, patches: [] },
    {
      minor: '1.120',
      support: 'maintenance',
      longTerm: true,
      endOfMaintenance: '2030-12-31',
      endOfProvisioning: '2031-12-31',
      patches: [],
    },
    { minor: '1.12', support: 'out-of-maintenance', longTerm: false, patches: [] },
    { minor: '1.98', support: 'out-of-maintenance', longTerm: false, endOfProvisioning: '2023-03-31', patches: [] },
  ],
}

describe('support of a version', () => {
  test.each([
    ['1.149.0', '2026-11-20', 'maintained', false],
    ['1.147.2', '2026-11-20', 'ended', false],
    ['1.145.1', '2026-09-30T23:59:00.000Z', 'maintained', false],
    ['1.145.1', '2026-10-01', 'ended', false],
    ['1.145', '2027-10-01', 'ended', true],
    ['1.120.33', '2026-11-20', 'long-term', false],
    ['1.120.33-SNAPSHOT', '2026-11-20', 'long-term', false],
    ['1.120', '2031-01-01', 'ended', false],
    // without a day of its own: gone when a later line is, those with long-term maintenance aside
    ['1.12.1', '2020-01-01', 'ended', false],
    ['1.12.1', '2026-11-20', 'ended', true],
    ['1.98.0', '2026-11-20', 'ended', true],
  ])('%s on %s', (version, day, state, removed) => {
    expect(supportOf(version, CATALOGUE, day)).toMatchObject({ state, removed })
  })

  test.each(['2.0.0', '1.120.0-legacy-free', '1.137.0', '1.999.0', '1', '', 'latest', '1.98.0.1', '__proto__'])(
    'nothing is told about %s',
    (version) => {
      expect(supportOf(version, CATALOGUE, '2026-11-20')).toBeUndefined()
    },
  )
})

test('the inventory says what is known, in both languages, and leaves out what is not', () => {
  const apps = ui5AppsOf(
    readProject({
      'a/webapp/manifest.json': '{"sap.app": {"id": "a"}}',
      'b/ui5.yaml': 'specVersion: "3.0"\nframework: {version: 1.120.3}',
      'c/ui5.yaml': 'specVersion: "3.0"\nframework: {version: 2.0.0}',
      'd/index.html': '<script id="sap-ui-bootstrap" src="https://ui5.sap.com/1.98.0/resources/sap-ui-core.js"></script>',
    }),
  )
  expect(listUi5Apps(apps, CATALOGUE, '2026-11-20', 'en', () => undefined)).toEqual([
    { id: 'a', root: 'a/webapp' },
    {
      root: 'b',
      version: '1.120.3',
      versionSource: 'b/ui5.yaml',
      support: 'in long-term maintenance until 2030-12-31',
      catalogueDate: '2026-06-30',
    },
    { root: 'c', version: '2.0.0', versionSource: 'c/ui5.yaml' },
    { root: 'd', version: '1.98.0', versionSource: 'd/index.html', support: 'out of maintenance', catalogueDate: '2026-06-30' },
  ])
  expect(listUi5Apps(apps, CATALOGUE, '2026-11-20', 'fr', () => undefined).map((app) => app.support)).toEqual([
    undefined,
    'en maintenance longue durée jusqu’au 2030-12-31',
    undefined,
    'hors maintenance',
  ])
})

describe('the version to move to', () => {
  const lines = CATALOGUE.lines.map((line) => ({ ...line, patches: [`${line.minor}.7`, `${line.minor}.0`] }))

  test.each([
    ['of lines with long-term maintenance the one that keeps it longest', '1.98.0', '2026-11-20', '1.120.7'],
    ['a line for a line', '1.98', '2026-11-20', '1.120'],
    ['the newest maintained one after the last with long-term maintenance', '1.137.0', '2026-07-01', '1.149.7'],
    ['never an older line', '1.145.1', '2026-07-01', '1.149.7'],
    ['nothing newer', '1.999.0', '2026-07-01', '1.999.0'],
  ])('%s', (_, version, day, target) => {
    expect(findTarget(version, { lines }, day)).toBe(target)
  })
})
