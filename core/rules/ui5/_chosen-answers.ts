import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, createGuardReader, fieldOf, findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** Requests whose whole address a link to the app chooses: `$.ajax({ url: startupParameters.script[0] })`. Facts: jQuery 3.7, "jQuery.ajax" and "jQuery.get"; Fetch standard. */
export const chosenRequests: Extract<Span> = defineExtract({
  name: 'ui5-chosen-requests',
  keywords: ['startupParameters'],
  collect({ facts, step }) {
    const guarded = createGuardReader(facts.guards, step)
    return facts.calls.flatMap((call) => {
      const address = chosenAddress(call)
      if (address === undefined) return []
      const tests = guarded(call.start)
      step(tests.length)
      return tests.some(({ test }) => limits(test, address)) ? [] : { start: call.start, end: call.end }
    })
  },
})

const ASKS = /^(?:ajax|get|getJSON|fetch|load)$/

function chosenAddress({ callee, args: [first] }: CallValue): Value | undefined {
  if (first === undefined || !ASKS.test(lastNameOf(callee) ?? '')) return undefined
  const address = fieldOf(first, 'url')?.value ?? first
  return isOfStart(address) ? address : undefined
}

/** `KNOWN.includes(address)`, `isAllowed(address)`, `address === "/probe.js"`: a condition looks at more than whether there is one. */
function limits(test: Value, address: Value): boolean {
  if (!('binding' in address) || address.binding === undefined) return false
  const { binding } = address
  const isAddress = (part: Value): boolean => 'binding' in part && part.binding === binding
  const holds = (part: Value): boolean => findPart(part, isAddress) !== undefined
  return (
    findPart(test, (part) => {
      if ('callee' in part) return [part.callee, ...part.args].some(holds)
      return 'operands' in part && part.operands.some(isAddress) && part.operands.some((one) => Boolean(constantOf(one)))
    }) !== undefined
  )
}

const MAX_DEPTH = 6

/** `params && params.script && params.script[0]`. Fact: SAPUI5, "Component.getComponentData" in the Fiori launchpad: `startupParameters` holds lists of what the address of the app carries. */
function isOfStart(value: Value, depth = 0): boolean {
  const made = resolveValue(value)
  if (depth > MAX_DEPTH) return false
  if ('options' in made)
    return (made.isAnd === true ? made.options.slice(-1) : made.options).some((one) => isOfStart(one, depth + 1))
  return 'object' in made && (made.name === 'startupParameters' || isOfStart(made.object, depth + 1))
}

/** Whether the data that arrived is the answer of such a request. */
export function isOfChosenRequest({ origin, steps: [source] }: FlowHit, { scripts }: Pick<Project, 'scripts'>): boolean {
  const span = source?.at.span
  if (origin !== 'backend' || source === undefined || span === undefined) return false
  return scripts.of(source.at.file, chosenRequests).some((call) => isWithin(span, call) || isWithin(call, span))
}
