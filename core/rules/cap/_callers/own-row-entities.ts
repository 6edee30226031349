import { accessesOf, type CallValue } from '../../../facts/index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { readIn } from '../_rows/owned-queries.ts'
import { mentionsCaller } from './caller-values.ts'

/** Entities of which a script takes the one row of the caller, by the last parts of their names: `SELECT.one.from(Employees).where({ mail: req.user.id })`. */
export const ownRowEntities: Extract<string> = defineExtract({
  name: 'cap-own-row-entities',
  keywords: ['SELECT'],
  prefilter: (text) => /\bSELECT\s{0,4}\.\s{0,4}one\b/.test(text) && /\buser\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const found = new Set<string>()
    for (const { base, kind, entity, terms } of scriptQueries(facts, step)) {
      if (kind !== 'read' || found.has(entity) || !isForOne(base)) continue
      step(terms.length)
      // a row that belongs to a row of the caller is not that of the caller
      if (!terms.some(({ value }) => readIn(value).length === 0 && mentionsCaller(value, text))) continue
      found.add(entity)
      yield entity
    }
  },
})

function isForOne({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => [root, ...steps].join(' ').includes('SELECT one'))
}
