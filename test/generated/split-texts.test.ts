import { describe, expect, test } from 'vitest'
import { splitTexts } from '../../adapters/scripts/edge/split-texts.ts'

const LONG = 'un texte qui est assez long pour être chargé plus tard'

/** The value of `rule` in a module, with the texts that were taken out of it. */
function run(code: string, texts: readonly string[], first: number): unknown {
  const values: readonly unknown[] = texts.map((text): unknown => new Function(`return (${text})`)())
  const asked = (index: number): unknown => values[index - first]
  return new Function('defineRule', 'ruleText', `${code.replace('export const rule', 'const rule')}\nreturn rule`)(
    (rule: unknown) => rule,
    asked,
  )
}

describe('the texts of a rule are taken out of its module', () => {
  test.each([
    ['all of them', `{ title: '${LONG}', why: 'a' + 'b' }`, 1],
    ['those that are literals', `{ title: \`\${name} ${LONG}\`, why: '${LONG}', variants: { 'a-b': { fix: "${LONG}" } } }`, 2],
    ['a short one stays', `{ title: name, why: 'court' }`, 0],
    ['none of what is spread', `{ ...{ title: '${LONG}' } }`, 0],
  ])('%s', (_, french, count) => {
    const module = `const name = 'x';\nexport const rule = defineRule({ id: 'a', text: { en: { title: 't' }, fr: ${french} } });`
    const split = splitTexts(module, 7)
    expect(split?.texts.length ?? 0).toBe(count)
    if (split === undefined) return
    expect(split.code).not.toContain(`'${LONG}'`)
    expect(run(split.code, split.texts, 7)).toEqual(run(module, [], 0))
  })

  test('in both languages', () => {
    const module = `export const rule = defineRule({ id: 'a', text: { en: { title: 'en ${LONG}' }, fr: { title: 'fr ${LONG}' } } });`
    const split = splitTexts(module, 0)
    expect(split?.texts).toEqual([`{ title: 'en ${LONG}' }`, `{ title: 'fr ${LONG}' }`])
    expect(run(split?.code ?? '', split?.texts ?? [], 0)).toEqual(run(module, [], 0))
  })

  test('and nothing else', () => {
    expect(splitTexts(`const rule = { text: { fr: { title: '${LONG}' } } };`, 0)).toBeUndefined()
    expect(splitTexts(`export const rule = defineRule({ title: { fr: '${LONG}' } });`, 0)).toBeUndefined()
  })
})
