import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const PACKAGE = '{"dependencies":{"@sap/cds":"^9","express":"^4"}}'
/** What `run0`, `run1` and so on get. */
const ACTIONS = Array.from(
  { length: 20 },
  (_, index) => `action run${index}(name: String, folder: String, list: many String, ok: Boolean, size: String) returns String;`,
)
const MODEL = `@requires: 'User' service Main { ${ACTIONS.join('\n')} }`
const RULES = /^cap\/(?:path-traversal|command-injection|code-injection|cql-injection|ssrf)$/
const MARK = /\/\/ (found|silent)$/

interface Example {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
}

function readExamples(): Example[] {
  const text = readFileSync(new URL('server-values.md', import.meta.url), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = ''] = section.split('\n', 1)
      const fences = [...section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
        ([, path = '', code = '']) => [path, code] as const,
      )
      if (fences.length === 0) throw new Error(`${name}: no files`)
      return { name, files: new Map([['package.json', PACKAGE], ['srv/main.cds', MODEL], ...fences]) }
    })
}

describe('values of server scripts', () => {
  test.each(readExamples().map((example) => [example.name, example] as const))('%s', async (_, { files }) => {
    const { en } = await scanFiles(files)
    const found = new Set(
      allFindings(en).flatMap(({ ruleId, file, line, occurrences }) =>
        RULES.test(ruleId) ? [{ file, line }, ...(occurrences ?? [])].map((at) => `${at.file}:${at.line}`) : [],
      ),
    )
    const marked = [...files].flatMap(([file, text]) =>
      text.split('\n').flatMap((line, index) => {
        const mark = MARK.exec(line)?.[1]
        return mark === undefined ? [] : { at: `${file}:${index + 1}`, line: line.trim(), mark }
      }),
    )
    expect(marked.length).toBeGreaterThan(0)
    expect(marked.map(({ at, line }) => `${line.replace(MARK, '')}// ${found.has(at) ? 'found' : 'silent'}`)).toEqual(
      marked.map(({ line }) => line),
    )
  })
})
