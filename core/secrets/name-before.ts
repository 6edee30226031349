/** How far left of a value its name may stand. */
const REACH = 160
const LONGEST_NAME = 64

const QUOTES_AND_BLANKS = /[\s"'`\\]/
/** `|` and `>-` of YAML, after which the value stands on lines of its own. */
const BLOCK_HEADER = /(?<=:[ \t]{1,8})[|>][-+0-9]{0,2}$/
const OPERATOR = /(?::=|=>|[:=(]|<[A-Za-z_][\w.:-]{0,63}>)$/
const NAME = /[\w$.-]/
/** `https://user:`, `-u "id!t1:`: what stands before the value is a user. */
const AFTER_USER = /[/"'!][\w$.-]{1,64}:$/

/**
 * The name that a value is given, read leftwards from the value's start: `clientsecret` of `"clientsecret": "`, `\"clientsecret\":\"`, `KEY=`,
 * `key: |`, `<key>`, `setKey("`. Undefined: nothing of the sort stands there. Only what stands before the value is looked at.
 */
export function readNameBefore(text: string, start: number): string | undefined {
  return readBefore(text, start)?.name
}

/** The same as a message names it: of an argument the call, `setKey(…)`. */
export function describeNameBefore(text: string, start: number): string | undefined {
  if (AFTER_USER.test(text.slice(Math.max(0, start - REACH), start))) return undefined
  const found = readBefore(text, start)
  return found?.operator === '(' ? `${found.name}(…)` : found?.name
}

function readBefore(text: string, start: number): { readonly name: string; readonly operator: string } | undefined {
  const from = Math.max(0, start - REACH)
  const before = text.slice(from, start)
  let end = skipBack(before, before.length)
  const block = BLOCK_HEADER.exec(before.slice(0, end))
  if (block !== null) end = skipBack(before, block.index)
  const operator = OPERATOR.exec(before.slice(0, end))?.[0]
  if (operator === undefined) return undefined
  if (operator.startsWith('<')) return { name: operator.slice(1, -1), operator }
  end = skipBack(before, end - operator.length)
  let begin = end
  while (begin > 0 && NAME.test(before[begin - 1] ?? '')) begin--
  const name = before.slice(begin, end).replace(/^[.-]+/, '')
  // cut by the reach, or no name of a field
  if ((begin === 0 && from > 0) || name.length > LONGEST_NAME || !/[A-Za-z]/.test(name)) return undefined
  return { name, operator }
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && QUOTES_AND_BLANKS.test(text[at - 1] ?? '')) at--
  return at
}
