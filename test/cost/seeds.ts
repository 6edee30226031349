import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples } from '../rules/examples.ts'
import type { Files } from './grow.ts'

const RULES = new URL('../../core/rules', import.meta.url).pathname

/** The examples of all rules: together they have every kind of file, and all that a rule looks at. */
export function readSeeds(): readonly { readonly name: string; readonly files: Files }[] {
  return readdirSync(RULES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) =>
      readExamples(readFileSync(join(RULES, name), 'utf8'), name).map(({ title, files }) => ({
        name: `${name}: ${title}`,
        files,
      })),
    )
}
