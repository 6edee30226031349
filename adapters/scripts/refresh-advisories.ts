/**
 * `tsx adapters/scripts/refresh-advisories.ts --date=2026-11-20 <npm.json>`: writes core/advisories/snapshot.ts from a JSON array of advisory facts:
 * {id, aliases, package, affected: [{introduced, fixed | lastAffected}], severity, cwe, title, malware?}. The date is the day of the facts.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { packRecords } from '../../core/advisories/compact.ts'
import { isVersion } from '../../core/advisories/intervals.ts'
import type { AdvisoryRecord } from '../../core/advisories/record.ts'
import { toTitle } from './advisory-titles.ts'

const TARGET = new URL('../../core/advisories/snapshot.ts', import.meta.url)

const ID = /^[A-Z][A-Za-z0-9-]{3,60}$/
const id = z.string().regex(ID)
const version = z.string().refine((text) => text === '0' || isVersion(text), 'not a version')
const fact = z.object({
  id,
  aliases: z.array(id),
  package: z.string().regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i),
  affected: z.array(z.object({ introduced: version, fixed: version.optional(), lastAffected: version.optional() })).min(1),
  severity: z.enum(['CRITICAL', 'HIGH', 'MODERATE', 'LOW']).transform((word) => (word === 'MODERATE' ? 'MEDIUM' : word)),
  cwe: z.array(z.string().regex(/^CWE-\d{1,5}$/)),
  title: z.string().min(1).max(200),
  malware: z.boolean().optional(),
})

const source = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const date = process.argv.find((argument) => argument.startsWith('--date='))?.slice('--date='.length)
if (source === undefined || date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date))
  throw new Error('needs --date=2026-11-20 and a file')

const facts = z.array(fact).parse(JSON.parse(await readFile(source, 'utf8')))
const records = facts
  .map((it): AdvisoryRecord => ({
    id: it.id,
    aliases: it.aliases,
    package: it.package,
    severity: it.severity,
    title: toTitle(it.title, it.package),
    cwe: it.cwe.map((name) => Number(name.slice('CWE-'.length))),
    malware: it.malware === true,
    intervals: it.affected,
  }))
  .sort((a, b) => order(a.package, b.package) || order(a.id, b.id))

await writeFile(
  TARGET,
  `// Written by adapters/scripts/refresh-advisories.ts. Facts about npm packages met in UI5, CAP and BTP projects; the titles are in words of our own.
// Source of the facts: GitHub Advisory Database (https://github.com/github/advisory-database), licensed under CC BY 4.0
// (https://creativecommons.org/licenses/by/4.0/); see NOTICE.

/** Day that the snapshot is as of. */
export const ADVISORY_DATE = '${date}'

/** ${records.length} records as compact.ts reads them. */
export const ADVISORY_RECORDS = \`${packRecords(records).replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`)}\`
`,
)

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
