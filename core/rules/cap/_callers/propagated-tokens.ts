import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { chainBack, findPart, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode, isOfServerFolder, runsOnServer } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { carriesToken } from './shared-tokens.ts'

/** A request to another system, by the call that makes it. */
interface SentRequest extends Span {
  /** With the token of the caller: that system knows who calls then, and decides by the rights of that user. */
  readonly isPropagated: boolean
}

/**
 * `executeHttpRequest({ destinationName, jwt: retrieveJwt(req) }, …)`, `fetch(url, { headers: { Authorization: req.headers.authorization } })`.
 * Facts: SAP Cloud SDK 4, "Principal propagation"; SAP BTP, "OAuth SAML Bearer Assertion Authentication".
 */
export const sentRequests: Extract<SentRequest> = defineExtract({
  name: 'cap-sent-requests',
  keywords: ['executeHttpRequest', 'axios', 'fetch', 'got', 'superagent', 'needle', 'request', 'http', 'Axios'],
  prefilter: (text) => SENDS.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    // pages send requests of their own
    if (!runsOnServer(path, facts) && !isOfServerFolder(path)) return
    const { calls } = facts
    for (const call of calls) {
      step()
      if (!isRequest(call)) continue
      step(call.args.length * PART_COST)
      const isPropagated = call.args.some((argument) => findPart(argument, carriesToken) !== undefined)
      yield { start: call.start, end: call.end, isPropagated }
    }
  },
})

const SENDS = /\b(?:executeHttpRequest|axios|fetch|got|superagent|needle|request)\w{0,20}\b|sapCfAxios|https?["'.]/
const PART_COST = 8
const FUNCTIONS = /^(?:executeHttpRequest(?:WithOrigin)?|fetch|axios|got|needle|request|rp|sapCfAxios)$/
const CLIENTS = /^(?:axios|got|superagent|needle|https?|request|undici)$/
const METHODS = /^(?:get|post|put|patch|delete|head|request|send|fetch)$/

function isRequest({ kind, callee }: CallValue): boolean {
  if (kind !== 'call') return false
  if (callee.kind === 'reference') return FUNCTIONS.test(callee.name)
  if (callee.kind !== 'member') return false
  if (callee.name?.startsWith('executeHttpRequest') === true) return true
  const root = [...chainBack(callee.object)].at(-1)
  return METHODS.test(callee.name ?? '') && root !== undefined && CLIENTS.test(lastNameOf(root) ?? '')
}
