import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook, permitted, type Layer } from './layers.ts'
import { classifyHost } from '../hosts.ts'

/** What ends the constant beginning of an address to which a program adds a part: `'https://host/check/…/' + number`, `…/${number}`. */
export const PATH_KEYWORDS: readonly string[] = ["/'+", "/' +", '/"+', '/" +', '/`+', '/` +', '/${']

const LONGEST_ADDRESS = 260
const LONGEST_KEY = 64
const ENDING = /\/([0-9a-f]{24,64})$/
const ADDRESS = /https?:\/\/([\w.-]{4,120})(?::\d{1,5})?((?:\/[\w.~-]{1,60}){0,6})$/
/** What stands in front of an identifier: a set of things (`/groups/…`), a document, a version in a repository. */
const OF_THING = /(?:s|\/(?:d|blob|raw|tree|commit|viewer|gist|docs?|embed|share|api))$/i

/**
 * Keys that services take as a segment of the path, in front of what is asked for: drawn as hexadecimal digits, last in the constant part of an address of a public host.
 * Facts: the documentation of ExchangeRate-API (v6), Infura, GSTIN Check: `https://host/v6/KEY/latest/USD`, `https://host/check/KEY/NUMBER`.
 */
export function* findPathKeys(layer: Layer, budget: Budget): Generator<Assignment> {
  const { text } = layer
  for (const keyword of PATH_KEYWORDS) {
    for (const hit of permitted(layer, layer.offsets(keyword))) {
      countLook(budget, LONGEST_KEY)
      const key = ENDING.exec(text.slice(Math.max(0, hit - LONGEST_KEY - 1), hit))?.[1]
      if (key === undefined) continue
      countLook(budget, LONGEST_ADDRESS)
      const start = hit - key.length
      const [whole, host = '', path = ''] = ADDRESS.exec(text.slice(Math.max(0, start - 1 - LONGEST_ADDRESS), start - 1)) ?? []
      if (whole === undefined || classifyHost(host) !== 'public' || path === '' || OF_THING.test(path)) continue
      const nameStart = start - 1 - whole.length
      yield { name: host, kind: 'secret', form: 'segment', nameStart, value: key, start, end: hit, isQuoted: true }
    }
  }
}
