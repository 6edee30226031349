import type { FunctionFact, ScriptFacts } from './types.ts'

/** The innermost function around an offset; the file itself where there is none. */
export function functionAround(facts: ScriptFacts, offset: number): FunctionFact | undefined {
  // functions are in the order of their starts: the last one that starts before, or one around that
  let low = 0
  let high = facts.functions.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((facts.functions[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  let here = facts.functions[low]
  while (here !== undefined && offset >= here.end && here.parent !== undefined) here = here.parent
  return here
}

/** Names of the functions around an offset, outermost first: `MainController.onInit`. The context of a fingerprint; '' at the top of the file. */
export function functionAt(facts: ScriptFacts, offset: number): string {
  const names: string[] = []
  for (let here = functionAround(facts, offset); here !== undefined; here = here.parent)
    if (here.name !== '') names.push(here.name)
  return names.reverse().join('.')
}
