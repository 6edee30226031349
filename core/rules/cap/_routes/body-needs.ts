import { defineExtract, type Extract, type OpenScript } from '../../../extracts/extract.ts'
import { accessesOf, isConditional, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { isAround } from '../../../facts/span-index.ts'
import { findUnreadBodies } from '../../../model/reach/index.ts'
import { isDeployedCode, isLogCall } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { takesRequest } from './route-answers.ts'

/**
 * Functions that take a field out of the body of their request before they do anything else: `const { id } = req.body`. Without a body they throw, and nothing has
 * happened: what stands before only prints or makes values, and what catches the exception answers.
 */
export const bodyNeeds: Extract<Span> = defineExtract({
  name: 'cap-body-needs',
  keywords: ['.body'],
  isFor: isDeployedCode,
  *collect(script) {
    const { facts, step } = script
    step(facts.bindings.length)
    for (const { function: fact, definitions } of facts.bindings) {
      if (!takesRequest(fact)) continue
      const needs = definitions.some(
        ({ kind, path, value, start }) =>
          kind === 'init' && value !== undefined && isFieldOfBody(value, path, fact) && isFirst(start, fact, script),
      )
      if (needs) yield { start: fact.start, end: fact.end }
    }
  },
})

/** Without a body, nothing of the function has an effect before this place, nor after. */
function isFirst(at: number, fact: FunctionFact, { facts, text, step }: OpenScript): boolean {
  const { guards, partial, calls } = facts
  step(guards.length + partial.length + calls.length)
  if (isConditional(guards, at)) return false
  const rescues = partial.filter(({ tried }) => tried !== undefined && isAround(tried, at))
  // what is tried, and goes on behind; of what is repeated nobody can tell
  const tried = partial.filter((span) => isAround(span, at))
  if (!tried.every(({ start }) => rescues.some((one) => one.tried?.start === start))) return false
  const goesOn = Math.min(...tried.map(({ end }) => end))
  // a promise that somebody else made, and what runs all the same
  if (text.slice(fact.start, at).includes('await')) return false
  if (rescues.length > 0 && text.slice(fact.start, fact.end).includes('finally')) return false
  return calls.every((call) => {
    if (!isAround(fact, call.start)) return true
    const isRescue = rescues.some((span) => isAround(span, call.start))
    const runs = call.start < at || call.start >= goesOn || isRescue
    return !runs || isWithoutEffect(call)
  })
}

/** It prints, answers or makes a value. */
function isWithoutEffect(call: CallValue): boolean {
  if (isLogCall(call)) return true
  const found = accessesOf(call.callee)
  return (
    found.length > 0 &&
    found.every(({ root, binding }) => (binding?.kind === 'parameter' ? ANSWERING.test(binding.name) : MAKING.test(root)))
  )
}

/** What Express hands over to answer, and to leave the answer to others. */
const ANSWERING = /^_?(?:res|resp|response|reply|next)$/i
const MAKING = /^global:(?:JSON|String|Number|Boolean|Date|Math)$/

function isFieldOfBody(value: Value, path: readonly string[], fact: FunctionFact): boolean {
  const body = path.length > 0 ? value : value.kind === 'member' ? value.object : undefined
  return (
    body?.kind === 'member' &&
    body.name === 'body' &&
    // `req.body?.id` throws nothing
    !(value.kind === 'member' && value.isOptional) &&
    body.object.kind === 'reference' &&
    body.object.binding !== undefined &&
    fact.parameters.includes(body.object.binding)
  )
}

/** Whether each function that answers a route needs a body, and nothing in the project reads one. Needs the extract `bodyNeeds`. */
export function lacksBody(answering: readonly Place[], { scripts, once }: Pick<Project, 'scripts' | 'once'>): boolean {
  const needBodies =
    answering.length > 0 &&
    answering.every(
      ({ file, span }) => span !== undefined && scripts.of(file, bodyNeeds).some((one) => isAround(one, span.start)),
    )
  if (!needBodies) return false
  const isUnread = once(findUnreadBodies)
  return answering.every(({ file }) => isUnread(file))
}
