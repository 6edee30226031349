import { expect, test } from 'vitest'
import { inEachLanguage, listNames, wordArguments } from '../core/arguments.ts'
import { formatMessage } from '../core/report/notices.ts'

test.each([
  [[], '', ''],
  [['a'], 'a', 'a'],
  [['a', 'b'], 'a and b', 'a et b'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, e and f', 'a, b, c, d, e et f'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'a, b, c, d, e and 2 more', 'a, b, c, d, e et 2 autres'],
])('words the list %j', (names, en, fr) => {
  const args = { list: listNames(names) }
  expect(formatMessage('{list:and}', wordArguments(args, 'en'))).toBe(en)
  expect(formatMessage('{list:et}', wordArguments(args, 'fr'))).toBe(fr)
})

test('chooses the language of an argument that has one for each', () => {
  const role = inEachLanguage({ en: '<role>', fr: '<rôle>' })
  expect(wordArguments({ role }, 'en')).toEqual({ role: '<role>' })
  expect(wordArguments({ role }, 'fr')).toEqual({ role: '<rôle>' })
})

test('leaves a plain argument as it is', () => {
  expect(wordArguments({ text: 'a, b' }, 'fr')).toEqual({ text: 'a, b' })
})
