import { expect, test } from 'vitest'
import { inEachLanguage, listOf, wordArguments } from '../core/arguments.ts'

test.each([
  [[], '', ''],
  [['a'], 'a', 'a'],
  [['a', 'b'], 'a and b', 'a et b'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, e and f', 'a, b, c, d, e et f'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'a, b, c, d, e and 2 more', 'a, b, c, d, e et 2 autres'],
])('words the list %j', (names, en, fr) => {
  expect(wordArguments({ list: listOf(names) }, 'en')).toEqual({ list: en })
  expect(wordArguments({ list: listOf(names) }, 'fr')).toEqual({ list: fr })
})

test('chooses the language of an argument that has one for each', () => {
  const role = inEachLanguage({ en: '<role>', fr: '<rôle>' })
  expect(wordArguments({ role }, 'en')).toEqual({ role: '<role>' })
  expect(wordArguments({ role }, 'fr')).toEqual({ role: '<rôle>' })
})

test('leaves a plain argument as it is', () => {
  expect(wordArguments({ text: 'a, b' }, 'fr')).toEqual({ text: 'a, b' })
})
