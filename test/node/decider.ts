import { writeSync } from 'node:fs'
import { openStorage } from '../../adapters/node/open-storage.ts'
import { logFaults } from '../../core/log.ts'
import { createDecisions } from '../../core/projects/decisions.ts'

/**
 * A process that decides on findings of one project as fast as it can, for a test that kills it or runs others beside it. What is acknowledged is told in the same moment:
 * `accepted <finding> <tag> <reason>`, and what was refused: `refused <finding>`. Each decision is made on what was read before.
 */
const [place = '', count = '0', findings = '1'] = process.argv.slice(2)
const decisions = createDecisions((await openStorage(place, logFaults)) ?? fail(), logFaults, () => new Date())
const tell = (line: string): unknown => writeSync(1, `${line}\n`)

function fail(): never {
  throw new Error('decisions need a storage that others see')
}

tell('begun')
for (let number = 0; number < Number(count); number++) {
  const id = `f${(number * 7919 + process.pid) % Number(findings)}`
  const seen = (await decisions.read('project')).find(id)?.etag
  // somebody else may decide here
  await new Promise((resolve) => setTimeout(resolve, 0))
  const reason = `${process.pid}-${number}`
  const outcome = await decisions.decide('project', [{ id, ...(seen !== undefined && { etag: seen }) }], {
    state: 'accepted',
    reason,
  })
  if (outcome.kind === 'changed') tell(`refused ${id}`)
  else tell(`accepted ${id} ${outcome.findings[0]?.decision?.etag} ${reason}`)
}
tell('done')
process.exit(0)
