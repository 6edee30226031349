import { accessesOf, resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { ANSWERS, ENVIRONMENTS, INTERNALS } from '../tables/routes.ts'
import type { RouteFunction } from '../types.ts'

/** What a function answers of the process that it runs in: its environment, which holds credentials, or figures and paths. */
export function tellsOf({ start, end }: FunctionFact, { calls }: ScriptFacts): RouteFunction['tells'] {
  const parts = calls.flatMap((call) => (start <= call.start && call.end <= end && isAnswer(call) ? partsOf(call.args) : []))
  if (parts.some((part) => isAt(part, ENVIRONMENTS))) return 'environment'
  return parts.some((part) => isAt(part, INTERNALS)) ? 'internals' : undefined
}

/** `res.status(200).json(…)` */
function isAnswer({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => ANSWERS.test([root, ...steps].join(' ')))
}

function partsOf(args: readonly Value[]): readonly Value[] {
  return args
    .flatMap((argument) => writtenParts(argument))
    .flatMap((part) => {
      const made = resolveValue(part)
      return made === part ? [part] : [part, ...writtenParts(made)]
    })
}

function isAt(part: Value, paths: RegExp): boolean {
  return accessesOf(part).some(({ root, steps }) => paths.test([root.replace(/^module:node:/, 'module:'), ...steps].join(' ')))
}
