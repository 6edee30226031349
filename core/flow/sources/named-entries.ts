import { stringConstantOf, type Value } from '../../facts/index.ts'
import { isSecretName } from '../../model/script/index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { SECRET_FIELDS, SECRET_HEADERS } from '../tables/secrets.ts'

/** Cookies and what holds a session, by whatever name a back end knows it. */
const SESSION = /cookie|session/i

/**
 * `if (headers[i].name === 'content-type') type = headers[i].value`: that header alone is read, and it is no credential.
 * Facts: SAP HANA XS JavaScript API reference, $.web.TupelList: a list of headers, cookies or parameters, each with name and value.
 */
export function isOrdinaryEntry(
  { name, object, start }: Value & { readonly kind: 'member' },
  { text, checks, step }: FlowDraft,
): boolean {
  if (name !== 'value') return false
  const entry = text.slice(object.start, object.end)
  const isName = (value: Value): boolean =>
    'object' in value && value.name === 'name' && text.slice(value.object.start, value.object.end) === entry
  return checks.guardsAt(start).some(({ test, inside }) => {
    step()
    return isAround(inside, start) && namesOrdinary(test, isName)
  })
}

function namesOrdinary(test: Value, isName: (value: Value) => boolean): boolean {
  if (!('operands' in test) || !/^===?$/.test(test.operator)) return false
  const [left, right] = test.operands
  if (left === undefined || right === undefined) return false
  // name.toLowerCase()
  const asked = 'callee' in left && 'object' in left.callee ? left.callee.object : left
  const wanted = stringConstantOf(right)
  return isName(asked) && wanted !== undefined && !isSecret(wanted)
}

function isSecret(name: string): boolean {
  return SESSION.test(name) || SECRET_HEADERS.test(name) || SECRET_FIELDS.has(name.toLowerCase()) || isSecretName(name)
}
