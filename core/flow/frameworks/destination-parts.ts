import { accessesOf, findOrigin, valuesOf, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { isWithin } from '../../facts/span-index.ts'
import { IDLE_CALLS } from '../tables/routes.ts'
import { DESTINATION_CREDENTIALS, DESTINATION_FIELDS, GIVING_DESTINATIONS } from '../tables/secrets.ts'
import type { DestinationParts } from '../types.ts'
import { isAnswer } from './route-rights.ts'

/** What functions of a file read of destinations: `(await readDestination('ERP')).destinationConfiguration`, and `config.Password` of it, perhaps in another function. */
export function createDestinationReader(facts: ScriptFacts): {
  readonly reading: readonly FunctionFact[]
  of(fact: FunctionFact): { readonly credentials?: DestinationParts }
} {
  const [read, used]: [number[], number[]] = [[], []]
  for (const { value } of valuesOf(facts)) {
    if ('callee' in value && isGiving(value.callee)) read.push(value.start)
    if (!('object' in value) || value.name === undefined) continue
    if (DESTINATION_FIELDS.has(value.name)) read.push(value.start)
    if (DESTINATION_CREDENTIALS.has(value.name)) used.push(value.start)
  }
  // const { destinationConfiguration, authTokens } = await readDestination('ERP')
  for (const { definitions } of facts.bindings)
    for (const { path, start } of definitions) {
      if (path.some((name) => name !== undefined && DESTINATION_FIELDS.has(name))) read.push(start)
      if (path.some((name) => name !== undefined && DESTINATION_CREDENTIALS.has(name))) used.push(start)
    }
  const holds = (fact: FunctionFact, places: readonly number[]): boolean =>
    places.some((start) => isWithin({ start, end: start }, fact))
  const reading = [...read, ...used].length === 0 ? [] : facts.functions.filter((fact) => holds(fact, read) || holds(fact, used))
  return {
    reading,
    of: (fact) => (reading.includes(fact) ? { credentials: { isRead: holds(fact, read), isLoggedOn: holds(fact, used) } } : {}),
  }
}

function isGiving(callee: Value): boolean {
  return accessesOf(callee).some(({ root, steps }) => GIVING_DESTINATIONS.has([root, ...steps].join(' ')))
}

/** `res.json(await stock.list(req.query))`, `read((error, answer, body) => res.send(body))`: what a call gives, not what was caught. */
export function passesOn(fact: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) => isWithin(call, fact) && isAnswer(call) && call.args.flatMap((given) => writtenParts(given)).some(isGivenByCall),
  )
}

function isGivenByCall(part: Value): boolean {
  const isGiven = (one: Value): boolean => {
    if ('callee' in one) return !IDLE_CALLS.test(lastNameOf(one.callee) ?? '')
    return 'binding' in one && one.binding?.kind === 'parameter' && !NOT_GIVEN.test(one.name)
  }
  return findOrigin(part, (one) => (isGiven(one) ? 'source' : undefined)) !== undefined
}

/** Parameters that are the request, the response or a fault. */
const NOT_GIVEN = /^_?(?:req|request|res|response|reply|ctx|next|e|err|error|reason)$/i
