import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../core/advisories/database.ts'

const RECORDS = 300
/** Characters of a title, which are cut to 200. */
const TITLE = 90_000

/** An advisory with a title that is longer than any. */
function advisory(id: string): string {
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '4.17.21' }] }]
  return JSON.stringify({
    id,
    summary: `${'x'.repeat(TITLE)}${id}`,
    affected: [{ package: { ecosystem: 'npm', name: 'lodash' }, ranges }],
  })
}

// a cut text keeps the whole one in memory: a database that lies would fill that of the service
test('what is kept of an advisory is what is told of it', async () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('no garbage collection')
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const answer = async (url: string | URL | Request): Promise<Response> =>
    new Response(advisory(String(url).split('/').at(-1) ?? ''), { headers: { 'content-type': 'application/json' } })
  const database = openDatabase('http://database.example', answer)
  const ids = Array.from({ length: RECORDS }, (_, at) => `GHSA-aaaa-bbbb-${at}`)
  const before = used()
  const load = async (): Promise<number> => (await database.loadDetails(new Set(ids), AbortSignal.timeout(60_000))).size
  expect(await load()).toBe(RECORDS)
  const grown = used() - before
  // they are kept: nothing is asked for again
  expect(await load()).toBe(RECORDS)
  expect(grown).toBeLessThan((RECORDS * TITLE) / 4)
})
