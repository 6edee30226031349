import { expect, test } from 'vitest'
import { isDemonstration, isSampleModel } from '../../../core/model/cap/index.ts'
import type { CapElement } from '../../../core/model/cap/index.ts'

const packageIn = (folder: string, name: string): { folder: string; name: string } => ({ folder, name })

test.each([
  ['demos/orders', [], true],
  ['orders-sample', [], true],
  ['orders', [packageIn('orders', '@capire/orders')], true],
  ['orders', [packageIn('', 'cap-tutorial')], true],
  ['orders', [packageIn('other', 'cap-tutorial')], false],
  ['orders', [packageIn('orders', 'demography')], false],
  ['resampled', [], false],
  ['', [packageIn('', 'shop')], false],
])('%s is a demonstration by folder or package', (root, packages, expected) => {
  expect(isDemonstration({ root }, { byFolder: new Map(packages.map((it) => [it.folder, it])) })).toBe(expected)
})

const element = (kind: CapElement['kind'], source?: string): CapElement => ({
  name: 'X',
  qualified: 'S.X',
  kind,
  place: { file: 'srv/x.cds' },
  annotations: new Map(),
  writable: false,
  ...(source !== undefined && { source: { name: source, place: { file: 'db/schema.cds' } } }),
  members: () => [],
})

test('the sample model of CAP is told by its namespace', () => {
  expect(isSampleModel([element('entity', 'sap.capire.bookshop.Books'), element('action')])).toBe(true)
  expect(isSampleModel([element('entity', 'sap.capire.bookshop.Books'), element('entity', 'shop.Orders')])).toBe(false)
  expect(isSampleModel([element('action')])).toBe(false)
})
