import { describe, expect, test } from 'vitest'
import { toHit } from '../../core/flow/hits.ts'
import type { Arrival } from '../../core/flow/arrivals.ts'
import type { ObjectOrigin, Origin } from '../../core/flow/types.ts'
import { FLOW_STEPS, wordStore } from '../../core/report/steps.ts'

/** What a flow that is reported may begin with: data, and the objects that are reported as a whole. */
type SourceOrigin = Exclude<Origin, ObjectOrigin> | 'exchange' | 'open-app'

/** All of them: one that is missing does not compile. */
const ORIGINS: Readonly<Record<SourceOrigin, true>> = {
  request: true,
  'archive-entry': true,
  url: true,
  referrer: true,
  'window-message': true,
  backend: true,
  storage: true,
  imported: true,
  input: true,
  property: true,
  stored: true,
  error: true,
  secret: true,
  credential: true,
  credentials: true,
  claims: true,
  privileged: true,
  statement: true,
  personal: true,
  reply: true,
  unknown: true,
  exchange: true,
  'open-app': true,
}

function isOrigin(name: string): name is SourceOrigin {
  return name in ORIGINS
}

function arriveFrom(origin: SourceOrigin): Arrival {
  return {
    file: 0,
    sink: { node: 0, start: 0, end: 1, fault: 'ui5/eval', name: 'eval' },
    label: { origin, fields: [], cleaned: [], concatenated: false, logged: false, weak: false },
    entry: origin,
    path: () => [{ file: 0, node: 0, crosses: false }],
  }
}

/** What lies between source and sink (`toCrossing`). */
const CROSSINGS = ['store', 'load', 'call', 'return', 'step']

describe.each(['en', 'fr'] as const)('the steps of a flow in %s', (locale) => {
  test.each(Object.keys(ORIGINS).filter(isOrigin))('from %s: each has a text', (origin) => {
    const keys = toHit(arriveFrom(origin), []).steps.map(({ step }) => step)
    expect(keys).toHaveLength(2)
    for (const key of [...keys, ...CROSSINGS]) expect(FLOW_STEPS[locale][key], key).toMatch(/\.$/)
  })
})

test.each([
  ['model view', 'The value is written to the model view.', 'La valeur est écrite dans le modèle view.'],
  ['model', 'The value is written to the model.', 'La valeur est écrite dans le modèle.'],
  ['event *', 'The value is passed with the event.', 'La valeur est transmise avec l’événement.'],
  ['rows *', 'The value is written to rows.', 'La valeur est écrite dans des lignes.'],
  ['rows Orders', 'The value is written to rows of Orders.', 'La valeur est écrite dans des lignes d’Orders.'],
  ['own-event a/press', 'The value is passed with the event a/press.', 'La valeur est transmise avec l’événement a/press.'],
  [
    'element class Remark',
    'The value is stored in a property of Remark.',
    'La valeur est conservée dans une propriété de Remark.',
  ],
  ['worker w answers', 'The value is sent in a message of the worker w.', 'La valeur est envoyée dans un message du worker w.'],
  ['module', 'The module exports the value.', 'Le module exporte la valeur.'],
  ['shown data:markup', 'The value is rendered.', 'La valeur est affichée.'],
  ['something else', 'The value is stored in something else.', 'La valeur est conservée dans something else.'],
])('the store %s is worded', (name, en, fr) => {
  expect(wordStore(name, 'en')).toBe(en)
  expect(wordStore(name, 'fr')).toBe(fr)
})
