import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import {
  EXCERPT_CLEANS,
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
import { QUOTED, QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'
import { LETTING_ALL } from '../tables/cleaning-packages.ts'

/** The rules for which a call makes what it gets harmless; none: it gives what it gets. */
export function cleanedBy({ callee, args }: CallValue, paths: readonly string[]): readonly string[] | undefined {
  if (paths.some((path) => LETTING_ALL.test(path)) && isLettingAll(args[1])) return []
  for (const path of paths) {
    const faults = CLEANING.get(path) ?? CLEANING.get(path.replace(DEFAULT_EXPORT, ''))
    if (faults !== undefined) return faults
  }
  const name = lastNameOf(callee) ?? ''
  if (name === 'join' && args.length > 1 && isOfFile(args[0]) && args.slice(1).every(isRooted)) return FOLDER_CHECK_CLEANS
  // quotes doubled by hand: text.replace(/'/g, "''")
  const [pattern] = args
  const replaced = pattern?.kind === 'regex' ? pattern.pattern : pattern?.kind === 'literal' ? String(pattern.value) : ''
  if (isQuoteDoubled(callee, name, replaced, args)) return [...QUERY_CLEANS, ...markupCleans(name, args), QUOTED]
  if (
    /^replace(?:All)?$/.test(name) &&
    isOfAll(name, pattern) &&
    /^(?:\\?\/|\[(?:\\?[\\/]|\s|[:*?"<>|.]){1,16}\]\+?)$/.test(replaced) &&
    replaced.includes('/')
  )
    return FOLDER_CHECK_CLEANS
  if (isClimbingRemoved(callee, name, replaced)) return FOLDER_CHECK_CLEANS
  // both dots, wherever they stand: what is left has none side by side
  if (
    /^replace(?:All)?$/.test(name) &&
    pattern?.kind === 'regex' &&
    pattern.flags.includes('g') &&
    /^\\\.(?:\\\.\+?|\{2,\})$/.test(replaced)
  )
    return FOLDER_CHECK_CLEANS
  if (isExcerpt(args, name)) return EXCERPT_CLEANS
  if (isPayload(args, name)) return PAYLOAD_CLEANS
  const stripped = strippingCleans(name, args)
  if (stripped !== undefined) return stripped
  // a mask: text.replace(/.(?=.{3})/g, '*')
  if (/^replace(?:All)?$/.test(name) && /^[*xX#.-]{1,20}[@.]?(?:\$\d)?$/.test(String((args[1] && constantOf(args[1])) ?? '')))
    return MASK_CLEANS
  // a line of a log stays one line
  if (isLeftInOneLine(name, args)) return LINE_CLEANS
  if (/^replace(?:All)?$/.test(name) && isOfAll(name, pattern) && /[\n\r]|\\[nrs]|\\p\{C|\\x00/.test(replaced)) return LINE_CLEANS
  const escaped = markupCleans(name, args)
  // of JSON the quotes are escaped as well: JSON.stringify(name).replace(/</g, '\\u003c')
  const text = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  if (escaped.length > 0 && text?.kind === 'call' && lastNameOf(text.callee) === 'stringify') return MARKUP_CLEANS
  if (escaped.length > 0) return escaped
  if (isEscapedByTable(name, args)) return MARKUP_CLEANS
  // each character that means something is escaped
  if (/^replace(?:All)?$/.test(name) && String((args[1] && constantOf(args[1])) ?? '').endsWith('$&')) return PATTERN_CLEANS
  return CLEANING_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

/** `Buffer.from(payload, 'base64url')`. Names and passwords of Basic are Base64. */
function isPayload([, encoding]: readonly Value[], name: string): boolean {
  return name === 'from' && constant(encoding) === 'base64url'
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

/** All places of a text are replaced, not the first one alone. */
function isOfAll(name: string, pattern: Value | undefined): boolean {
  return name === 'replaceAll' || (pattern?.kind === 'regex' && pattern.flags.includes('g'))
}

/** `text.replace(/'/g, "''")`, `text.split("'").join("''")`. A backslash in front ends no text of SQL. */
function isQuoteDoubled(callee: Value, name: string, replaced: string, args: readonly Value[]): boolean {
  const parted = name === 'join' && callee.kind === 'member' ? resolveValue(callee.object) : undefined
  if (parted?.kind === 'call')
    return lastNameOf(parted.callee) === 'split' && constant(parted.args[0]) === "'" && constant(args[0]) === "''"
  if (!/^replace(?:All)?$/.test(name) || !replaced.includes("'") || !isOfAll(name, args[0])) return false
  const put = String(constant(args[1]) ?? '')
  return !put.endsWith("\\'")
}

function constant(value: Value | undefined): unknown {
  return value && constantOf(value)
}

/** What is enough for between tags, and what for in attributes as well. */
function markupCleans(name: string, args: readonly Value[]): readonly string[] {
  const [found] = args
  const replaced = found?.kind === 'regex' ? found.pattern : found?.kind === 'literal' ? String(found.value) : ''
  const isOfQuotes = /["']/.test(replaced) && /^replace(?:All)?$/.test(name) && isOfAll(name, found)
  const tags = isEscapingMarkup(name, args) ? [...MARKUP_CLEANS, ...(isOfQuotes ? [] : [TAGS_ESCAPED])] : []
  return isOfQuotes ? [...tags, QUOTES_ESCAPED] : tags
}

/** `text.replace(/[&<>]/g, (char) => ENTITIES[char])`: no tag begins in what is left. */
function isEscapingMarkup(name: string, [found, put]: readonly Value[]): boolean {
  if (!/^replace(?:All)?$/.test(name) || found === undefined) return false
  if (found.kind === 'literal' && found.value === '<' && name === 'replaceAll')
    return put?.kind === 'literal' && put.value === '&lt;'
  if (found.kind !== 'regex' || !found.flags.includes('g')) return false
  const characters = found.pattern === '<' ? '<' : (/^\(?\[([^\]^][^\]]*)\]\)?$/.exec(found.pattern)?.[1] ?? '')
  return characters.includes('<') && put !== undefined && !(put.kind === 'literal' && String(put.value).includes('<'))
}

/** `Array.from(text, (char) => ENTITIES.get(char) ?? char)`, `[...text].map((char) => ENTITIES[char] || char)`. */
function isEscapedByTable(name: string, args: readonly Value[]): boolean {
  const fact = functionOf(name === 'from' ? args[1] : name === 'map' ? args[0] : undefined)
  const [item] = fact?.parameters ?? []
  if (fact === undefined || item === undefined) return false
  const isItem = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === item
  const isLookUp = (value: Value): boolean => {
    if (value.kind === 'member') return isItem(value.property) && escapesTags(value.object)
    const { callee, args: keys } = value.kind === 'call' ? value : { callee: value, args: [] }
    return callee.kind === 'member' && callee.name === 'get' && isItem(keys[0]) && escapesTags(callee.object)
  }
  return fact.returns.length > 0 && fact.returns.every((value) => value.kind === 'choice' && value.options.some(isLookUp))
}

/** A table with an entry for `<`. */
function escapesTags(table: Value): boolean {
  const made = resolveValue(table)
  if (made.kind === 'object') return fieldOf(made, '<') !== undefined
  const [entries] = made.kind === 'new' ? made.args : []
  const list = entries && resolveValue(entries)
  return (
    list?.kind === 'array' &&
    list.items.some((entry) => entry.kind === 'array' && entry.items[0] !== undefined && constantOf(entry.items[0]) === '<')
  )
}

/** `path.normalize(name).replace(/^(\.\.[/\\])+/, '')`: normalized, a name climbs at its beginning alone. */
function isClimbingRemoved(callee: Value, name: string, pattern: string): boolean {
  if (name !== 'replace' || callee.kind !== 'member' || !/^\^\((?:\?:)?\\\.\\\./.test(pattern)) return false
  const made = resolveValue(callee.object)
  return made.kind === 'call' && lastNameOf(made.callee) === 'normalize'
}

/** `token.slice(-4)`, `key.slice(0, 6)`: too little to use it. */
function isExcerpt([from, to]: readonly Value[], name: string): boolean {
  if (!/^(?:slice|substring|substr)$/.test(name)) return false
  const [first, second] = [from && constantOf(from), to && constantOf(to)]
  if (typeof first === 'number' && first < 0) return true
  return typeof second === 'number' && second >= 0 && second <= 12
}

/** `text.replace(/[^\w]/g, '')`: nothing is left that could end a text, and a path neither where dots or slashes are gone. Two dashes begin a comment of SQL. */
function strippingCleans(name: string, args: readonly Value[]): readonly string[] | undefined {
  const put = replacementOfUnlisted(name, args)
  if (put === undefined || !/^[\w ]*$|^-$/.test(put)) return undefined
  const [found] = args
  const kept = found?.kind === 'regex' ? found.pattern : ''
  const isAnyPath = kept.includes('.') && kept.includes('/')
  const isComment = put === '-' && !kept.endsWith('+')
  const left = STRIPPED_CLEANS.filter(
    (fault) => !(isAnyPath && fault === NOT_OF_PATHS) && !(isComment && fault === NOT_OF_DASHES),
  )
  return [...left, ...LINE_CLEANS]
}

/** `text.replace(/[^A-Za-z ]/g, '?')`: no line ends among characters of a list; `$&` puts back what was found. */
function isLeftInOneLine(name: string, args: readonly Value[]): boolean {
  const put = replacementOfUnlisted(name, args)
  return put !== undefined && !/[$\r\n]/.test(put)
}

/** What stands in for all characters that a list does not have. */
function replacementOfUnlisted(name: string, [found, put]: readonly Value[]): string | undefined {
  if (!/^replace(?:All)?$/.test(name) || found?.kind !== 'regex' || !found.flags.includes('g')) return undefined
  if (!/^(?:\[\^(?:[\w.:, @/+=-]|\\[wd./-]){1,200}\]|\\[WD])[+*]?$/.test(found.pattern)) return undefined
  return put?.kind === 'literal' ? String(put.value) : undefined
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
