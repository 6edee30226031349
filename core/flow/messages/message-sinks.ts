import {
  accessesOf,
  constantOf,
  findOrigin,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { MARKUP_CONTROLS } from '../tables/controls.ts'

const MARKUP: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc', 'location', 'href'])
const RUNNERS: ReadonlySet<string> = new Set([
  'eval',
  'Function',
  'execScript',
  'globalEval',
  'write',
  'writeln',
  'html',
  'insertAdjacentHTML',
  'setContent',
])

/** Where the data runs as code or becomes markup, in the listener itself. */
export function findMessageSink(
  facts: ScriptFacts,
  { start, end }: FunctionFact,
  data: ReadonlySet<Value>,
  step: (count?: number) => void,
): Value | undefined {
  if (data.size === 0) return undefined
  step(facts.assignments.length + facts.calls.length)
  const isMade = (value: Value): boolean =>
    findOrigin(value, (part) => {
      step()
      return data.has(part) ? 'source' : undefined
    }) !== undefined
  for (const { target, value } of facts.assignments)
    if (target.start >= start && target.end <= end && MARKUP.has(target.name ?? '') && isMade(value)) return target
  for (const call of facts.calls) {
    if (call.start < start || call.end > end || !runs(call)) continue
    if (call.args.some(isMade)) return call.callee
  }
  return undefined
}

/** What writes markup, or leads this window elsewhere, `javascript:` addresses included. */
function runs({ kind, callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (RUNNERS.has(name)) return true
  const places = accessesOf(callee).map(({ root, steps }) => [root, ...steps].join(' '))
  if (kind !== 'new')
    return (name === 'replace' || name === 'assign') && places.some((place) => place.startsWith('global:location '))
  return places.some((place) => MARKUP_CONTROLS.has(place)) && !args.some(sanitizes)
}

function sanitizes(settings: Value): boolean {
  const own = settings.kind === 'object' ? settings.fields.find(({ key }) => key === 'sanitizeContent') : undefined
  return own !== undefined && constantOf(own.value) === true
}
