import { describe, expect, test } from 'vitest'
import { splitTexts } from '../../adapters/scripts/edge/split-texts.ts'

const LONG = 'un texte qui est assez long pour être chargé plus tard'
const HEAD = `const NAME = { en: 'x', fr: '${LONG}' };\n`
const RULE = `export const someRule = defineRule({ id: 'a', text: { en: { title: NAME.en }, fr: { ...{ why: NAME.fr + '!' } } }, check: () => NAME });`

/** The value of `someRule` in a module, in which `ruleText` gives the texts. */
function run(code: string, ruleText: (index: number) => unknown): unknown {
  const body = `${code.replace('export const', 'const')}\nreturn someRule`
  return new Function('defineRule', 'ruleText', body)((rule: unknown) => rule, ruleText)
}

describe('the texts of a rule are taken out of its module', () => {
  const split = splitTexts(HEAD + RULE, 7)

  test('whole, with what they are put together of', () => {
    const texts = run(split?.texts ?? '', () => undefined)
    expect(texts).toEqual({ en: { title: 'x' }, fr: { why: `${LONG}!` } })
    const asked: number[] = []
    const rule = run(split?.code ?? '', (index) => (asked.push(index), texts))
    expect(rule).toEqual({ id: 'a', text: texts, check: expect.any(Function) })
    expect(new Set(asked)).toEqual(new Set([7]))
    expect(split?.exported).toBe('someRule')
  })

  test('which are not asked for before they are read', () => {
    expect(() =>
      run(split?.code ?? '', () => {
        throw new Error('too early')
      }),
    ).not.toThrow()
  })

  test.each([
    ['a constant that defines no rule', `export const rule = { text: { fr: { title: '${LONG}' } } };`],
    ['a rule without texts', `export const rule = defineRule({ title: { fr: '${LONG}' } });`],
    ['a rule that a function makes', `export const rules = ROWS.map((row) => defineRule({ text: words(row) }));`],
  ])('%s stays', (_, module) => {
    expect(splitTexts(module, 0)).toBeUndefined()
  })
})
