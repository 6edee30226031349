import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import { readExamples } from './examples.ts'

const SCRIPT = /\.(?:[cm]?[jt]sx?|xsjs(?:lib)?|html|xml)$/
const MISSED = /^## missed: (?!nothing known$)(.+)\n([^]*?)^```/gm

const rules = RULES.filter(({ id }) => /^(?:cap|ui5)\//.test(id)).map((rule) => {
  const name = `core/rules/${rule.id}.md`
  const markdown = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  return { rule, name, markdown, examples: readExamples(markdown, name) }
})

/** What the examples of a rule have to show, beside that it does as they say. */
describe('the examples of rules on code and models', () => {
  test('are those of most rules', () => {
    expect(rules.length).toBeGreaterThan(150)
  })

  test('say why a fault is missed', () => {
    const silent = rules.flatMap(({ name, markdown }) =>
      [...markdown.matchAll(MISSED)].flatMap(([, title, reason = '']) =>
        /^[A-Z@]\S* \S.*\.$/m.test(reason) ? [] : [`${name}: "${title}" needs a sentence below its heading: why is it missed?`],
      ),
    )
    expect(silent).toEqual([])
  })

  test('follow data over two files', () => {
    const within = rules.flatMap(({ rule, name, examples }) => {
      const isFollowed = examples.some(
        ({ kind, files }) => kind === 'bad' && [...files.keys()].filter((it) => SCRIPT.test(it)).length > 1,
      )
      return rule.checks.flow === undefined || isFollowed ? [] : [name]
    })
    expect(within).toEqual([])
  })
})
