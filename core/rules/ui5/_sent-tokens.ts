import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { createCodeReader, fieldOf, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Place, Span } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** Functions that send a request. Facts: Fetch standard; API references of jQuery 3.7 and axios 1. */
const SENDS = /^(?:fetch|ajax|axios|request|get|post|put|patch|delete)$/
/** The header with a token of the user: `Authorization: 'Bearer ' + token`, `headers.set('Authorization', token)`. */
const TOKEN_HEADER = /\bauthorization\b["'`]?\]?\s{0,8}[:=,]\s{0,8}[^;{},]{0,120}(?:bearer|token|jwt)/i

/** Requests of pages that send a token along, by what they are given: options, or what a function of the script makes of them. */
export const sentTokens: Extract<Span> = defineExtract({
  name: 'ui5-sent-tokens',
  keywords: ['Authorization', 'authorization'],
  prefilter: (text) => TOKEN_HEADER.test(text),
  withFlow: true,
  collect: ({ facts, text, step }) => [...findRequests(facts, text, step)],
})

function* findRequests(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<Span> {
  const sendsToken = createCodeReader(text, (code) => TOKEN_HEADER.test(code))
  for (const { start, end, callee, args } of facts.calls) {
    step()
    if (!SENDS.test(lastNameOf(callee) ?? '')) continue
    if (args.some((argument) => sourcesOf(argument).some((span) => sendsToken(span)))) yield { start, end }
  }
}

/** Where an argument is written: the object that a name stands for with its headers, the body of the function that makes it. */
function sourcesOf(argument: Value): readonly Span[] {
  const value = resolveValue(argument)
  const headers = value.kind === 'object' ? fieldOf(value, 'headers') : undefined
  const made = 'callee' in value ? functionOf(value.callee) : undefined
  return [value, ...(headers === undefined ? [] : [resolveValue(headers.value)]), ...(made === undefined ? [] : [made])]
}

/** Whether a request, told by a place in it, takes a token of the user to the host that it goes to. */
export function takesToken({ file, span }: Place, { scripts }: Pick<Project, 'scripts'>): boolean {
  return span !== undefined && scripts.of(file, sentTokens).some((request) => isAround(request, span.start))
}
