import { expect, test } from 'vitest'
import { quoteWord } from '../../core/quote.ts'

test.each([
  ['name', '"name"'],
  ['sName', 'sName'],
  ['/name', '{/name}'],
  ['orders>Text', '{orders>Text}'],
  ['orders>/items/Text', '{orders>/items/Text}'],
  ['oBindingContext: Context', 'oBindingContext'],
  ['event?: Button$PressEvent', 'event'],
  ['await load(id).name', 'load(id).name'],
  ['{ type: 1 }', '{ type: 1 }'],
  ["test ? 'a' : b", "test ? 'a' : b"],
  ['a > b', 'a > b'],
  ['/[a-z]+/', '/[a-z]+/'],
  ["'/api/' + id", "'/api/' + id"],
])('%s in a sentence', (code, expected) => {
  expect(quoteWord(code)).toBe(expected)
})
