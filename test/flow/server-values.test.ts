import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { readSections } from './sections.ts'

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
  return readSections('server-values.md').map(({ heading, files }) => ({
    name: heading,
    files: new Map([['package.json', PACKAGE], ['srv/main.cds', MODEL], ...files]),
  }))
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
