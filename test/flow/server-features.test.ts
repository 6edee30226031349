import { describe, expect, test } from 'vitest'
import { SEVERITIES } from '../../core/scales.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { readSections } from './sections.ts'

const PACKAGE = '{"dependencies":{"@sap/cds":"^9","express":"^4"}}'

interface Example {
  readonly name: string
  readonly isFound: boolean
  readonly rule: string
  readonly files: ReadonlyMap<string, string>
}

function readExamples(): Example[] {
  return readSections('server-features.md').map(({ heading, files }) => {
    const [, kind, rule = 'cap/command-injection', name = ''] = /^(found|silent)(?: (cap\/[a-z-]+))?: (.*)/.exec(heading) ?? []
    if (kind === undefined) throw new Error(`no example: ${heading}`)
    return { name, isFound: kind === 'found', rule, files: new Map([['package.json', PACKAGE], ...files]) }
  })
}

describe('what data of a request flows through', () => {
  test.each(readExamples().map((example) => [example.name, example] as const))('%s', async (_, { files, isFound, rule }) => {
    const { en } = await scanFiles(files)
    const found = allFindings(en).filter(({ ruleId }) => ruleId === rule)
    // of values of unknown origin it says less; where the path of a request alone is chosen, LOW is all
    const least = rule === 'cap/ssrf' ? 'LOW' : 'MEDIUM'
    expect(found.some(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least))).toBe(isFound)
    if (!isFound) expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual([])
  })
})
