import { isPasswordName } from '../../model/script/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { constantOf, resolveValue, type Value } from '../../facts/index.ts'

/** What changes a text and leaves what it says, or makes a digest of it. */
const RESHAPES =
  /^(?:trim|toUpperCase|toLowerCase|toString|valueOf|String|btoa|atob|encodeURIComponent|md5|MD5|SHA1|SHA256|sha256|hash)$/
const MAX_DEPTH = 6
/** Reads what stands in a field of the page. */
const READS_FIELD = /^(?:getValue|getSelectedKey|val)$/
const TAKES_TEXT = /^(?:getValue|val)$/

/** The value below `trim()`, `toUpperCase()` and digests, also with an empty text for what is missing: `(row.PASSWORD || '').trim()`. */
export function unwrap(value: Value, depth = 0): Value {
  if (depth > MAX_DEPTH) return value
  if (value.kind === 'choice' && value.isAnd !== true) {
    const [only, ...more] = value.options.filter((option) => constantOf(option) !== '')
    return only !== undefined && more.length === 0 ? unwrap(only, depth + 1) : value
  }
  if (value.kind !== 'call') return value
  const name = lastNameOf(value.callee) ?? ''
  if (!RESHAPES.test(name)) return value
  const [first] = value.args
  if (first !== undefined) return unwrap(first, depth + 1)
  return value.callee.kind === 'member' ? unwrap(value.callee.object, depth + 1) : value
}

/** The name by which a value is a password: its own, that of the field or of the control that it is read from; undefined: it is none. */
export function passwordNameOf(given: Value): string | undefined {
  const value = unwrap(given)
  const own = lastNameOf(value)
  if (own !== undefined && isPasswordName(own)) return own
  const here = unwrap(resolveValue(value))
  return here.kind === 'call' ? readName(here) : passwordIn(lastNameOf(here))
}

function passwordIn(name: string | undefined): string | undefined {
  return name !== undefined && isPasswordName(name) ? name : undefined
}

/** What leaves a password readable: encodings that anybody turns back, and what puts it beside other things. */
const KEEPS = /^(?:trim|toString|valueOf|String|btoa|encodeURI(?:Component)?|encodeURL|escape|stringify|base64Encode)$/
const DIGESTS = /^(?:md5|sha\d{0,3}|hash\w{0,10}|digest|encrypt)$/i

/** The password that a value holds in whatever encoding: `btoa(user) + ":" + btoa(password)`. */
export function passwordWithin(given: Value, depth = 0): { readonly at: Value; readonly name: string } | undefined {
  if (depth > MAX_DEPTH) return undefined
  const value = resolveValue(given)
  const parts = partsKept(value)
  if (parts === undefined) {
    const name = constantOf(value) === undefined ? passwordNameOf(given) : undefined
    return name === undefined ? undefined : { at: given, name }
  }
  for (const { part, key } of parts) {
    const isHeld = key !== undefined && isPasswordName(key) && constantOf(resolveValue(part)) === undefined
    const found = isHeld ? { at: part, name: key } : passwordWithin(part, depth + 1)
    // where the value has a name of its own, that is what stands at the place
    if (found !== undefined) return value === given ? found : { ...found, at: given }
  }
  return undefined
}

/** The parts that a value is put together of or encodes; undefined: it is none of these. */
function partsKept(value: Value): readonly { readonly part: Value; readonly key?: string }[] | undefined {
  switch (value.kind) {
    case 'concat':
    case 'template':
      return value.parts.map((part) => ({ part }))
    case 'choice':
      return value.options.map((part) => ({ part }))
    case 'object':
      return value.fields.map(({ key, value: part }) => ({ part, ...(key !== undefined && { key }) }))
    case 'operation':
      return []
    case 'call': {
      const name = lastNameOf(value.callee) ?? ''
      if (DIGESTS.test(name)) return []
      if (!KEEPS.test(name)) return undefined
      const parts = value.args.map((part) => ({ part }))
      return parts.length === 0 && value.callee.kind === 'member' ? [{ part: value.callee.object }] : parts
    }
    default:
      return undefined
  }
}

/** Whether a value is read from a field of the page: `byId('password').getValue()`. */
export function isTyped(given: Value): boolean {
  return READS_FIELD.test(readerOf(given))
}

/** The same of a field that takes any text, and of no list to choose from: `byId('password').getSelectedKey() === 'GENERATE'`. */
export function isTypedText(given: Value): boolean {
  return TAKES_TEXT.test(readerOf(given))
}

function readerOf(given: Value): string {
  const value = unwrap(resolveValue(unwrap(given)))
  return value.kind === 'call' ? (lastNameOf(value.callee) ?? '') : ''
}

/** `password` of `getProperty('/login/password')`, `byId('password').getValue()`, `getPassword()`. */
function readName(call: Value & { readonly kind: 'call' | 'new' | 'tagged' }): string | undefined {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const first = args[0] === undefined ? undefined : constantOf(args[0])
  if (name === 'getProperty' || name === 'get' || name === 'getObject')
    return typeof first === 'string' ? passwordIn(first.slice(first.lastIndexOf('/') + 1)) : undefined
  if (!READS_FIELD.test(name) || callee.kind !== 'member') return undefined
  const held = passwordIn(lastNameOf(callee.object))
  const control = resolveValue(callee.object)
  const id = control.kind !== 'call' || control.args[0] === undefined ? undefined : constantOf(control.args[0])
  // the id may say nothing, and the name that the control is kept under does
  return typeof id === 'string' && isPasswordName(id.replace(OF_CONTROL, '')) ? id : held
}

/** What the id of a control ends in: `passwordId`, `inp_passwordId`. */
const OF_CONTROL = /(?<=[a-z\d])(?:_id|ID|Id)$/
