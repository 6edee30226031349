import { expect, test } from 'vitest'
import { excerptOf } from '../../core/facts/excerpt.ts'

test.each([
  ['foo(bar)', 'foo(bar)'],
  ['foo(\n  bar,\n)', 'foo( bar, )'],
  ["UriParameters.fromQuery(window.location.search).get('callback')", 'UriParameters.fromQuery(window.location.search).get(…)'],
  [`load(${'a'.repeat(60)}).then(show)`, 'load(…).then(…)'],
  [`load({ url: '/news', text: ':)', more: '${'a'.repeat(60)}' }).last()`, 'load(…).last()'],
  [`jQuery.ajax({ ${'a: 1, '.repeat(60)} })`, 'jQuery.ajax(…)'],
  [`(${'a'.repeat(70)}).b()`, `(${'a'.repeat(58)}…`],
  [`{ a: f(1), ${'b'.repeat(80)} }`, `{ a: f(1), ${'b'.repeat(48)}…`],
])('%s in a sentence', (code, shown) => {
  expect(excerptOf(`x = ${code};`, { start: 4, end: 4 + code.length })).toBe(shown)
})
