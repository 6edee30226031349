import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHOP } from '../runners/projects.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { readSettings } from '../../adapters/node/settings.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

test('the answer that the README shows is the one that the project gives', async () => {
  const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(README)?.[1] ?? '')
  const { en } = await scanFiles(new Map(Object.entries(SHOP)))
  const { results, projectName, ...head } = shown
  expect(projectName).toBe('shop')
  expect(en).toMatchObject(head)
  const [finding] = results.approuter.findings
  expect(allFindings(en)).toContainEqual(expect.objectContaining(finding))
})

test('every setting that the README names exists', () => {
  const names = [...new Set([...README.matchAll(/`(PARAPET_[A-Z_]+)`/g)].map(([, name = '']) => name))]
  expect(names.length).toBeGreaterThan(20)
  // a name that is none would be refused; a value that is wrong says so in other words
  for (const name of names) {
    let message = ''
    try {
      readSettings({ [name]: '\u0000' })
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message, name).not.toContain('is not a setting')
  }
})
