import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  type Access,
  type CallValue,
  type Value,
} from '../../facts/index.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { awaited } from '../../facts/conditions.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { cookieKeyOf, leadingTextOf, secretPartsOf, storedSecretName } from '../../model/script/index.ts'
import type { CallConditions, SinkRow } from '../tables/sinks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { isSaved } from '../sinks/tags.ts'
import { templateOf } from '../sinks/templates.ts'
import { receiverOf } from '../../facts/asked-values.ts'

/** Whether a row of the table is about this call: by its arguments, options and templates. */
export function appliesTo({ only, args: positions }: SinkRow, call: CallValue, draft: FlowDraft): boolean {
  if (only === undefined) return true
  const {
    when,
    whenShell,
    whenOption,
    whenMade,
    unlessOption,
    unlessBehind,
    unlessNamed,
    unlessSum,
    minArgs = 0,
    template,
    leading,
  } = only
  const { args } = call
  if (args.length < minArgs || (unlessNamed === 'bytes' && isBytes(args[0]))) return false
  const [first] = leading === undefined ? [] : positions
  if (first !== undefined && leading?.test(args[first] === undefined ? '' : leadingTextOf(args[first]).text) !== true)
    return false
  if (template !== undefined && !template.test(templateOf(call, draft).text)) return false
  const fixed = when && args[when.index]
  if (when !== undefined && (fixed === undefined || !(when.text.test(textOf(fixed)) || isOpen(fixed, when.open)))) return false
  if (unlessSum === true && isSumBehindFolder(args[0])) return false
  if (unlessNamed === 'saved' && isSaved(receiverOf(call), draft)) return false
  const harmless = unlessOption === undefined ? undefined : optionOf(call, unlessOption.name)
  if (harmless !== undefined && unlessOption?.is?.test(lastNameOf(harmless) ?? '') !== true) return false
  if (whenMade !== undefined && !isMadeWith(call, whenMade)) return false
  if (unlessBehind !== undefined && isBehind(call, unlessBehind)) return false
  const wanted = whenShell === true ? 'shell' : whenOption
  const option = wanted === undefined ? undefined : optionOf(call, wanted)
  return wanted === undefined || (option !== undefined && constantOf(option) !== false)
}

/** `__dirname + '/images/' + req.params.name`: no function has resolved what comes from outside. */
function isSumBehindFolder(value: Value | undefined): boolean {
  const sum = value && resolveValue(value)
  if (sum === undefined || !('parts' in sum)) return false
  const [folder] = sum.parts
  const isRooted = 'texts' in sum && sum.texts[0] !== ''
  const isGiven = (part: Value): boolean => accessesOf(part).some(({ root }) => root.startsWith('parameter:'))
  if (folder === undefined || (!isRooted && findPart(folder, isGiven) !== undefined)) return false
  return (
    findPart(sum, (part) => 'callee' in part && part.args.some((given) => findPart(given, isGiven) !== undefined)) === undefined
  )
}

/** `Buffer.from(text)`, `file.buffer`; of a choice, or a name that is given several values, each of them. */
function isBytes(value: Value | undefined, depth = 0): boolean {
  const made = value && resolveValue(value)
  if (made === undefined || depth > MAX_CHOICES) return false
  const options = optionsOf(made)
  if (options !== undefined)
    return options.every((one) => one !== undefined && (constantOf(one) !== undefined || isBytes(one, depth + 1)))
  return isAnsweredInBytes(made) || accessesOf(made).some(givesBytes)
}

const MAX_CHOICES = 4

/** What a value may be, where that is more than one thing. */
function optionsOf(value: Value): readonly (Value | undefined)[] | undefined {
  const made = resolveValue(awaited(value))
  const options = alternativesOf(made)
  if (options.length > 0) return options
  const definitions = 'binding' in made ? (made.binding?.definitions ?? []) : []
  return definitions.length < 2 ? undefined : definitions.map(({ path, value: given }) => (path.length > 0 ? undefined : given))
}

function givesBytes({ root, steps }: Access): boolean {
  return (
    /(?:buffer|bytes|blob)$/i.test(steps.at(-1) ?? root) ||
    (steps.at(-1) === '()' && (root === 'global:Buffer' || GIVES_BYTES.test(steps.at(-2) ?? '')))
  )
}

/** `await response.buffer()`. Facts: node-fetch 2, "Body"; Fetch standard, "Body mixin"; sharp 0.34, "toBuffer"; Node.js 24, "stream/consumers". */
const GIVES_BYTES = /^(?:buffer|arrayBuffer|toBuffer|bytes|blob)$/

/** `answer.data` of `axios.get(url, { responseType: 'arraybuffer' })`. Fact: axios 1, "Request Config". */
function isAnsweredInBytes(value: Value): boolean {
  const asked = 'object' in value && value.name === 'data' ? resolveValue(awaited(resolveValue(value.object))) : undefined
  const type = asked !== undefined && 'callee' in asked ? optionOf(asked, 'responseType') : undefined
  return type !== undefined && /^(?:arraybuffer|stream|blob)$/i.test(String(constantOf(type) ?? ''))
}

function isMadeWith({ callee }: CallValue, name: string): boolean {
  const made = resolveValue(callee)
  const option = made.kind === 'call' ? optionOf(made, name) : undefined
  return option !== undefined && constantOf(option) !== false
}

function isBehind({ callee }: CallValue, { method, text }: NonNullable<CallConditions['unlessBehind']>): boolean {
  const before = 'object' in callee ? resolveValue(callee.object) : undefined
  if (before === undefined || !('callee' in before)) return false
  const [given] = before.args
  const isMeant = given !== undefined && lastNameOf(before.callee) === method && text.test(textOf(given))
  return isMeant || isBehind(before, { method, text })
}

function optionOf({ args }: CallValue, name: string): Value | undefined {
  for (const argument of args) {
    const value = optionIn(argument, name, 0)
    if (value !== undefined) return value
  }
  return undefined
}

const MAX_SPREADS = 4

/** The field of an object, or of one that is spread into it: `{ ...DEFAULTS, nonet: true }`. */
function optionIn(argument: Value, name: string, depth: number): Value | undefined {
  const given = resolveValue(argument)
  if (given.kind !== 'object' || depth > MAX_SPREADS) return undefined
  for (const { key, value } of given.fields.toReversed()) {
    if (key === name) return value
    const spread = value.kind === 'spread' ? optionIn(value.value, name, depth + 1) : undefined
    if (spread !== undefined) return spread
  }
  return undefined
}

/** A constant, or those in the settings: `{ type: 'text/csv' }`. */
function textOf(value: Value): string {
  const here = resolveValue(value)
  if (here.kind !== 'object') return String(constantOf(here) ?? '')
  return here.fields.map((field) => String(constantOf(field.value) ?? '')).join(' ')
}

/** `{ method }` of a function that is given it. */
function isOpen(settings: Value, name: string | undefined): boolean {
  const given = name === undefined ? undefined : fieldOf(resolveValue(settings), name)?.value
  return given !== undefined && constantOf(given) === undefined
}

/** Whether a rule on names reports the argument, or what it is kept as. */
export function isNamedSecret(argument: Value, { only }: SinkRow, { args: [first] }: CallValue): boolean {
  const { unlessNamed } = only ?? {}
  if (unlessNamed === 'logged') return secretPartsOf(argument).length > 0
  const key = stringConstantOf(first)
  return unlessNamed === 'stored' && storedSecretName(key ?? (first && lastNameOf(first)), argument) !== undefined
}

/** The same of what is assigned to `document.cookie`: `"token=" + value`. */
export function isNamedCookie(text: Value): boolean {
  return storedSecretName(cookieKeyOf(text), text) !== undefined
}

/** `redirect(url, true)` */
export function asksForWindow({ args: [, isNew] }: CallValue): boolean {
  return isNew !== undefined && constantOf(isNew) === true
}

/**
 * `window.open(url, '_blank', 'noopener')`: the new window has an origin of its own, so that a javascript: address does not run in the page's session.
 * Fact: HTML standard, "window.open" (a fresh top-level traversable) and "navigate to a javascript: URL" (only within one origin). A window of another name may
 * be open already.
 */
export function opensApart({ args: [, target, features] }: CallValue): boolean {
  const name = target === undefined ? undefined : constantOf(target)
  const given = features === undefined ? undefined : constantOf(features)
  return (
    typeof name === 'string' &&
    name.toLowerCase() === '_blank' &&
    typeof given === 'string' &&
    /\bno(?:opener|referrer)\b(?!\s{0,10}=\s{0,10}(?:0|no|false))/i.test(given)
  )
}
