import type { Budget } from '../budget.ts'
import type { Assignment, Read } from './assignments.ts'
import { withForm } from './entries.ts'
import { countLook, type Layer } from './layers.ts'
import { readLiteral } from './literal.ts'

export const INPUT_KEYWORDS: readonly string[] = ['type="password"']

const LONGEST_TAG = 600
const VALUE = /\svalue\s{0,2}=\s{0,2}(?=["'])/

/** Fields for passwords that a page or a view fills in itself. */
export function* findFilledInputs(layer: Layer, budget: Budget): Generator<Assignment> {
  const { text } = layer
  for (const keyword of INPUT_KEYWORDS) {
    for (const hit of layer.offsets(keyword)) {
      if (!layer.permits(hit)) continue
      countLook(budget, 2 * LONGEST_TAG)
      const before = text.slice(Math.max(0, hit - LONGEST_TAG), hit)
      const open = hit - before.length + before.lastIndexOf('<')
      const close = text.slice(hit, hit + LONGEST_TAG).indexOf('>')
      const tag = close === -1 ? '' : text.slice(open, hit + close)
      const gap = VALUE.exec(tag)
      const literal = gap === null ? undefined : readLiteral(text, open + gap.index + gap[0].length, 'quoted')
      if (literal !== undefined) yield { name: 'password', kind: 'password', form: 'entry', nameStart: open, ...literal }
    }
  }
}

const SELECTOR = /(?:fill|type|get|find|locator|\$|byId|id|css|setValue|enterText|getBy\w{1,20})\(\s{0,8}["'`][^"'`\n]{0,60}$/i
const FILLED =
  /\]?["'`]\s{0,2}(?:,\s{0,8}|\)\s{0,20}\.(?:clear\(\)\s{0,20}\.)?(?:type|fill|setValue|addValue|sendKeys)\(\s{0,8})(?=["'`])/y

const RECORDED_TARGET =
  /["'](?:target|selector|locator|element|field|xpath|css|label)["']\s{0,4}:\s{0,4}\[?\s{0,20}["'][^"'\n]{0,60}$/i
const RECORDED =
  /[^"'{}\n]{0,40}["']\s{0,20}(?:\]\s{0,20})?,\s{0,40}(?:["'][\w-]{1,20}["']\s{0,4}:\s{0,4}["'][^"'\n]{0,80}["']\s{0,20},\s{0,40}){0,3}["'](?:value|text|input)["']\s{0,4}:\s{0,4}(?=["'])/y

/** What a script types into a field: `page.fill('#password', 'value')`, `cy.get('[name=password]').type('value')`; or a recording of one. */
export function readFilled(text: string, start: number, end: number): Read | undefined {
  if (!/[\]"'`]/.test(text[end] ?? '')) return undefined
  const before = text.slice(Math.max(0, start - 100), start)
  FILLED.lastIndex = end
  if (FILLED.test(text) && SELECTOR.test(before)) return withForm('filled', readLiteral(text, FILLED.lastIndex, 'quoted'))
  if (!RECORDED_TARGET.test(before)) return undefined
  RECORDED.lastIndex = end
  return RECORDED.test(text) ? withForm('filled', readLiteral(text, RECORDED.lastIndex, 'quoted')) : undefined
}
