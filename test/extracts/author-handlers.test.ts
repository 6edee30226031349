import { expect, test } from 'vitest'
import { authorHandlers } from '../../core/rules/cap/_rows/preset-authors.ts'
import { factsOf } from '../facts/facts-of.ts'

test('a function that handles many entities and sets the author many times is told once for each of them', () => {
  const many = Array.from({ length: 200 }, (_, index) => index)
  const text = `module.exports = (srv) => {
${many.map((index) => `  srv.before('CREATE', 'E${index}', fill)\n`).join('')}}
function fill(req) {
${many.map(() => '  req.data.author ??= req.user.id\n').join('')}}
`
  let steps = 0
  const found = authorHandlers.collect?.({
    path: 'srv/a.js',
    kind: { language: 'script', test: false },
    text,
    facts: factsOf(text),
    step: (count = 1) => {
      steps += count
    },
  })
  const [first, ...others] = [...(found ?? [])]
  expect(first).toMatchObject({ element: 'author', isPreset: true, entities: ['E0'] })
  expect(others).toHaveLength(199)
  expect(steps).toBeLessThan(5000)
})
