import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { FlowHit } from '../../../flow/index.ts'
import { developmentSpansOf, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Places of the scripts of a server that only developers get to: `if (process.env.NODE_ENV === 'development') { … }`, what follows on `if (isProduction) return`. */
export const developerPlaces: Extract<Span> = defineExtract({
  name: 'cap-developer-places',
  keywords: [],
  withFlow: true,
  isFor: (path) => !isOfUi5App(path),
  prefilter: (text) => /NODE_ENV|CDS_ENV|isDev|isProd|isTest|isLocal|profiles/i.test(text),
  collect: ({ facts }) => developmentSpansOf(facts),
})

/** So many ways to one place are looked at. */
const MOST_WAYS = 20

/** Whether every way of data to a place leads through one that only developers get to. Needs the extract `developerPlaces`. */
export function isForDevelopers(hit: FlowHit, scripts: Scripts): boolean {
  const isOfDevelopers = ({ steps }: FlowHit): boolean =>
    steps.some(
      ({ at: { file, span } }) => span !== undefined && scripts.of(file, developerPlaces).some((one) => isWithin(span, one)),
    )
  if (!isOfDevelopers(hit)) return false
  let left = MOST_WAYS
  for (const other of hit.others?.() ?? []) if (left-- === 0 || !isOfDevelopers(other)) return false
  return true
}
