import type { CapElement, CapRoot } from '../../../model/cap/index.ts'
import type { CdsExpression, CdsQuery } from '../../../parse/cds/index.ts'

/**
 * A condition that is true for every row of its entity, whoever asks: `ID is not null` of a key, `state = state`, `depot in (select depot from <the same entity>)`;
 * one such branch of several is enough, of parts that are joined by `and` all are. Rows without a value are left out of this: they are none that somebody meant.
 */
export function isTautology(condition: CdsExpression, element: CapElement, root: CapRoot): boolean {
  // what stands in a subquery has no words of its own here
  let text = condition.text
  const queries = condition.queries.filter((query) => isOuter(query, condition))
  for (const { start, end } of queries.toReversed())
    text = `${text.slice(0, start - condition.start)}${SUBQUERY}${text.slice(end - condition.start)}`
  root.step(text.length)
  const idle = queries.map((query) =>
    SELECTS.test(condition.text.slice(query.start - condition.start, query.end - condition.start))
      ? columnOfAll(query, element, root)
      : undefined,
  )
  // quoted texts may hold any word
  return !text.includes("'") && holds(text, { keys: keysOf(element), idle }, 0)
}

/** All that such a subquery may say: filters, groups and limits leave values out. */
const SELECTS =
  /^[\s(]{0,10}select\s{1,20}[\w.]{1,100}\s{1,20}from\s{1,20}[\w.]{1,200}(?:\s{1,20}as\s{1,20}\w{1,100})?(?:\s{1,20}where\s{1,20}[\w.]{1,100}\s{1,20}is\s{1,20}not\s{1,20}null)?[\s)]{0,10}$/i

/** What stands for a subquery. */
const SUBQUERY = '?'

interface Known {
  readonly keys: ReadonlySet<string>
  /** Of each subquery the column of which it gives all values of the entity; undefined: none. */
  readonly idle: readonly (string | undefined)[]
}

const MAX_DEPTH = 20

function holds(written: string, known: Known, depth: number): boolean {
  const text = withoutParentheses(written.trim())
  if (depth > MAX_DEPTH) return false
  const branches = splitAt(text, /^or\b/i)
  if (branches.length > 1) return withQueries(branches, known).some(([branch, own]) => holds(branch, own, depth + 1))
  const parts = splitAt(text, /^and\b/i)
  if (parts.length > 1) return withQueries(parts, known).every(([part, own]) => holds(part, own, depth + 1))
  return isIdle(text, known)
}

/** Each part with the subqueries that stand in it. */
function withQueries(parts: readonly string[], { keys, idle }: Known): readonly (readonly [string, Known])[] {
  let first = 0
  return parts.map((part) => {
    const count = part.split(SUBQUERY).length - 1
    first += count
    return [part, { keys, idle: idle.slice(first - count, first) }]
  })
}

/** A single comparison. */
function isIdle(text: string, { keys, idle }: Known): boolean {
  const present = /^([\w.]{1,100})\s{1,10}is\s{1,10}not\s{1,10}null$/i.exec(text)?.[1]
  if (present !== undefined) return keys.has(present)
  const [, left, right] = /^([\w.]{1,100})\s{0,10}={1,2}\s{0,10}([\w.]{1,100})$/.exec(text) ?? []
  if (left !== undefined) return left === right
  const listed = /^([\w.]{1,100})\s{1,10}in\s{0,10}\(?\s{0,10}\?\s{0,10}\)?$/i.exec(text)?.[1]
  return listed !== undefined && listed === idle[0]
}

/** `depot` of `select depot from Shipments`, of the entity that the condition is for or one below it, without a condition but `depot is not null`. */
function columnOfAll(query: CdsQuery, element: CapElement, root: CapRoot): string | undefined {
  const [source, ...others] = query.sources
  const [column, ...more] = query.columns ?? []
  if (query.kind === 'set' || query.parts.length > 0 || others.length > 0 || source?.element !== undefined) return undefined
  const name = column?.expression?.text.trim()
  const chain = root.projected(element.qualified)
  const isSame = chain.some((one) => one === source?.path || one.endsWith(`.${source?.path ?? ''}`))
  if (name === undefined || more.length > 0 || !isSame) return undefined
  const where = query.where?.text.trim().replaceAll(/\s{1,50}/g, ' ')
  return where === undefined || where.toLowerCase() === `${name.toLowerCase()} is not null` ? name : undefined
}

/** It stands in no other subquery. */
function isOuter(query: CdsQuery, { queries }: CdsExpression): boolean {
  return !queries.some((one) => one !== query && one.start <= query.start && query.end <= one.end)
}

function keysOf(element: CapElement): ReadonlySet<string> {
  return new Set(element.members().flatMap(({ key, name }) => (key ? name : [])))
}

/** The parts of a text between a word, outside of parentheses. */
function splitAt(text: string, word: RegExp): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth !== 0 || !/[\s)]/.test(text[at - 1] ?? '')) continue
    const found = word.exec(text.slice(at, at + 4))?.[0]
    if (found === undefined) continue
    parts.push(text.slice(begin, at))
    begin = at + found.length
  }
  return [...parts, text.slice(begin)]
}

/** Without those around the whole. */
function withoutParentheses(text: string): string {
  let rest = text
  // each pair is looked for anew
  for (let pairs = 0; pairs < MAX_DEPTH && rest.startsWith('(') && closingOf(rest) === rest.length - 1; pairs++)
    rest = rest.slice(1, -1).trim()
  return rest
}

function closingOf(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}
