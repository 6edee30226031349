import { describe, expect, test } from 'vitest'
import { toHit } from '../../core/flow/solve/hits.ts'
import type { Arrival } from '../../core/flow/solve/arrivals.ts'
import type { ObjectOrigin, Origin } from '../../core/flow/types.ts'
import { FLOW_STEPS, stepKeyOf, wordFunction, wordStore } from '../../core/report/steps.ts'

/** What a flow that is reported may begin with: data, and the objects that are reported as a whole. */
type SourceOrigin = Exclude<Origin, ObjectOrigin> | 'exchange' | 'open-app' | 'open-server'

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
  'request-error': true,
  'signed-error': true,
  'destination-error': true,
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
  'open-server': true,
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

/** What lies between source and sink (`toCrossing`); stores have sentences of their own. */
const CALLS = ['call', 'return', 'call-unnamed', 'return-unnamed', 'call-constructor', 'return-constructor']
const CROSSINGS = ['load', ...CALLS, 'step', 'sink-address']

describe.each(['en', 'fr'] as const)('the steps of a flow in %s', (locale) => {
  test.each(Object.keys(ORIGINS).filter(isOrigin))('from %s: each has a text', (origin) => {
    const keys = toHit(arriveFrom(origin), []).steps.map(({ step }) => step)
    expect(keys).toHaveLength(2)
    for (const key of [...keys, ...CROSSINGS]) expect(FLOW_STEPS[locale][key], key).toMatch(/\.$/)
  })
})

test.each([
  ['model view', 'The value is stored in the model "view".', 'La valeur est conservée dans le modèle "view".'],
  ['model', 'The value is stored in the default model.', 'La valeur est conservée dans le modèle par défaut.'],
  [
    'own-event control/press',
    'The value is passed on with the event "press".',
    'La valeur est transmise par l’événement "press".',
  ],
  ['own-event control/*', 'The value is passed on with an event.', 'La valeur est transmise par un événement.'],
  ['event *', 'The value is passed on with an event.', 'La valeur est transmise par un événement.'],
  [
    'event @Channel.NAME/@Channel.CALL',
    'The value is passed on with the event Channel.NAME/Channel.CALL.',
    'La valeur est transmise par l’événement Channel.NAME/Channel.CALL.',
  ],
  [
    'element class RemarkNote',
    'The value is stored in a property of the custom element RemarkNote.',
    'La valeur est conservée dans une propriété de l’élément personnalisé RemarkNote.',
  ],
  [
    'component',
    'The value is stored in the component of the app.',
    'La valeur est conservée dans le composant de l’application.',
  ],
  ['rows Jobs[]', 'The value is stored in Jobs.', 'La valeur est enregistrée dans Jobs.'],
  ['shown data:markup', 'The value is displayed in the page.', 'La valeur est affichée dans la page.'],
  ['something else', 'The value is stored.', 'La valeur est conservée.'],
])('the store %s is worded', (name, en, fr) => {
  expect(wordStore(name, 'en')).toBe(en)
  expect(wordStore(name, 'fr')).toBe(fr)
})

test('a function is named as it is called, one without a name is just that', () => {
  expect(wordFunction('_load')).toBe('_load()')
  expect(stepKeyOf('return', '_load')).toBe('return')
  expect(stepKeyOf('return', 'function')).toBe('return-unnamed')
  expect(stepKeyOf('sink', 'function')).toBe('sink')
  expect(stepKeyOf('call', 'addEventListener:message')).toBe('call-unnamed')
  expect(stepKeyOf('call', 'constructor')).toBe('call-constructor')
  expect(stepKeyOf('sink', undefined, 'data:')).toBe('sink-address')
  expect(stepKeyOf('sink', undefined, 'eval')).toBe('sink')
})
