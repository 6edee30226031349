/** `tsx test/compare/cds.ts <folder>`: reads every .cds file of a folder with our parser and with the compiler, and prints where they differ. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseCds } from '../../core/parse/cds/index.ts'
import { outlineOf } from '../parse/cds/outline.ts'
import { outlineOfCompiler } from '../parse/cds/outline-compiler.ts'

const [folder = '.'] = process.argv.slice(2)
const counts = { files: 0, unreadable: 0, different: 0, refused: 0 }

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.cds')) continue
  compare(entry, readFileSync(join(folder, entry), 'utf8'))
}
say(JSON.stringify(counts))
process.exitCode = counts.unreadable + counts.different === 0 ? 0 : 1

function compare(file: string, text: string): void {
  counts.files++
  let expected
  try {
    expected = outlineOfCompiler(text, file)
  } catch (error) {
    counts.refused++
    say(`${file}: the compiler refuses it: ${String(error).slice(0, 300)}`)
  }
  try {
    const document = parseCds(text)
    for (const { start } of document.errors) {
      counts.unreadable++
      say(`${file}: skipped near ${JSON.stringify(text.slice(Math.max(0, start - 40), start + 40))}`)
    }
    if (expected !== undefined) report(file, outlineOf(document), expected)
  } catch (error) {
    counts.unreadable++
    say(`${file}: ${String(error)}`)
  }
}

function report(file: string, ours: Record<string, unknown>, theirs: Record<string, unknown>): void {
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (isDeepStrictEqual(ours[key], theirs[key])) continue
    counts.different++
    say(`${file}: ${key}\n  ours   ${JSON.stringify(ours[key])}\n  theirs ${JSON.stringify(theirs[key])}`)
  }
}
