import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  createCodeReader,
  excerptOf,
  resolveValue,
  type FunctionFact,
  type Guard,
  type Value,
} from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import { isContextName, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { additionsOf } from './row-filters.ts'

/** A handler that limits rows by a user whom the client names, and leaves where none is named. Its span is the question whether there is one. */
interface ClientFilter extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly entities: readonly string[] | undefined
  /** What the client names the user by, as it is asked for. */
  readonly value: string
}

/** Names of what says who somebody is. */
const SUBJECT = /user|scim|e-?mail|login|employee|principal|requester|owner/i
/** The caller, or a condition that no row fulfills: rows are kept from some. */
const KEEPS =
  /\.user\b|\bjwt\b|authInfo|\[\s{0,4}(?:['"]?1['"]?|\{\s{0,4}val\s{0,4}:\s{0,4}1\s{0,4}\})\s{0,4},\s{0,4}['"]=['"]\s{0,4},\s{0,4}(?:['"]?0|\{\s{0,4}val\s{0,4}:\s{0,4}0)/
const REFUSES = /\b(?:reject|throw)\b|\.\s{0,4}error\b|\breturn\s{0,4}\[\s{0,4}\]/

/** `const user = req.data.user_id || req.headers['x-user']; if (!user) return; req.query.where({ owner: user })` in a handler before READ. */
export const clientFilters: Extract<ClientFilter> = defineExtract({
  name: 'cap-client-filters',
  keywords: ['query'],
  prefilter: (text) => /\bREAD\b|'\*'/.test(text) && /\breturn\b/.test(text) && SUBJECT.test(text) && KEEPS.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    const readings = findHandlers(facts).filter(
      ({ phase, events, fact }) =>
        phase === 'before' && fact !== undefined && events.some((name) => name === 'READ' || name === '*'),
    )
    if (readings.length === 0) return
    const additions = [...additionsOf(facts, step)]
    const keeps = createCodeReader(text, (code) => KEEPS.test(code))
    for (const { fact, service, entities } of readings) {
      step()
      if (fact === undefined || !keeps(fact)) continue
      const own = additions.filter((addition) => isWithin(addition, fact))
      step(additions.length + facts.guards.length)
      const leaving = own.length === 0 ? undefined : facts.guards.find((guard) => isLeaving(guard, fact, text))
      const value = leaving && missingIn(leaving.test)
      if (value === undefined || own.some(({ start }) => start < value.end)) continue
      const { start, end } = value
      const { name, kind } = service
      yield { start, end, service: name, isConnected: kind === 'connected', entities, value: excerptOf(text, namedIn(value)) }
    }
  },
})

/** A way out of the handler itself, where something of the client is missing. */
function isLeaving({ exits, inside, test, function: around }: Guard, fact: FunctionFact, text: string): boolean {
  const value = exits && around === fact ? missingIn(test) : undefined
  return value !== undefined && !REFUSES.test(text.slice(inside.start, inside.end)) && isOfClient(value)
}

/** `!user`, `user === undefined` */
function missingIn(test: Value): Value | undefined {
  if (test.kind !== 'operation') return undefined
  const [one, other] = test.operands
  if (test.operator === '!') return one
  return /^===?$/.test(test.operator) && other !== undefined && isNothing(other) ? one : undefined
}

/** All that it may be comes with the request, and one of its names says that it is a user. */
function isOfClient(value: Value): boolean {
  const accesses = accessesOf(value)
  const isSent = accesses.every(
    ({ root, steps }) =>
      root.startsWith('parameter:') && isContextName(root.slice('parameter:'.length)) && SENT.test(steps.join('.')),
  )
  return accesses.length > 0 && isSent && accesses.some(({ steps }) => SUBJECT.test(steps.at(-1) ?? ''))
}

/** Data, query options and headers of the request. */
const SENT = /^(?:data|headers|_queryOptions)(?:\.|$)|^(?:_|http|(?:_\.|http\.)?req)(?:\.(?:query|headers|body|params)(?:\.|$)|$)/

function namedIn(value: Value): Value {
  const here = resolveValue(value)
  return here.kind === 'choice' ? (here.options[0] ?? value) : here.kind === 'member' ? here : value
}
