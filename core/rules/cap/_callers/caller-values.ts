import { accessesOf, findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { mentionsUser } from './asked-users.ts'
import { isContext, isContextName } from '../../../model/script/index.ts'

/** Functions of other files that tell who asks, of what they are given. */
const TELLS =
  /^(?!create|update|delete|insert|save|add|remove|log|set)[a-z_]{0,30}(?:user|principal|caller|identity|employee|customer|partner|vendor|supplier|member|account|profile|person|organi[sz]ation|company|tenant)(?:id|name|key|email|record|info)?$/i

const SPEAKS = /\b(?:user|authInfo|tokenInfo|user_name)\b/

/** Something of it comes from who calls, also by way of a function that gets the request: of the file, where it speaks of the user; of another one by its name. */
export function mentionsCaller(value: Value, text: string): boolean {
  return mentionsUser(value) || findPart(value, (part) => part.kind === 'call' && tellsCaller(part, text)) !== undefined
}

function tellsCaller(call: CallValue, text: string): boolean {
  if (!call.args.some(isContext)) return false
  const own = functionOf(call.callee)
  return own === undefined ? TELLS.test(lastNameOf(call.callee) ?? '') : SPEAKS.test(text.slice(own.start, own.end))
}

const MAX_DEPTH = 6
/** Fact: @sap/cds 9.9.3, lib/req/user.js: each request has a user with an id ('anonymous' without a login) and an object of attributes. */
const ALWAYS =
  /^(?:(?:req|request|oReq|oRequest|context)\.)?(?:user(?:\.(?:id|attr|tokenInfo|authInfo))?|query(?:\..*)?|target(?:\..*)?|data|params|headers)$/

/** Each request has it, so that a condition which asks for it excludes nobody. */
export function isAlwaysThere(value: Value, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const here = resolveValue(value)
  if (here.kind === 'await') return isAlwaysThere(here.value, depth + 1)
  if (here.kind === 'literal') return Boolean(here.value)
  if (here.kind === 'template') return true
  if (here.kind === 'choice' && here.isAnd !== true && here.test === undefined)
    return here.options.some((option) => isAlwaysThere(option, depth + 1))
  if (here.kind === 'call') {
    const returns = functionOf(here.callee)?.returns ?? []
    return returns.length > 0 && returns.every((returned) => isAlwaysThere(returned, depth + 1))
  }
  const accesses = accessesOf(here)
  return accesses.length > 0 && accesses.every(({ root, steps }) => isOfRequest(root, steps))
}

function isOfRequest(root: string, steps: readonly string[]): boolean {
  if (root.startsWith('parameter:')) {
    const name = root.slice('parameter:'.length)
    const path = isContextName(name) ? steps : [name, ...steps]
    return path.length === 0 || ALWAYS.test(path.join('.'))
  }
  return /^(?:global:cds|module:@sap\/cds)$/.test(root) && ALWAYS.test(steps.join('.'))
}
