import { expect, it } from 'vitest'
import { annotatedValue, placeIn, type CapAnnotation } from '../../../core/model/cap/index.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'

function annotationsOf(text: string): Map<string, CapAnnotation> {
  const [definition] = parseCds(text).definitions
  return new Map(
    definition?.annotations.map(({ name, value, start, end }) => [
      name,
      { value, place: { file: 'a.cds', span: { start, end } } },
    ]),
  )
}

it.each([
  ['@cds.query.limit.max: 1000 service S { }', '1000'],
  ['@cds.query.limit: { max: 1000 } service S { }', '1000'],
  ['@cds.query: { limit: { default: 10, max: 1000 } } service S { }', '1000'],
  ['@(cds: { query: { limit: { max: 1, max: 1000 } } }) service S { }', '1000'],
  ['@cds.query.limit: 1000 service S { }', undefined],
  ['@cds.query: { max: 1000 } service S { }', undefined],
  ['service S { }', undefined],
])('%s', (text, expected) => {
  const found = annotatedValue(annotationsOf(text), 'cds.query.limit.max')
  expect(found && text.slice(found.place.span?.start, found.place.span?.end)).toBe(expected)
})

it('the longest name counts', () => {
  const text = '@cds.query: { limit: { max: 1 } } @cds.query.limit.max: 2 service S { }'
  expect(annotatedValue(annotationsOf(text), 'cds.query.limit.max')?.value).toMatchObject({ value: 2 })
})

it('a part of an annotation stands in its file', () => {
  const [annotation] = annotationsOf('@x: 1 service S { }').values()
  expect(annotation && placeIn(annotation, { start: 4, end: 5 })).toEqual({ file: 'a.cds', span: { start: 4, end: 5 } })
})
