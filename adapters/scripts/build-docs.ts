import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RULES } from '../../core/scanner.ts'
import { readSamples, renderRuleIndex, renderRulePage } from '../../core/reference.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Builds the rule reference: one static page for each rule, from its `.ts` and `.md`, and an index. */
export async function buildReference(folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true })
  for (const rule of RULES) {
    const file = join(folder, `${rule.id}.html`)
    const markdown = await readFile(join(ROOT, 'core/rules', `${rule.id}.md`), 'utf8').catch(() => '')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, renderRulePage(rule, readSamples(markdown)))
  }
  await writeFile(join(folder, 'index.html'), renderRuleIndex(RULES))
  return RULES.length
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const count = await buildReference(join(ROOT, 'dist/rules'))
  process.stdout.write(`dist/rules: ${count} pages\n`)
}
