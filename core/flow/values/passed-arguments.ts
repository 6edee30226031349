import { accessesOf, type CallValue } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'

/** How many of its arguments, from the first one on, a call gives in another form. */
export function countPassed(call: CallValue, paths: readonly string[]): number {
  if (isMadeByFunction(call, paths)) return 0
  return isBasedOnPage(call, paths) ? 1 : Infinity
}

/** `new URL(path, location.href)`: of the own address the host alone counts. */
function isBasedOnPage({ args: [, base] }: CallValue, paths: readonly string[]): boolean {
  return (
    base !== undefined &&
    paths.includes('global:URL new') &&
    accessesOf(base).some(({ root, steps }) => OWN_ADDRESS.test([root, ...steps].join(' ')))
  )
}

const OWN_ADDRESS =
  /^global:(?:(?:window|document|self|globalThis) )*(?:location(?: (?:href|origin))?|document (?:baseURI|URL)|baseURI)$/

/** `Array.from(text, (character) => …)`: what the function gives, and nothing else. */
function isMadeByFunction({ args: [, given] }: CallValue, paths: readonly string[]): boolean {
  return given !== undefined && functionOf(given) !== undefined && paths.includes('global:Array from')
}
