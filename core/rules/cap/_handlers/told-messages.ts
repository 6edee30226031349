import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isConstant, valuesOf, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, spanOf } from '../../../facts/span-index.ts'
import { createServiceReader } from '../../../model/cap/index.ts'
import { createDevelopmentReader, isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Messages of exceptions that only developers get: `process.env.NODE_ENV === 'production' ? 'Failed' : error.message`. */
export const developmentMessages: Extract<Span> = defineExtract({
  name: 'cap-development-messages',
  keywords: ['.message', '.stack'],
  prefilter: (text) => DEVELOPMENT.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const isOfDevelopers = createDevelopmentReader(facts)
    for (const { value } of valuesOf(facts)) {
      step()
      if (value.kind !== 'member' || !/^(?:message|stack)$/.test(value.name ?? '')) continue
      step(facts.guards.length)
      if (isOfDevelopers(value)) yield spanOf(value)
    }
  },
})

const DEVELOPMENT = /prod|dev|debug|test/i

/** Blocks of `catch` that get exceptions with a fixed text of the script alone: what is tried calls nothing else that throws. */
export const ownCatches: Extract<Span> = defineExtract({
  name: 'cap-own-catches',
  keywords: ['catch'],
  prefilter: (text) => /\bthrow\s{1,4}new\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const { tried, start, end } of facts.partial) {
      if (tried === undefined) continue
      const calls = callsIn(tried)
      step(1 + calls.length)
      if (!OPEN.test(text.slice(tried.start, tried.end)) && calls.every(isOwn)) yield { start, end }
    }
  },
})

/** It waits for something, or throws what it got. */
const OPEN = /\bawait\b|\byield\b|\bthrow\b(?!\s{1,9}new\b)/

/** `new Error('No stock left')`, `Number(text)`. */
function isOwn(call: CallValue): boolean {
  const name = lastNameOf(call.callee) ?? ''
  if (call.kind === 'new') return /^(?:\w{0,40}Error|Date|Map|Set)$/.test(name) && call.args.every((given) => isConstant(given))
  return isLogCall(call) || (call.callee.kind === 'reference' && /^(?:Number|String|Boolean|parseInt|parseFloat)$/.test(name))
}

/** What follows on calls of services that CAP connects to by a name of their own, up to the end of its `catch`: mostly other systems, whose exceptions hold the request and the answer. */
export const remoteCatches: Extract<Span> = defineExtract({
  name: 'cap-remote-catches',
  keywords: ['connect'],
  prefilter: (text) => /\bcatch\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const serviceOf = createServiceReader(facts)
    const callsIn = createInnerIndex(facts.calls)
    for (const { tried, end } of facts.partial) {
      if (tried === undefined) continue
      const calls = callsIn(tried)
      step(1 + calls.length)
      const asks = ({ callee }: CallValue): boolean => {
        if (callee.kind !== 'member' || !ASKS.test(callee.name ?? '')) return false
        const { kind, name } = serviceOf(callee.object)
        return kind === 'connected' && name !== undefined && !OF_PLATFORM.test(name)
      }
      if (calls.some(asks)) yield { start: tried.end, end }
    }
  },
})

const ASKS = /^(?:run|send|get|post|put|patch|delete|read|create|update)$/
const OF_PLATFORM = /^(?:db|auth|messaging|queue|outbox|audit-log|cds\.xt\..{0,80})$|messag/i
