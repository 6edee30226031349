import { functionOf } from '../../facts/callbacks.ts'
import { stringConstantOf, isConstant, resolveValue, type Binding, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { SECRET_WORDS, secretNounOf, splitWords } from './secret-names.ts'
import { fileNameOf } from '../../paths.ts'

/** Beside the words of secrets: headers that hold one, and data that tells of one person. */
const SENSITIVE = /^(?:authorization|bearer|iban|ssn|creditCard(?:Number)?)$/i
/** What protects one request or one login alone. */
const SHORT_LIVED: ReadonlySet<string> = new Set(['csrf', 'xsrf', 'nonce', 'salt'])
/** One of them stands in every name that `isSecretName` knows as one of a secret, in lower case. */
export const LASTING_SECRET_WORDS: readonly string[] = SECRET_WORDS.filter((word) => !SHORT_LIVED.has(word))
const MAX_DEPTH = 4

/** What stands behind a name elsewhere in the file: of a parameter what calls give, of a call what its function returns. */
export interface Behind {
  readonly given: (parameter: Binding) => readonly Value[]
  readonly returned: (call: CallValue) => readonly Value[]
  /** Whether the code takes a credential out of what a name holds. */
  readonly readsSecret?: (binding: Binding) => boolean
}

const HERE: Behind = { given: () => [], returned: ({ callee }) => functionOf(callee)?.returns ?? [] }

/** Parts of a value that are a secret by their name: themselves, or in an object that they name, as far as `behind` tells of it. */
export function secretPartsOf(argument: Value, behind: Behind = HERE): readonly Value[] {
  const named = new Set(namedFields(argument))
  return writtenParts(argument).filter((value) => {
    if (isConstant(value)) return false
    if (named.has(value) || isSecretName(nameOf(value))) return true
    const here = resolveValue(value)
    if (
      here.kind !== 'object' &&
      value.kind === 'reference' &&
      value.binding !== undefined &&
      behind.readsSecret?.(value.binding)
    )
      return true
    if (here.kind === 'call')
      return behind.returned(here).some((one) => resolveValue(one).kind === 'object' && holdsSecret(one, 0))
    const given = here.kind === 'reference' && here.binding?.kind === 'parameter' ? behind.given(here.binding) : [here]
    return given.some((one) => holdsSecret(one, 0))
  })
}

/** `typed` of `{ password: typed }`: a value as it is; what a call makes of it may be a mask. */
function namedFields(argument: Value): readonly Value[] {
  const [first] = argument.kind === 'call' && lastNameOf(argument.callee) === 'stringify' ? argument.args : [argument]
  if (first?.kind !== 'object') return []
  return first.fields.flatMap(({ key, value }) => (isSecretName(key) && isAsGiven(value) ? value : []))
}

function isAsGiven(value: Value): boolean {
  if (value.kind !== 'reference' && value.kind !== 'member') return false
  const here = resolveValue(value)
  if (here.kind === 'call') return (lastNameOf(here.callee) ?? '').startsWith('get')
  return (here.kind === 'reference' || here.kind === 'member') && here.kind === value.kind && lastNameOf(here) !== 'length'
}

/** An object with a secret in a field, or a value that has the name of one. */
function holdsSecret(value: Value, depth: number): boolean {
  const here = resolveValue(value)
  if (depth > MAX_DEPTH) return false
  if (here.kind !== 'object')
    return depth > 0 ? false : value.kind !== 'object' && isSecretName(nameOf(value)) && !isConstant(value)
  return here.fields.some((field) => (isSecretName(field.key) && !isConstant(field.value)) || holdsSecret(field.value, depth + 1))
}

/** Whether a name speaks of a credential or of data about one person. */
export function isSecretName(name: string | undefined): boolean {
  if (name === undefined) return false
  if (SENSITIVE.test(name)) return true
  const noun = secretNounOf(name)
  return noun !== undefined && !splitWords(name).some((word) => SHORT_LIVED.has(word))
}

/** Of an identifier, of the name of a header, of any key or the end of a path. */
const NAME_CHARACTERS: readonly RegExp[] = [/[\w$]/, /[\w$-]/, /[^"'`/\n]/]
/** A bit for each of these. */
const NAME_BITS = NAME_CHARACTERS.map((_, index) => 1 << index)
/** Which of them an ASCII character is in: to ask an expression about each character takes many times as long. All others are in the last. */
const BITS_OF: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  NAME_BITS.reduce(
    (bits, bit, index) => (NAME_CHARACTERS[index]?.test(String.fromCharCode(code)) === true ? bits | bit : bits),
    0,
  ),
)
const BEYOND_ASCII = NAME_BITS.at(-1) ?? 0
const LONGEST_NAME = 80
/** What stands before a word in a line of a comment, as formatters write them. */
const IN_COMMENT = /^\s*(?:\/\/|\/?\*{1,2}(?:\s|$))[^$]*$/
const LONGEST_LINE = 500
/** With more words of secrets than that a script is read, whatever they stand in. */
const MAX_PLACES = 2000

/**
 * Whether any name in the code of a script may be one of a secret, before anything is parsed: most words of secrets stand in comments, or in names of something
 * else. `places` are offsets at which words of secrets begin, in any order.
 */
export function mayNameSecret(text: string, places: Iterable<number>): boolean {
  const asked = new Map<string, boolean>()
  let count = 0
  for (const index of places) {
    if (++count > MAX_PLACES) return true
    for (const bit of NAME_BITS) {
      const name = nameAround(text, index, bit)
      const isSecret = asked.get(name) ?? (isSecretName(name) || isSecretName(name.replace(/^get/, '')))
      asked.set(name, isSecret)
      if (isSecret && !isInComment(text, index)) return true
    }
  }
  return false
}

function nameAround(text: string, at: number, bit: number): string {
  let [start, end] = [at, at]
  while (start > 0 && at - start < LONGEST_NAME && (bitsAt(text, start - 1) & bit) !== 0) start--
  while (end < text.length && end - at < LONGEST_NAME && (bitsAt(text, end) & bit) !== 0) end++
  return text.slice(start, end)
}

function bitsAt(text: string, at: number): number {
  return BITS_OF[text.charCodeAt(at)] ?? BEYOND_ASCII
}

function isInComment(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at) + 1
  return at - start < LONGEST_LINE && IN_COMMENT.test(text.slice(start, at))
}

/** `sToken`, `oHeaders.Authorization`, `xhr.getResponseHeader("Authorization")`. */
function nameOf(value: Value): string | undefined {
  if (value.kind === 'reference') {
    // const { token: code } = answer
    const [definition, other] = value.binding?.definitions ?? []
    const field = other === undefined ? definition?.path.at(-1) : undefined
    return field !== undefined && isSecretName(field) ? field : value.name
  }
  if (value.kind !== 'call') return lastNameOf(value)
  const name = lastNameOf(value.callee) ?? ''
  const [first] = value.args
  const key = stringConstantOf(first)
  if (/^get(?:ResponseHeader|Item|Property)?$/.test(name) && key !== undefined) return fileNameOf(key)
  return /^get[A-Z]/.test(name) && value.args.length === 0 ? name.slice('get'.length) : undefined
}
