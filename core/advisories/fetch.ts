import { FetchError, type Fetch } from '../network/fetch-json.ts'
import { openDatabase } from './database.ts'
import type { AdvisoryFile } from './file.ts'
import { isPublicName } from './public-names.ts'
import type { AdvisoryRecord } from './record.ts'

/** Somebody waits for it, once a day or week. */
const TIMEOUT = 600_000
/** Ids that are loaded at a time: a database must not be asked for thousands at once. */
const CHUNK = 200

/** Asks an OSV database for all that it knows about packages, whatever their version: their names alone leave the machine. Rejects with a FetchError. */
export async function fetchAdvisories(
  { url, date, fetch }: { readonly url: string; readonly date: string; readonly fetch?: Fetch },
  names: Iterable<string>,
): Promise<AdvisoryFile> {
  const database = openDatabase(url, fetch)
  const signal = AbortSignal.timeout(TIMEOUT)
  const packages = [...new Set(names)].filter(isPublicName).sort()
  const found = await database.findIds(
    packages.map((name) => ({ name })),
    signal,
  )
  const answered = found.flatMap((ids) => (ids === undefined ? [] : [ids]))
  if (answered.length < packages.length) throw new FetchError(signal.aborted ? 'timeout' : 'too-large')
  const ids = [...new Set(answered.flat())].sort()
  const wanted = new Set(packages)
  const records: AdvisoryRecord[] = []
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = new Set(ids.slice(at, at + CHUNK))
    const details = await database.loadDetails(chunk, signal)
    if (details.size < chunk.size) throw new FetchError(signal.aborted ? 'timeout' : 'not-json')
    for (const record of [...details.values()].flat()) if (wanted.has(record.package)) records.push(record)
  }
  return { format: 'parapet-advisories', version: 1, date, packages, records }
}
