import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const PACKAGE = '{"dependencies":{"@sap/cds":"^9","express":"^4"}}'

interface Example {
  readonly name: string
  readonly isFound: boolean
  readonly rule: string
  readonly files: ReadonlyMap<string, string>
}

function readExamples(): Example[] {
  const text = readFileSync(new URL('server-features.md', import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, kind, rule = 'cap/command-injection', name = ''] = /^(found|silent)(?: (cap\/[a-z-]+))?: (.*)/.exec(section) ?? []
      if (kind === undefined) throw new Error(`no example: ${section.slice(0, 60)}`)
      const fences = [...section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
        ([, path = '', code = '']) => [path, code] as const,
      )
      if (fences.length === 0) throw new Error(`${name}: no files`)
      return { name, isFound: kind === 'found', rule, files: new Map([['package.json', PACKAGE], ...fences]) }
    })
}

describe('what data of a request flows through', () => {
  test.each(readExamples().map((example) => [example.name, example] as const))('%s', async (_, { files, isFound, rule }) => {
    const { en } = await scanFiles(files)
    const found = allFindings(en).filter(({ ruleId }) => ruleId === rule)
    // of values of unknown origin it says less
    expect(found.some(({ severity }) => severity !== 'LOW' && severity !== 'INFO')).toBe(isFound)
    if (!isFound) expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual([])
  })
})
