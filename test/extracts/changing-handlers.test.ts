import { expect, test } from 'vitest'
import { changingHandlers } from '../../core/rules/cap/_rows/changing-handlers.ts'
import { factsOf } from '../facts/facts-of.ts'

/** So many handlers of changes, all of which call one function with so many names. */
function read(many: number): { readonly sets: number; readonly steps: number } {
  const names = Array.from({ length: many }, (_, index) => `keep(req.data.name${index})`).join('\n')
  const handlers = Array.from({ length: many }, () => "srv.before('UPDATE', 'Members', (req) => { look(req) })").join('\n')
  const text = `function look(req) {\n/* origin_code */\n${names}\n}\nmodule.exports = (srv) => {\n${handlers}\n}\n`
  let steps = 0
  const found = changingHandlers.collect?.({
    path: 'srv/crew.js',
    kind: { language: 'script', test: false },
    text,
    facts: factsOf(text),
    step: (count = 1) => {
      steps += count
    },
  })
  const words = [...(found ?? [])].flatMap((handler) => handler.words ?? [])
  expect(words.some((set) => set.has('name0'))).toBe(true)
  expect(words.some((set) => set.has('origin_code'))).toBe(false)
  return { sets: new Set(words).size, steps }
}

test('the words of a function that many handlers call are put together once', () => {
  const { sets, steps } = read(200)
  expect(sets).toBe(201)
  expect(read(400).steps).toBeLessThan(steps * 2.2)
})
