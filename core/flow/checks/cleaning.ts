import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, fieldOf, resolveValue, stringConstantOf, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import {
  EXCERPT_CLEANS,
  FEW_CLEANS,
  LINE_CLEANS,
  MARKUP_CLEANS,
  MASK_CLEANS,
  NOT_OF_DASHES,
  NOT_OF_PATHS,
  PATTERN_CLEANS,
  PAYLOAD_CLEANS,
  QUERY_CLEANS,
  STRIPPED_CLEANS,
} from '../models/written-cleaning.ts'
import { CLEANING, CLEANING_NAMES, FOLDER_CHECK_CLEANS, PARSING, MERGING_PACKAGES } from '../tables/propagators.ts'
import { AS_JSON } from '../tables/part-names.ts'
import { OWN_NAMES } from '../tables/web.ts'
import { QUOTED, QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'
import { toMark } from '../field-marks.ts'
import { decodingOf } from './decoding.ts'
import { LETTING_ALL } from '../tables/cleaning-packages.ts'
import { type Replacement, replacementIn, putForUnlisted, escapesTags } from './replacements.ts'

/** The rules for which a call makes what it gets harmless; none: it gives what it gets. */
export function cleanedBy(call: CallValue, paths: readonly string[]): readonly string[] | undefined {
  const { callee, args } = call
  if (paths.some((path) => LETTING_ALL.test(path)) && isLettingAll(args[1])) return []
  if (paths.includes('global:JSON stringify'))
    return [...(CLEANING.get('global:JSON stringify') ?? []), namesOwn(args) ? OWN_NAMES : AS_JSON]
  for (const path of paths) {
    const faults = CLEANING.get(path) ?? CLEANING.get(path.replace(DEFAULT_EXPORT, ''))
    if (faults !== undefined) return faults
  }
  const name = lastNameOf(callee) ?? ''
  if (name === 'join' && args.length > 1 && isOfFile(args[0]) && args.slice(1).every(isRooted)) return FOLDER_CHECK_CLEANS
  if (isBehindLastDot(call)) return FOLDER_CHECK_CLEANS
  const replacement = replacementIn(call)
  const cleaned = replacement && cleanedByReplacing(replacement)
  if (cleaned !== undefined) return cleaned
  if (isExcerpt(args, name)) return isFew(args, name) ? FEW_CLEANS : EXCERPT_CLEANS
  // the user comes first. Fact: RFC 7617, section 2
  if (name === 'split' && constant(args[0]) === ':') return USER_CLEANS
  if (isPayload(args, name) || isReadPayload(args, name)) return PAYLOAD_CLEANS
  if (isEscapedByTable(name, args)) return MARKUP_CLEANS
  return CLEANING_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

/**
 * `JSON.stringify(error, Object.getOwnPropertyNames(error))`: message and stack, which JSON leaves out otherwise; of what lies deeper only fields with these names. Fact: ECMAScript 2025,
 * "JSON.stringify", a list as `replacer`.
 */
function namesOwn([, replacer]: readonly Value[]): boolean {
  const made = replacer && resolveValue(replacer)
  if (made === undefined) return false
  if ('items' in made) return made.items.every((one) => TOLD_ALONE.test(stringConstantOf(one) ?? ''))
  return 'callee' in made && /^(?:getOwnPropertyNames|ownKeys)$/.test(lastNameOf(made.callee) ?? '')
}

/** Properties of an exception that hold no request: `JSON.stringify(error, ['message', 'code'])`. */
const TOLD_ALONE = /^(?:message|stack|name|code|status(?:Code|Text)?|errno|syscall|cause)$/

/** What separates folders, if there is a slash among it: `/[\\/]/`, `/`. */
const SEPARATORS = /^(?:\\?\/|\[[\\/\s:*?"<>|.]{1,32}\]\+?)$/
/** Both dots, wherever they stand: what is left has none side by side. */
const DOTS = /^\\\.(?:\\\.\+?|\{2,\})$/
/** `path.normalize(name).replace(/^(\.\.[/\\])+/, '')`: normalized, a name climbs at its beginning alone. */
const CLIMBING = /^\^\((?:\?:)?\\\.\\\./
/** Of a single character nothing is hidden. */
const MASK = /^[*xX#.-]{1,20}[@.]?(?:\$\d)?$/
const LINE_ENDS = /[\n\r]|\\[nrs]|\\p\{C|\\x00/

function cleanedByReplacing(replacement: Replacement): readonly string[] | undefined {
  const { of, found, isPattern, isAll, written = '' } = replacement
  const text = of && resolveValue(of)
  const made = text?.kind === 'call' ? lastNameOf(text.callee) : undefined
  const markup = markupCleans(replacement)
  // quotes doubled by hand; a backslash in front ends no text of SQL
  if (isAll && found.includes("'") && !written.endsWith("\\'")) return [...QUERY_CLEANS, ...markup, QUOTED]
  const staysInFolder =
    (isAll && ((found.includes('/') && SEPARATORS.test(found)) || (isPattern && DOTS.test(found)))) ||
    (made === 'normalize' && CLIMBING.test(found))
  if (staysInFolder) return FOLDER_CHECK_CLEANS
  const unlisted = putForUnlisted(replacement)
  const stripped = unlisted === undefined ? undefined : strippingCleans(found, unlisted)
  if (stripped !== undefined) return stripped
  if (MASK.test(written) && (isPattern || found.length !== 1)) return MASK_CLEANS
  // a line of a log stays one line; `$&` puts back what was found
  if (unlisted !== undefined && !/[$\r\n]/.test(unlisted)) return LINE_CLEANS
  if (isAll && LINE_ENDS.test(found)) return LINE_CLEANS
  // of JSON the quotes are escaped as well: JSON.stringify(name).replace(/</g, '\\u003c')
  if (markup.length > 0) return made === 'stringify' ? MARKUP_CLEANS : markup
  // each character that means something is escaped
  return written.endsWith('$&') ? PATTERN_CLEANS : undefined
}

/** What is enough for between tags, and what for in attributes as well. */
function markupCleans(replacement: Replacement): readonly string[] {
  const isOfQuotes = replacement.isAll && /["']/.test(replacement.found)
  const tags = escapesTags(replacement) ? [...MARKUP_CLEANS, ...(isOfQuotes ? [] : [TAGS_ESCAPED])] : []
  return isOfQuotes ? [...tags, QUOTES_ESCAPED] : tags
}

/** `text.replace(/[^\w]/g, '')`: nothing is left that could end a text, and a path neither where dots or slashes are gone. Two dashes begin a comment of SQL. */
function strippingCleans(found: string, put: string): readonly string[] | undefined {
  if (!/^[\w ]*$|^-$/.test(put)) return undefined
  const isAnyPath = found.includes('.') && found.includes('/')
  const isComment = put === '-' && !found.endsWith('+')
  const left = STRIPPED_CLEANS.filter(
    (fault) => !(isAnyPath && fault === NOT_OF_PATHS) && !(isComment && fault === NOT_OF_DASHES),
  )
  return [...left, ...LINE_CLEANS]
}

/** `Buffer.from(payload, 'base64url')`. Names and passwords of Basic are Base64. */
function isPayload([, encoding]: readonly Value[], name: string): boolean {
  return name === 'from' && constant(encoding) === 'base64url'
}

/** `JSON.parse(Buffer.from(part, 'base64').toString())`, `JSON.parse(atob(part))`: the claims of a token; names and passwords of Basic are no JSON. */
function isReadPayload([text]: readonly Value[], name: string): boolean {
  let made = name === 'parse' && text !== undefined ? resolveValue(text) : undefined
  if (made !== undefined && 'callee' in made && lastNameOf(made.callee) === 'toString' && 'object' in made.callee)
    made = resolveValue(made.callee.object)
  return made !== undefined && 'callee' in made && decodingOf(made) === 'bytes'
}

/** `name.split('.').pop()`: what is left has no dot, so no two side by side. */
function isBehindLastDot({ callee, args: [index] }: CallValue): boolean {
  const name = lastNameOf(callee)
  const parts = 'object' in callee ? resolveValue(callee.object) : undefined
  const isItem = name === 'pop' || name === 'shift' || (name === 'at' && typeof constant(index) === 'number')
  return (
    isItem && parts !== undefined && 'callee' in parts && lastNameOf(parts.callee) === 'split' && constant(parts.args[0]) === '.'
  )
}

/** A constant, or a name of the module: `__dirname`, `ROOT`. */
function isOfFile(value: Value | undefined): boolean {
  if (value?.kind !== 'reference') return value !== undefined && constantOf(value) !== undefined
  return value.binding === undefined || value.binding.function.kind === 'file'
}

/** `path.normalize('/' + name)`, `path.join('/', name)`: nothing climbs above the root, so that in `path.join(FOLDER, …)` it stays in the folder. */
function isRooted(value: Value): boolean {
  if (constantOf(value) !== undefined) return true
  const made = resolveValue(value)
  if (made.kind !== 'call' || !/^(?:normalize|join|resolve)$/.test(lastNameOf(made.callee) ?? '')) return false
  const [first] = made.args
  return first !== undefined && leadingTextOf(first).text === '/'
}

/** `import escape from 'escape-html'` is what `require('escape-html')` is. */
const DEFAULT_EXPORT = / default(?= |$)/

/** `sanitizeHtml(text, { allowedTags: false })` lets all elements through. Fact: documentation of sanitize-html 2, "Allowing all tags". */
function isLettingAll(options: Value | undefined): boolean {
  const settings = options && resolveValue(options)
  const tags = settings?.kind === 'object' ? fieldOf(settings, 'allowedTags')?.value : undefined
  return tags !== undefined && constantOf(tags) === false
}

function constant(value: Value | undefined): unknown {
  return value && constantOf(value)
}

/** `Array.from(text, (char) => ENTITIES.get(char) ?? char)`, `[...text].map((char) => ENTITIES[char] || char)`. */
function isEscapedByTable(name: string, args: readonly Value[]): boolean {
  const fact = functionOf(name === 'from' ? args[1] : name === 'map' ? args[0] : undefined)
  const [item] = fact?.parameters ?? []
  if (fact === undefined || item === undefined) return false
  const isItem = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === item
  const isLookUp = (value: Value): boolean => {
    if (value.kind === 'member') return isItem(value.property) && hasTag(value.object)
    const { callee, args: keys } = value.kind === 'call' ? value : { callee: value, args: [] }
    return callee.kind === 'member' && callee.name === 'get' && isItem(keys[0]) && hasTag(callee.object)
  }
  return fact.returns.length > 0 && fact.returns.every((value) => value.kind === 'choice' && value.options.some(isLookUp))
}

/** A table with an entry for `<`. */
function hasTag(table: Value): boolean {
  const made = resolveValue(table)
  if (made.kind === 'object') return fieldOf(made, '<') !== undefined
  const [entries] = made.kind === 'new' ? made.args : []
  const list = entries && resolveValue(entries)
  return (
    list?.kind === 'array' &&
    list.items.some((entry) => entry.kind === 'array' && entry.items[0] !== undefined && constantOf(entry.items[0]) === '<')
  )
}

const USER_CLEANS: readonly string[] = [toMark('0', EXCERPT_CLEANS)]

/** `token.slice(-4)`, `key.slice(0, 6)`: too little to use it. */
function isExcerpt([from, to]: readonly Value[], name: string): boolean {
  if (!/^(?:slice|substring|substr)$/.test(name)) return false
  const [first, second] = [from && constantOf(from), to && constantOf(to)]
  if (typeof first === 'number' && first < 0) return true
  return typeof second === 'number' && second >= 0 && second <= 12
}

/** `currency.substring(0, 3)`; lists, which a query of an address may give too, have `slice` as well. */
function isFew([from, to]: readonly Value[], name: string): boolean {
  if (name === 'slice') return false
  const [first, second] = [from && constantOf(from), to && constantOf(to)]
  return first === 0 && typeof second === 'number' && second >= 0 && second <= 3
}

/** What it gives is an object, no text. */
export function isMerging(path: string): boolean {
  return (
    PARSING.has(path) ||
    MERGING_PACKAGES.some((module) => path.startsWith(module)) ||
    path.startsWith('global:Object ') ||
    path.startsWith('global:Array ') ||
    path.startsWith('global:JSON ')
  )
}

/** `escape(text)` of a file of the project: for which rules it is enough, its body says. */
export function isEscapeOfProject(call: CallValue, paths: readonly string[]): boolean {
  return isCalledAs(/^(?:escape|encode|quote)/i, call, paths)
}

/** `sanitize(name)` of a file of the project: what its body does counts beside what its name says. */
export function isSanitizerOfProject(call: CallValue, paths: readonly string[]): boolean {
  return isCalledAs(/^(?:sanitize|purify)/i, call, paths)
}

function isCalledAs(name: RegExp, { callee }: CallValue, paths: readonly string[]): boolean {
  return name.test(lastNameOf(callee) ?? '') && paths.some((path) => /^module:\.{0,2}\//.test(path))
}
