import { describe, expect, test } from 'vitest'
import type { Binding, Value } from '../../core/facts/index.ts'
import { findOwnCalls } from '../../core/flow/own-calls.ts'
import { findOwnFields } from '../../core/flow/own-fields.ts'
import { factsOf } from '../facts/facts-of.ts'

/** What a parameter is given, as it is written; `…` behind it where others may call its function too. */
function givenTo(name: string, text: string): string[] {
  const facts = factsOf(text)
  const calls = findOwnCalls(facts)
  const parameter = facts.bindings.find((binding): binding is Binding => binding.name === name && binding.kind === 'parameter')
  if (parameter === undefined) throw new Error(`no parameter ${name}`)
  const given = calls.given(parameter).map(({ start, end }) => text.slice(start, end))
  return [...given, ...(calls.isIndex(parameter) ? ['#'] : []), ...(calls.isClosed(parameter) ? [] : ['…'])]
}

describe('what a parameter is given', () => {
  test.each([
    ['a function', 'function f(a, x) {} f(1, two); f(0, 3)', ['two', '3']],
    ['an arrow', 'const f = (x) => x; f(one)', ['one']],
    ['a pattern', 'const f = ({ data: { x } }) => x; f(req)', ['req']],
    ['a private method', 'class A { _f(x) {} g() { this._f(one) } }', ['one']],
    ['a method that others may call', 'class A { f(x) {} g() { () => this.f(one) } }', ['one', '…']],
    ['a static method', 'class A { static f(x) {} } A.f(one)', ['one', '…']],
    ['a method of an object', 'const a = { f(x) {} }; a.f(one)', ['one', '…']],
    ['an exported function', 'exports.f = f; function f(x) {} f(one)', ['one', '…']],
    ['a function that is handed on', 'function f(x) {} f(one); on("a", f)', ['one', '…']],
    ['the items of a list', 'list.map((x) => x)', ['list']],
    ['the place of an item', 'list.forEach((item, x) => x)', ['#']],
    ['the items that reduce gets', 'list.reduce((sum, x) => sum + x, "")', ['list']],
    ['what reduce begins with', 'list.reduce((x, item) => x + item, begin)', ['begin']],
    ['what a promise gives', 'load().then((x) => x)', ['load()']],
    ['nothing that is known', 'function f(x) {}', []],
  ])('%s', (_, text, expected) => {
    expect(givenTo('x', text)).toEqual(expected)
  })
})

test('fields of a class: what they begin with and what the class assigns', () => {
  const text = `class A { x = 1; static y = 'b'; constructor(z) { this.x = z } f() { return [this.x, this.z, A.y] } }`
  const facts = factsOf(text)
  const fields = findOwnFields(facts)
  const returned = facts.functions.find(({ name }) => name === 'A.f')?.returns[0]
  const items: readonly Value[] = returned?.kind === 'array' ? returned.items : []
  expect(items.map((item) => fields(item).map(({ start, end }) => text.slice(start, end)))).toEqual([['1', 'z'], [], ["'b'"]])
})
