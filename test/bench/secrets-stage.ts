import { readFileSync } from 'node:fs'
import { tuneEngine } from '../../adapters/node/tune-engine.ts'
import { createBudget } from '../../core/budget.ts'
import { createEngine } from '../../core/engine.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { openArchive } from '../../core/project/archive.ts'
import { decodeText } from '../../core/project/decode.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { RULES } from '../../core/rules/index.ts'
import { createCredentialFile, isRowRule } from '../../core/secrets/index.ts'

/**
 * The search for credentials alone, with all types: the automaton over the bytes, then whatever the rules of the area look at. Inflating, decoding and
 * parsing are no part of it: a scan has done them already. The first pass is as cold as in a scan, with the engine tuned as for one; the best of the others
 * is that of a server that is warm, whose engine has compiled all that it will.
 */
const LEAST_PASSES = 5
const MOST_PASSES = 40
/** Bytes until the engine has compiled what it will. */
const WARM = 200e6
const isUntuned = process.argv[3] === 'untuned'
if (!isUntuned) tuneEngine('scans')

const rules = RULES.filter(({ id }) => id.startsWith('secrets/'))
const engine = createEngine(rules)
const files = [...openArchive(new Uint8Array(readFileSync(process.argv[2] ?? '')), DEFAULT_LIMITS).entries].flatMap((entry) => {
  const found = classifyPath(entry.path)
  const raw = found.class === 'out' ? undefined : entry.read()
  const text = raw && decodeText(raw)?.text
  if (found.class === 'out' || raw === undefined || text === undefined) return []
  return [{ path: entry.path, kind: found.kind, scope: found.class, raw, text }]
})

function searchAll(): number {
  let matches = 0
  for (const { path, kind, scope, raw, text } of files) {
    const hits = engine.keywords.find(raw)
    const budget = createBudget(Number.MAX_SAFE_INTEGER)
    const credentials = createCredentialFile({ path, kind, scope, text, content: { as: 'text' }, hits, budget })
    // as the phase *read* does
    const rows = credentials.rowRules().flatMap((id) => engine.rules.get(id) ?? [])
    const worded = engine.concerned('credentials', hits).filter(({ id }) => !isRowRule(id))
    for (const rule of [...worded, ...rows])
      for (const _ of rule.checks.credentials?.(credentials, { date: '2026-11-20' }) ?? []) matches++
  }
  return matches
}

const bytes = files.reduce((sum, { raw }) => sum + raw.length, 0)
const count = Math.min(MOST_PASSES, Math.max(LEAST_PASSES, Math.ceil(WARM / bytes)))
const passes: number[] = []
let matches = 0
for (let pass = 0; pass < count; pass++) {
  const before = process.cpuUsage()
  matches = searchAll()
  const { user, system } = process.cpuUsage(before)
  passes.push((user + system) / 1e6)
}
const [first = 0, ...others] = passes
process.stdout.write(`${JSON.stringify({ bytes, first, best: Math.min(...others), matches })}\n`)
