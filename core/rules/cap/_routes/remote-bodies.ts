import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { carriesOwnCredential } from '../../../flow/frameworks/route-effects.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A request to another system that logs on with a user of the application, and whose whole body is a text of the client. */
export interface RemoteBody extends Span {
  readonly method: string
  readonly part: string
}

/** Facts: SAP Cloud SDK 4, `executeHttpRequest(destination, requestConfig)`; axios 1, `axios(config)` and `axios.request(config)`. */
const SENDS = /^module:(?:@sap-cloud-sdk\/(?:http-client|core) executeHttpRequest|axios(?: default)?(?: request)?)$/
const WRITES = /^(?:post|put|patch)$/i

export const remoteBodies: Extract<RemoteBody> = defineExtract({
  name: 'cap-remote-bodies',
  keywords: ['executeHttpRequest', 'axios'],
  prefilter: (text) => /\bBasic |\bauth\b/.test(text) && /\bdata\b/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      step()
      if (!accessesOf(call.callee).some(({ root, steps }) => SENDS.test([root, ...steps].join(' ')))) continue
      const options = call.args.map((given) => resolveValue(given)).find((given) => fieldOf(given, 'data') !== undefined)
      const body = options && fieldOf(options, 'data')?.value
      const method = options && fieldOf(options, 'method')?.value
      const verb = stringConstantOf(method)
      if (options === undefined || body === undefined || verb === undefined || !WRITES.test(verb)) continue
      const part = writtenText(body)
      if (part === undefined || !logsOn(options) || isLookedAt(call, part.value, facts, step)) continue
      yield { method: verb.toUpperCase(), part: part.name, start: body.start, end: body.end }
    }
  },
})

/** `Basic` of whatever user the application has: what it got for the caller would be a token. */
function logsOn(options: Value): boolean {
  const isBasic = (part: Value): boolean => {
    const [begin] = 'texts' in part ? (part.texts ?? []) : [constantOf(part)]
    return typeof begin === 'string' && begin.startsWith('Basic ')
  }
  const headers = fieldOf(options, 'headers')?.value
  const isOfUser = headers !== undefined && findPart(headers, isBasic) !== undefined
  return carriesOwnCredential(options) && (isOfUser || fieldOf(options, 'auth') !== undefined)
}

const MAX_STEPS = 6

/** `JSON.parse(req.data.order)`, `Buffer.from(req.data.order, 'base64').toString()`: what the client sends as one text, and where it is read. */
function writtenText(body: Value): { readonly name: string; readonly value: Value } | undefined {
  let here = resolveValue(body)
  let isDecoded = false
  for (let steps = 0; steps < MAX_STEPS && here.kind === 'call'; steps++) {
    const { callee, args } = here
    const [given] = args
    const name = lastNameOf(callee) ?? ''
    const inner =
      callee.kind === 'member' && /^(?:toString|trim)$/.test(name) ? callee.object : DECODES.test(name) ? given : undefined
    if (inner === undefined) return undefined
    isDecoded ||= name !== 'stringify'
    here = resolveValue(inner)
  }
  const found = isDecoded
    ? accessesOf(here).find(
        ({ root, steps: [first, ...others] }) => isContextRoot(root) && first === 'data' && others.length === 1,
      )
    : undefined
  return found && { name: `req.${found.steps.join('.')}`, value: here }
}

/** Facts: ECMAScript, JSON; Node.js 20, Buffer.from; HTML standard, atob. */
const DECODES = /^(?:parse|stringify|from|atob|decodeURIComponent)$/

/** What the client sent, or what came of it, is compared, completed or checked. */
function isLookedAt(
  sent: CallValue,
  read: Value,
  { calls, guards, assignments }: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  step(calls.length + guards.length + assignments.length)
  const isRead = (part: Value): boolean => resolveValue(part) === read
  const holds = (value: Value): boolean => findPart(value, isRead) !== undefined
  return (
    guards.some((guard) => isOnTheWay(guard, sent.start) && holds(guard.test)) ||
    assignments.some(({ target, start }) => start < sent.start && holds(target)) ||
    calls.some((call) => call.start < sent.start && CHECKS.test(lastNameOf(call.callee) ?? '') && call.args.some(holds))
  )
}

const CHECKS = /valid|check|schema|assert|sanit|ensure|verif|allow|assign|safeParse/i
