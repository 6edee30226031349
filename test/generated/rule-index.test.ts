import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const RULES = new URL('../../core/rules/', import.meta.url).pathname
const INDEX = join(RULES, 'index.ts')

/** Every `.ts` below an area's folder that exports a rule, by path. */
function findRules(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return findRules(path)
      return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') && folder !== RULES.replace(/\/$/, '') ? [path] : []
    })
    .sort()
}

function writeIndex(): string {
  const imports: string[] = []
  const names: string[] = []
  for (const path of findRules(RULES.replace(/\/$/, ''))) {
    const text = readFileSync(path, 'utf8')
    const name = /export const (\w+): Rule = defineRule\(/.exec(text)?.[1]
    // rules that are made from a table
    const table = /export const (\w+): readonly Rule\[\] = /.exec(text)?.[1]
    if (name !== undefined) names.push(`  ${name},`)
    if (table !== undefined) names.push(`  ...${table},`)
    const exported = name ?? table
    if (exported !== undefined) imports.push(`import { ${exported} } from './${relative(RULES, path)}'`)
  }
  return [
    '// Written by `npm run update`; do not edit.',
    "import type { Rule } from './rule.ts'",
    ...imports,
    '',
    '/** Every rule. */',
    'export const RULES: readonly Rule[] = [',
    ...names,
    ']',
    '',
  ].join('\n')
}

test('core/rules/index.ts names every rule', () => {
  const wanted = writeIndex()
  if (process.env['UPDATE'] !== undefined) writeFileSync(INDEX, wanted)
  expect(readFileSync(INDEX, 'utf8'), 'stale: run `npm run update`').toBe(wanted)
})
