import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import { holdsAt, matchesAt, type WordPlaces } from '../../keywords/index.ts'
import { fileNameOf } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { blankComments, mentionsOf } from './code-words.ts'
import { withoutEnding } from './modules.ts'

/** A name that a script reads of a module, at an offset of its text: `load` of `require('./orders').load`. */
export interface ModuleRead {
  /** As written, `./orders`; of what is loaded in another way the last part of its path. */
  readonly source: string
  /** `*`: whatever it exports; nothing where its name is never spoken of. */
  readonly name: string
  readonly at: number
}

/**
 * What scripts read of modules of the project, as their text tells: facts are not made of each script, and one that is not seen here would be taken for one
 * that calls nothing. What is not understood reads all of a module.
 */
export const moduleReads: Extract<ModuleRead> = defineExtract({
  name: 'reach-module-reads',
  keywords: ['require', 'import', 'export'],
  // most scripts of pages only speak of what they need
  collectText: (text, hits) => (mayRead(text, hits) ? readsIn(blankComments(text), text, hits) : []),
})

export const ALL = '*'
/** What is read of a module that is loaded into a name of which nothing speaks. */
export const NOTHING = ''

/** The beginning of each form below. */
const MAY_CALL = /\b(?:require(?:\.resolve)?|import)\s{0,10}\(/y
const MAY_NAME = /\bfrom\s{0,10}["']/

function mayRead(text: string, hits: WordPlaces): boolean {
  return holdsAt(text, hits.places(text, ['require', 'import']), MAY_CALL) || MAY_NAME.test(text)
}

/** `require('./orders')`, `import('./orders')`; without a literal what stands in the parentheses. */
const CALL = /\b(require(?:\.resolve)?|import)\s{0,10}\(\s{0,40}(?:(["'`])([^"'`\n$]{1,300})\2\s{0,10}\)|([^\n]{0,300}))/y
/** What a call is given to: `const orders =`, `const { load, save: keep } =`. */
const NAMED =
  /(^|[^.\p{ID_Continue}$])([\p{ID_Continue}$]{1,100})(?:\s{0,10}:\s{0,10}\p{ID_Continue}{1,60})?\s{0,10}=\s{0,20}(?:await\s{1,10})?$/u
const TAKEN = /\{([^{}]{0,2000})\}\s{0,10}=\s{0,20}(?:await\s{1,10})?$/
/** Others read it of this module: `export const orders = require('./orders')`. */
const EXPORTED = /\bexport\s{1,10}(?:const|let|var|import)\s[^;]{0,200}$/
const FIELD = /^\s{0,40}\??\.\s{0,40}([\p{ID_Continue}$]{1,100})/u
/** `import orders, { load } from './orders'`, `export * from './orders'`. */
const STATEMENT =
  /\b(import|export)\s{0,10}((?:type\s)?[\p{ID_Continue}$\s{},*]{1,1500}?)\s{0,10}\bfrom\s{0,10}(["'])([^"'\n]{1,300})\3/uy
/** The end of one that may have comments in its middle. */
const FROM = /\bfrom\s{0,10}(["'])([^"'\n]{1,300})\1/g
const PATTERN = /\}\s{0,10}=\s{0,20}(?:await\s{1,10})?$/
const LONGEST = 2200
const LONGEST_NAME = 200

/** `code`: the text without comments, which says the same words at the same places. */
function* readsIn(code: string, text: string, hits: WordPlaces): Generator<ModuleRead> {
  const bound = new Map<string, Set<string>>()
  const bind = (name: string, source: string): void => {
    const sources = bound.get(name) ?? new Set()
    bound.set(name, sources.add(source))
  }
  const declared = new Set<number>()
  const loading: Span[] = []
  for (const { 0: call, 3: literal, 4: made = '', index } of matchesAt(code, hits.places(text, ['require', 'import']), CALL)) {
    if (literal === undefined) {
      yield* partsOf(made, index)
      continue
    }
    const source = sourceOf(literal)
    loading.push({ start: index, end: index + call.length })
    if (!source.startsWith('.')) yield { source, name: ALL, at: index }
    const before = code.slice(Math.max(0, index - LONGEST_NAME), index)
    const field = FIELD.exec(code.slice(index + call.length, index + call.length + 200))?.[1]
    const taken = PATTERN.test(before) ? TAKEN.exec(code.slice(Math.max(0, index - LONGEST), index))?.[1] : undefined
    const named = NAMED.exec(before)
    if (field !== undefined && !/^(?:then|catch|finally|default)$/.test(field)) yield { source, name: field, at: index }
    else if (taken !== undefined && field === undefined) yield* namesIn(taken, source, index)
    else if (named !== null && field === undefined && !EXPORTED.test(before) && endsStatement(code, index + call.length)) {
      const name = named[2] ?? ''
      declared.add(index - before.length + named.index + (named[1] ?? '').length)
      bind(name, source)
    } else yield { source, name: ALL, at: index }
  }
  for (const {
    0: { length },
    1: kind,
    2: clause = '',
    4: path = '',
    index,
  } of matchesAt(code, hits.places(text, ['import', 'export']), STATEMENT)) {
    const source = sourceOf(path)
    loading.push({ start: index, end: index + length })
    if (!source.startsWith('.')) yield { source, name: ALL, at: index }
    const [, names] = /\{([^{}]*)\}/.exec(clause) ?? []
    if (names !== undefined) yield* namesIn(names, source, index)
    const whole = clause.replace(/\{[^{}]*\}/, '')
    if (kind === 'export' && whole.includes('*')) yield { source, name: ALL, at: index }
    else for (const [name] of whole.matchAll(/[\p{ID_Continue}$]+/gu)) if (name !== 'as' && name !== 'type') bind(name, source)
  }
  const ends = new Set(loading.map(({ end }) => end))
  for (const { 0: from, 2: path = '', index } of code.matchAll(FROM))
    if (!ends.has(index + from.length)) yield { source: sourceOf(path), name: ALL, at: index }
  if (bound.size === 0) return
  const isLoading = createSpanIndex(loading, (span) => span)
  const unread = new Set(bound.keys())
  for (const { start, chain, before, isQuoted } of mentionsOf(code, bound)) {
    if (declared.has(start) || isLoading(start).length > 0) continue
    // a text may name it for a call that is put together
    unread.delete(chain[0] ?? '')
    if (isQuoted) continue
    const isWhole = chain.length === 1 || before === '.' || chain[1] === 'default'
    for (const source of bound.get(chain[0] ?? '') ?? []) yield { source, name: isWhole ? ALL : (chain[1] ?? ALL), at: start }
  }
  for (const name of unread) for (const source of bound.get(name) ?? []) yield { source, name: NOTHING, at: 0 }
}

/** Of the names of a pattern, each counts; `...rest` takes all. */
function* namesIn(names: string, source: string, at: number): Generator<ModuleRead> {
  if (/\.\.\.|\[|\bdefault\b/.test(names)) yield { source, name: ALL, at }
  for (const [name] of names.matchAll(/[\p{ID_Continue}$]{1,100}/gu)) yield { source, name, at }
}

/** `const orders = require('./orders')` alone, not `require('./orders')(app)`. */
function endsStatement(code: string, end: number): boolean {
  return /^\s{0,400}(?:[;,)}\w$'"/]|$)/.test(code.slice(end, end + 500))
}

/** The last parts of what may be paths: `path.join(__dirname, 'handlers', 'orders')`; any module of the project, too, where they don't tell its name. */
function* partsOf(made: string, at: number): Generator<ModuleRead> {
  const given = givenOf(made.replaceAll(/\/\*[^*]{0,200}\*\//g, ''))
  let isNamed = false
  for (const [, , text = ''] of given.matchAll(/(["'`])([^"'`\n]{1,300})\1/g)) {
    const name = lastPart(text)
    if (!/^[\w.-]+$/.test(name)) continue
    isNamed = true
    yield { source: name, name: ALL, at }
  }
  if (!(isNamed && tellsName(given)) && made.trim() !== ')') yield { source: ALL, name: ALL, at }
}

/** What stands between the parentheses; all of it where they don't end on the line. */
function givenOf(made: string): string {
  let depth = 0
  for (const { 0: one, index } of made.matchAll(/["'`][^"'`]{0,300}["'`]|[()]/g))
    if (one === '(') depth++
    else if (one === ')' && --depth < 0) return made.slice(0, index)
  return made
}

/** A literal comes first or last, and is no piece of a name: `name + '/orders'`, but not `'./handlers/' + name` or `'./order-' + name`. */
function tellsName(given: string): boolean {
  if (/^\s{0,40}(?:\[|(["'])[^"'\n]{1,300}\1\s{0,10},)/.test(given)) return true
  const [, before = '', literal = ''] = /([^\s])\s{0,10}["'`]([^"'`\n]{1,300})["'`][\s,)]{0,20}$/.exec(`(${given}`) ?? []
  const name = lastPart(literal)
  if (!/^[\w.-]+$/.test(name) || name === 'index') return false
  return (
    before === '(' ||
    before === ',' ||
    (before === '+' && literal.includes('/')) ||
    (before === ':' && /\?\s{0,10}["'][^"']{1,300}["']\s{0,10}:/.test(given))
  )
}

/** Of a path behind an alias the last part. */
function sourceOf(path: string): string {
  return /^\.{1,2}(?:\/|$)/.test(path) ? path : path.includes('/') || path.startsWith('#') ? lastPart(path) : `${PACKAGE}${path}`
}

/** What stands before the name of a package. */
export const PACKAGE = 'package:'

function lastPart(path: string): string {
  return withoutEnding(fileNameOf(path))
}
