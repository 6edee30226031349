import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** Requests whose whole address a link to the app chooses: `$.ajax({ url: startupParameters.script[0] })`. Facts: jQuery 3.7, "jQuery.ajax" and "jQuery.get"; Fetch standard. */
export const chosenRequests: Extract<Span> = defineExtract({
  name: 'ui5-chosen-requests',
  keywords: ['startupParameters'],
  collect: ({ facts }) => facts.calls.flatMap((call) => (isChosen(call) ? { start: call.start, end: call.end } : [])),
})

const ASKS = /^(?:ajax|get|getJSON|fetch|load)$/

function isChosen({ callee, args: [first] }: CallValue): boolean {
  if (first === undefined || !ASKS.test(lastNameOf(callee) ?? '')) return false
  return isOfStart(fieldOf(first, 'url')?.value ?? first)
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
