import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, type CallValue } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'

/**
 * One item for each script whose server takes the host of a request from X-Forwarded-Host, which clients of a platform's router may send.
 * Fact: Express 5, "Express behind proxies" (`trust proxy`: `req.hostname` and `req.host` are those of X-Forwarded-Host).
 */
export const trustingServers: Extract<true> = defineExtract({
  name: 'cap-trusting-servers',
  keywords: ['trust proxy'],
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    if (facts.calls.some(trustsProxies)) yield true
  },
})

function trustsProxies({ callee, args: [setting, value] }: CallValue): boolean {
  if (callee.kind !== 'member' || setting === undefined || constantOf(setting) !== 'trust proxy') return false
  if (callee.name === 'enable') return true
  const constant = value && constantOf(value)
  return callee.name === 'set' && value !== undefined && constant !== false && constant !== 0
}

/** `req.hostname`; `req.headers.host` stays what the router has looked at. */
export const IS_TRUSTED_HOST: RegExp = /\b(?:req|request|oReq|oRequest)\.(?:hostname|host)$/i
