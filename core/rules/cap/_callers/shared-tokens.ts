import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  type Binding,
  type Definition,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'

/** A token that the first caller's token was exchanged for, in a variable of the module. */
interface SharedToken extends Span {
  readonly name: string
}

const NAME = /token|jwt|bearer|authorization/i

/**
 * `if (!erpToken) erpToken = await exchange(req.headers.authorization)`: made once, for whoever comes first.
 * Facts: RFC 7523, "JWT Bearer"; RFC 8693, "Token Exchange"; SAP Cloud SDK 4, `retrieveJwt`.
 */
export const sharedTokens: Extract<SharedToken> = defineExtract({
  name: 'cap-shared-tokens',
  keywords: ['authorization', 'Authorization', 'jwt-bearer', 'user_token', 'token-exchange', 'retrieveJwt'],
  prefilter: (text) => /\b(?:let|var)\s{1,4}[^;=\n]{0,200}(?:token|jwt|bearer|authorization)/i.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const binding of facts.bindings) {
      if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !NAME.test(binding.name))
        continue
      for (const definition of binding.definitions) {
        step(facts.guards.length)
        const { start, end, value, kind, path, function: within } = definition
        if (kind !== 'assign' || value === undefined || path.length > 0 || within.kind === 'file') continue
        if (isMadeOnce(binding, definition, facts) && isOfCaller(value)) yield { name: binding.name, start, end }
      }
    }
  },
})

/** Only where the variable is empty: `??=`, `if (!token) token = …`, `if (token) return token`. */
function isMadeOnce(binding: Binding, { operator, start, function: within }: Definition, { guards }: ScriptFacts): boolean {
  if (operator === '??=' || operator === '||=') return true
  return guards.some(({ test, inside, function: around }) => {
    if (around !== within || findPart(test, (part) => 'binding' in part && part.binding === binding) === undefined) return false
    return isAround(inside, start) || within.returns.some((given) => inside.end <= start && isWithin(given, inside))
  })
}

/** It is obtained with the token of the request; a JWT that the program signs itself is its own. */
function isOfCaller(value: Value): boolean {
  return findPart(value, isTokenOfRequest) !== undefined && findPart(value, isSigned) === undefined
}

const GRANTS = /grant-type:(?:jwt-bearer|token-exchange)|^user_token$/

/** A token that came with the request, or the grant that exchanges it. */
export function isTokenOfRequest(part: Value): boolean {
  if ('callee' in part) {
    const name = lastNameOf(part.callee) ?? ''
    if (/^(?:retrieveJwt|exchangeToken|getTokenOnBehalfOf)$/.test(name)) return true
    const [asked] = part.args
    return /^(?:get|header)$/.test(name) && asked !== undefined && /^authorization$/i.test(String(constantOf(asked)))
  }
  // what is read of headers, and not what a request is sent with
  if ('object' in part) return /^authorization$/i.test(part.name ?? '') && /^headers$/.test(lastNameOf(part.object) ?? '')
  const text = stringConstantOf(part)
  return text !== undefined && GRANTS.test(text)
}

const USER_TOKEN = /^user_?(?:jwt|token|access_?token)$/i

/** A part that only the token of a caller has: `req.headers.authorization`, `retrieveJwt(req)`, `identity.userJwt`, `req.authInfo.getAppToken()`. */
export function isTokenOfCaller(part: Value): boolean {
  if ((part.kind === 'member' || part.kind === 'reference') && USER_TOKEN.test(part.name ?? '')) return true
  if (part.kind === 'call' && part.callee.kind === 'member' && /^get(?:App|Hdb)?Token(?:Value)?$/.test(part.callee.name ?? ''))
    return /^(?:authInfo|tokenInfo|securityContext)$/.test(lastNameOf(part.callee.object) ?? '')
  return constantOf(part) === undefined && isTokenOfRequest(part)
}

/** An object that tells whom a request is for by a token of the caller: `{ destinationName, jwt }`, `{ Authorization: req.headers.authorization }`. */
export function carriesToken(part: Value): boolean {
  return (
    part.kind === 'object' &&
    part.fields.some(
      ({ key, value }) => /^(?:jwt|authorization)$/i.test(key ?? '') && findPart(value, isTokenOfCaller) !== undefined,
    )
  )
}

function isSigned(part: Value): boolean {
  return 'callee' in part && /^(?:sign|signJwt|createAssertion)$/.test(lastNameOf(part.callee) ?? '')
}
