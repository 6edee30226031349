import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, stringConstantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** So many characters hold no element of markup: `<b>` does nothing. */
const FEW = 3
/** Steps of a chain that are looked at. */
const MAX_STEPS = 8

/**
 * Whether a call leaves so few characters of a text that no markup fits into them: `text.trim().slice(0, 2)`, and the initials
 * `name.split(' ').slice(0, 2).map((word) => word[0]).join('')`. Lists have `slice`, too: what it is called on has to be a text by what made it.
 * Facts: ECMAScript, "String.prototype.slice", "Array.prototype.join".
 */
export function leavesFewCharacters(call: CallValue): boolean {
  const { callee, args } = call
  const object = receiverOf(call)
  if (object === undefined) return false
  const name = lastNameOf(callee) ?? ''
  if (/^(?:slice|substring|substr)$/.test(name)) return isUpTo(args, FEW) && (name !== 'slice' || isText(object))
  return name === 'join' && isShortOrNone(args[0]) && isOfInitials(object)
}

function isUpTo([from, to]: readonly Value[], most: number): boolean {
  const [first, second] = [from && constantOf(from), to && constantOf(to)]
  return first === 0 && typeof second === 'number' && second >= 0 && second <= most
}

/** Methods that texts alone have, or whose result is a text in any case. Fact: ECMAScript, String. */
const TEXT_METHODS =
  /^(?:trim|trimStart|trimEnd|toUpperCase|toLowerCase|toLocaleUpperCase|toLocaleLowerCase|join|replace|replaceAll|normalize|padStart|padEnd|charAt)$/

function isText(value: Value): boolean {
  const made = resolveValue(value)
  if (!('callee' in made)) return false
  const name = lastNameOf(made.callee) ?? ''
  return receiverOf(made) === undefined ? name === 'String' : TEXT_METHODS.test(name)
}

/** What stands between the characters. */
function isShortOrNone(separator: Value | undefined): boolean {
  const text = stringConstantOf(separator)
  return text !== undefined && text.length <= 1
}

/** At most three words of a text, of each its first character. */
function isOfInitials(list: Value): boolean {
  let here = resolveValue(list)
  let areFew = false
  let areSingle = false
  for (let step = 0; step < MAX_STEPS && 'callee' in here; step++) {
    const name = lastNameOf(here.callee)
    const object = receiverOf(here)
    if (object === undefined) return false
    if (name === 'split') return areFew && areSingle
    if (name === 'slice') areFew ||= isUpTo(here.args, FEW)
    else if (name === 'map') {
      // what another function makes of the words or of the characters may be longer
      if (areSingle || !givesFirst(here.args[0])) return false
      areSingle = true
    } else if (name !== 'filter' && name !== 'reverse') return false
    here = resolveValue(object)
  }
  return false
}

/** `(word) => word[0]`, `(word) => word.charAt(0).toUpperCase()`. */
function givesFirst(callback: Value | undefined): boolean {
  const fact = functionOf(callback)
  const [word] = fact?.parameters ?? []
  if (fact === undefined || word === undefined || fact.returns.length === 0) return false
  const isWord = (value: Value): boolean => 'binding' in value && value.binding === word
  return fact.returns.every((value) => isFirstOf(value, isWord))
}

function isFirstOf(value: Value, isWord: (value: Value) => boolean): boolean {
  if ('options' in value) return value.options.every((option) => constantOf(option) === '' || isFirstOf(option, isWord))
  if ('object' in value) return (value.name === '0' || isZero(value.property)) && isWord(value.object)
  const object = 'callee' in value ? receiverOf(value) : undefined
  if (!('callee' in value) || object === undefined) return false
  const name = lastNameOf(value.callee) ?? ''
  if (/^to(?:Locale)?(?:Upper|Lower)Case$/.test(name)) return isFirstOf(object, isWord)
  if (name === 'charAt' || name === 'at') return isZero(value.args[0]) && isWord(object)
  return /^(?:slice|substring|substr)$/.test(name) && isUpTo(value.args, 1) && isWord(object)
}

function isZero(value: Value | undefined): boolean {
  return value !== undefined && constantOf(value) === 0
}
