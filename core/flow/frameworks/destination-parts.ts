import {
  accessesOf,
  fieldOf,
  findOrigin,
  findPart,
  pathsOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { createInnerIndex, createOffsetIndex } from '../../facts/span-index.ts'
import { TO_DESTINATIONS } from '../tables/http-sinks.ts'
import { DESTINATION_CLIENTS, IDLE_CALLS } from '../tables/routes.ts'
import { DESTINATION_CREDENTIALS, DESTINATION_FIELDS, GIVING_DESTINATIONS } from '../tables/secrets.ts'
import type { DestinationParts } from '../types.ts'
import { isAnswer } from './route-rights.ts'

/** What functions of a file read of destinations: `(await readDestination('ERP')).destinationConfiguration`, and `config.Password` of it, perhaps in another function. */
export function createDestinationReader(
  facts: ScriptFacts,
  text: string,
): {
  readonly reading: Iterable<FunctionFact>
  of(fact: FunctionFact): { readonly credentials?: DestinationParts }
} {
  const [read, used]: [number[], number[]] = [[], []]
  // all that reads one says the word
  const mayRead = text.includes('estination')
  for (const call of text.includes('sap-cf-axios') || text.includes('executeHttpRequest') ? facts.calls : [])
    if (isTechnicalCall(call)) for (const known of [read, used]) known.push(call.start)
  for (const { value } of valuesOf(facts)) {
    if (mayRead && 'callee' in value && isGiving(value.callee)) read.push(value.start)
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
  const [readsIn, usesIn] = [createOffsetIndex(read), createOffsetIndex(used)]
  const isNone = read.length === 0 && used.length === 0
  const reading = new Set(isNone ? [] : facts.functions.filter((fact) => readsIn(fact) || usesIn(fact)))
  return {
    reading,
    of: (fact) => (reading.has(fact) ? { credentials: { isRead: readsIn(fact), isLoggedOn: usesIn(fact) } } : {}),
  }
}

function isGiving(callee: Value): boolean {
  return accessesOf(callee).some(({ root, steps }) => GIVING_DESTINATIONS.has([root, ...steps].join(' ')))
}

/**
 * A client that logs on by itself, without the user's token: `sapCfAxios('ERP')({ url })`, `executeHttpRequest({ destinationName: 'ERP' }, …)`.
 * Facts: sap-cf-axios 0.3 (README: the header Authorization of the request is the token of the user); SAP Cloud SDK 4, "Destinations" (`jwt`).
 */
function isTechnicalCall({ callee, args }: CallValue): boolean {
  const paths = pathsOf(callee).map((path) => path.join(' '))
  if (paths.some((path) => DESTINATION_CLIENTS.test(path.replace(/^module:/, ''))))
    return !args.some((given) => findPart(given, (part) => HEADERS.some((name) => fieldOf(part, name) !== undefined)))
  const [named] = paths.some((path) => TO_DESTINATIONS.has(path)) ? args : []
  const options = named && resolveValue(named)
  return options !== undefined && fieldOf(options, 'destinationName') !== undefined && fieldOf(options, 'jwt') === undefined
}

const HEADERS: readonly string[] = ['Authorization', 'authorization']

/** Tells of functions that they answer so: `res.json(await stock.list(req.query))`, `read((error, answer, body) => res.send(body))`; what a call gives, not what was caught. */
export function createPassingReader({ calls }: ScriptFacts): (fact: FunctionFact) => boolean {
  let passingIn: ((fact: FunctionFact) => readonly CallValue[]) | undefined
  return (fact) => {
    passingIn ??= createInnerIndex(
      calls.filter((call) => isAnswer(call) && call.args.flatMap((given) => writtenParts(given)).some(isGivenByCall)),
    )
    return passingIn(fact).length > 0
  }
}

function isGivenByCall(part: Value): boolean {
  const isGiven = (one: Value): boolean => {
    if ('callee' in one) return !IDLE_CALLS.test(lastNameOf(one.callee) ?? '')
    return 'binding' in one && one.binding?.kind === 'parameter' && !NOT_GIVEN.test(one.name)
  }
  return findOrigin(part, (one) => (isGiven(one) ? 'source' : undefined)) !== undefined
}

/** Parameters that are the request, the response or a fault. */
const NOT_GIVEN = /^_?(?:req|request|oReq|oRequest|resp?|response|reply|ctx|next|e|err|error|reason)$/i
