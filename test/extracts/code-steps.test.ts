import { expect, test } from 'vitest'
import { codeSteps } from '../../core/rules/ui5/_code-steps.ts'
import { factsOf } from '../facts/facts-of.ts'

/** A check of a code, behind which methods are called so many times each, all of which call each other so many times. */
function stepsOf(many: number): { readonly found: number; readonly steps: number } {
  const calls = Array.from({ length: many }, () => 'this._again()').join('\n')
  const text = `sap.ui.define(['./BaseController'], (Base) => Base.extend('climbing.Ascent', {
  onVerify: async function () {
    const answer = await this.sendNew('CodeChecks', { Mail: this.mail, OTP: this.entered })
    if (answer.ok) {
      ${calls}
    }
  },
  _again: function () {
    ${calls}
    this.sendNew('Ascents', { Wall: 2 })
  },
}))
`
  let steps = 0
  const found = codeSteps.collect?.({
    path: 'webapp/controller/Ascent.controller.js',
    kind: { language: 'script', test: false },
    text,
    facts: factsOf(text),
    step: (count = 1) => {
      steps += count
    },
  })
  return { found: [...(found ?? [])].length, steps }
}

test('a method that is called many times behind the check of a code is looked at once', () => {
  const { found, steps } = stepsOf(400)
  expect(found).toBe(1)
  expect(steps).toBeLessThan(400 * 50)
  expect(stepsOf(800).steps).toBeLessThan(steps * 2.2)
})
