import { expect, test } from 'vitest'
import { sentDecisions } from '../../core/rules/cap/_rows/sent-decisions.ts'
import { factsOf } from '../facts/facts-of.ts'

/** A handler that reads a row for each number of the request that it compares, and looks at that number of the row only at its end. */
function comparing(count: number): string {
  const places = Array.from({ length: count }, (_, index) => index)
  return [
    `module.exports = (srv) => { srv.on('go', async (req) => {`,
    ...places.map(
      (at) => `const r${at} = await SELECT.one.from('Permits').where({ ID: req.data.ID }); if (req.data.a${at} > 5) return`,
    ),
    `await UPDATE('Permits').set({ status: 'done' }).where({ ID: req.data.ID })`,
    ...places.map((at) => `look(r0.a${at})`),
    `}) }`,
  ].join('\n')
}

function stepsFor(count: number): number {
  const text = comparing(count)
  let steps = 0
  const step = (more = 1): void => {
    steps += more
  }
  const found =
    sentDecisions.collect?.({
      path: 'srv/gate.js',
      kind: { language: 'script', test: false },
      facts: factsOf(text),
      text,
      step,
    }) ?? []
  expect([...found]).toEqual([])
  return steps
}

test('twice as many comparisons and reads in a handler cost no more than twice as much', () => {
  const few = stepsFor(50)
  expect(few).toBeGreaterThan(50)
  expect(stepsFor(100)).toBeLessThan(2.1 * few)
})
