/**
 * `tsx adapters/scripts/refresh-catalogue.ts [--date=2026-06-30] <file or address of a versionoverview.json>...`: writes core/catalogue/snapshot.ts.
 * The first document decides about a line; the others add lines and patches that it lacks, and a patch is gone where each of them that lists it says so. Without a date it is as of today.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { packLines } from '../../core/catalogue/compact.ts'
import { sortPatches, toCatalogueLines } from '../../core/catalogue/lines.ts'
import type { CatalogueLine } from '../../core/catalogue/types.ts'

const TARGET = new URL('../../core/catalogue/snapshot.ts', import.meta.url)

const sources = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const day = process.argv.find((argument) => argument.startsWith('--date='))?.slice('--date='.length)
const date = day ?? new Date().toISOString().slice(0, 10)
if (sources.length === 0 || !/^\d{4}-\d{2}-\d{2}$/.test(date))
  throw new Error('needs files or addresses, and a date like 2026-06-30')

const merged = new Map<string, CatalogueLine>()
for (const source of sources) {
  const lines = toCatalogueLines(JSON.parse(await readSource(source)))
  if (lines === undefined) throw new Error(`not a versionoverview.json: ${source}`)
  for (const line of lines) {
    const known = merged.get(line.minor)
    const removed = removedFromBoth(known, line)
    merged.set(line.minor, { ...line, ...known, patches: sortPatches([...(known?.patches ?? []), ...line.patches]), removed })
  }
}
const lines = [...merged.values()].sort((a, b) => Number(b.minor.split('.')[1]) - Number(a.minor.split('.')[1]))

await writeFile(
  TARGET,
  `// Written by adapters/scripts/refresh-catalogue.ts from versionoverview.json of SAPUI5 and OpenUI5 (https://ui5.sap.com/versionoverview.json): facts alone.

/** Day that the snapshot is as of. */
export const CATALOGUE_DATE = '${date}'

/** One line each, as compact.ts reads them: minor, support (m maintenance, o out of it, s skipped; l long-term), end of maintenance, of provisioning, patches, those of them that are removed. */
export const CATALOGUE_LINES = \`${packLines(lines)}\`
`,
)

/** SAPUI5 and OpenUI5 come from networks of their own: a patch is gone where no document that lists it still has it. */
function removedFromBoth(known: CatalogueLine | undefined, line: CatalogueLine): string[] {
  const documents = known === undefined ? [line] : [known, line]
  const gone = documents.flatMap(({ removed = [] }) => removed)
  return sortPatches(
    gone.filter((patch) => documents.every(({ patches, removed = [] }) => !patches.includes(patch) || removed.includes(patch))),
  )
}

async function readSource(source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(source, 'utf8')
  const response = await fetch(source, { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`${source} answered ${response.status}`)
  return response.text()
}
