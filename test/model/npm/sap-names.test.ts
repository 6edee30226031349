import { expect, test } from 'vitest'
import { isOneEditApart } from '../../../core/model/npm/index.ts'

test.each([
  ['capjs', 'cap-js', true],
  ['cap-jss', 'cap-js', true],
  ['cpa-js', 'cap-js', true],
  ['cop-js', 'cap-js', true],
  ['cap-js', 'cap-js', false],
  ['capsj', 'cap-js', false],
  ['pca-js', 'cap-js', false],
  ['', 'a', true],
  ['', '', false],
  ['ab', 'ba', true],
  ['abc', 'cab', false],
])('%j and %j are one edit apart: %s', (a, b, expected) => {
  expect(isOneEditApart(a, b)).toBe(expected)
  expect(isOneEditApart(b, a)).toBe(expected)
})
