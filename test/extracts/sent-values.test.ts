import { expect, test } from 'vitest'
import type { Extract } from '../../core/extracts/extract.ts'
import { bodyWrappers } from '../../core/rules/ui5/_body-wrappers.ts'
import { decidedValues } from '../../core/rules/ui5/_decided-values.ts'
import { sentIdentities } from '../../core/rules/ui5/_sent-identities.ts'
import { factsOf } from '../facts/facts-of.ts'

interface Work<Found> {
  readonly steps: number
  readonly seconds: number
  readonly found: readonly Found[]
}

function workOf<Found>(extract: Extract<Found>, method: string): Work<Found> {
  const text = `sap.ui.define([], () => Controller.extend("Shop", {\npost(url, row) { return fetch(url, { method: "POST", body: JSON.stringify(row) }) },\n${method}\n}))`
  const facts = factsOf(text)
  let steps = 0
  const step = (more = 1): void => {
    steps += more
  }
  const { user } = process.cpuUsage()
  const kind = { language: 'script', test: false } as const
  const found = [...(extract.collect?.({ path: 'webapp/Shop.controller.js', kind, facts, text, step }) ?? [])]
  return { steps, seconds: (process.cpuUsage().user - user) / 1e6, found }
}

/** Twice as much takes no more than twice as many steps, and no longer than what is counted may take. */
function expectLinear<Found>(extract: Extract<Found>, methodOf: (count: number) => string, count: number): void {
  const few = workOf(extract, methodOf(count))
  const many = workOf(extract, methodOf(2 * count))
  expect(many.steps).toBeLessThan(2.2 * few.steps)
  expect(many.seconds).toBeLessThan(0.5 + many.steps / 500_000)
}

function lines(count: number, lineAt: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => lineAt(index)).join('\n')
}

/** Each name is one of two that are the same one. */
function choices(count: number): string {
  return `save(url, row, c) { const a0 = row\n${lines(count, (at) => `const a${at + 1} = c ? a${at} : a${at}`)}\nreturn $.ajax({ url, method: "POST", data: a${count} }) }`
}

test('a body that is chosen again and again is asked once for each choice', () => {
  expectLinear(bodyWrappers, choices, 15)
  expect(workOf(bodyWrappers, choices(5)).found).toContainEqual({ method: 'save', index: 1, fixesMethod: true })
})

/** A balance that is the largest of many, each of which is the largest of many. */
function maxima(count: number, first = 'kept'): string {
  return `save(kept) { const a0 = ${first}\n${lines(4, (at) => `const a${at + 1} = Math.max(${Array.from({ length: count }, () => `a${at}`).join(', ')})`)}\nreturn fetch("/x", { method: "POST", body: JSON.stringify({ balance: a4 }) }) }`
}

test('a balance that is the largest of many is looked at once for each value', () => {
  expectLinear(decidedValues, (count) => maxima(count), 24)
  expect(workOf(decidedValues, maxima(3, 'kept.balance - 1')).found).toMatchObject([{ kind: 'balance' }])
})

test('an address with a great many questions is read once for all fields of a request', () => {
  const asking = (count: number): string =>
    `save(x) { return fetch("/${'a?'.repeat(count * 20)}/", { method: "POST", body: JSON.stringify({ ${lines(count, (at) => `f${at}: x,`)} total: x }) }) }`
  expectLinear(decidedValues, asking, 150)
})

test('an object that many methods are given is read once', () => {
  const shared = (count: number): string =>
    `all(x) { const o = {\n${lines(count, (at) => `f${at}: window.x,`)} user: localStorage.getItem("userId") }\n${lines(count, (at) => `this.m${at}(o)`)}\n${lines(count, () => 'this.post("/x", o)')} }`
  expectLinear(sentIdentities, shared, 300)
  expectLinear(bodyWrappers, shared, 300)
})
