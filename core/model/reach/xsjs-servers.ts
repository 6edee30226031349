import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, findPart, pathsOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { createDevelopmentReader } from '../script/index.ts'

/** The options with which a script starts a server for XSJS that asks nobody for a login. */
export const anonymousXsjs: Extract<Span> = defineExtract({
  name: 'reach-anonymous-xsjs',
  keywords: ['anonymous'],
  prefilter: (text) => text.includes('xsjs'),
  *collect({ facts }) {
    for (const { start, end } of findAnonymousXsjs(facts)) yield { start, end }
  },
})

const SERVERS = /^module:@sap\/(?:async-)?xsjs$/

/** Yields `true` of `anonymous: true` in the options of a server, and of `options.anonymous = true`: development set apart. Fact: README of @sap/xsjs 6.7.9. */
function* findAnonymousXsjs(facts: ScriptFacts): Generator<Value> {
  const given = facts.calls.flatMap(({ callee, args }) =>
    pathsOf(callee).some((path) => SERVERS.test(path.join(' '))) ? args.slice(0, 1) : [],
  )
  if (given.length === 0) return
  const isForDevelopment = createDevelopmentReader(facts)
  for (const options of given) {
    const value = fieldOf(
      findPart(options, (part) => isTrue(fieldOf(part, 'anonymous')?.value)),
      'anonymous',
    )?.value
    if (value !== undefined && !isForDevelopment(value)) yield value
  }
  for (const { target, value } of facts.assignments) {
    const { object } = target
    if (target.name !== 'anonymous' || object.kind !== 'reference' || !isTrue(value) || isForDevelopment(value)) continue
    const isOptions = (part: Value): boolean => part.kind === 'reference' && part.binding === object.binding
    if (given.some((options) => findPart(options, isOptions) !== undefined)) yield value
  }
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && constantOf(value) === true
}
