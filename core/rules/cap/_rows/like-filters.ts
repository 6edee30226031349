import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  findPart,
  functionAround,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { RuleText, Span } from '../../../types.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { additionsOf } from './row-filters.ts'

/** A handler of READ whose only condition about the caller is a pattern around the name. Its span is the pattern. */
export interface LikeFilter extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly entities: readonly string[] | undefined
  /** The pattern as it is written. */
  readonly written: string
}

/**
 * `req.query.where({ owner: { like: '%' + req.user.id + '%' } })`.
 * Fact: SQL, LIKE: `%` is any text, also none; the function contains of OData finds a part likewise.
 */
export const likeFilters: Extract<LikeFilter> = defineExtract({
  name: 'cap-like-filters',
  keywords: ['%', 'contains'],
  prefilter: (text) =>
    /\bREAD\b|'\*'/.test(text) &&
    /%['"`$]|['"`}]%|\bcontains\s{0,4}\(/.test(text) &&
    /\buser\b/.test(text) &&
    /\b(?:where|and)\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findFilters(facts, text, step)],
})

function* findFilters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<LikeFilter> {
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  const all = [...additionsOf(facts, step), ...ownQueries(facts, step)].filter(({ conditions }) =>
    conditions.some((value) => mentionsCaller(value, text)),
  )
  for (const addition of all) {
    step(all.length)
    const pattern = findIn(addition.conditions)
    if (pattern === undefined || /\bnot\b/i.test(text.slice(addition.start, addition.end))) continue
    const around = functionAround(facts, addition.start)
    // another condition of the function binds the rows to the caller
    if (around === undefined || all.some((one) => one !== addition && isWithin(one, around))) continue
    handled ??= findHandledFunctions(facts)
    const { phase, events, service, entities } = handled.handlerOf(addition) ?? {}
    const isReading = events?.some((name) => name === 'READ' || name === '*') === true
    if (service === undefined || !isReading || phase === 'after') continue
    const { start, end } = pattern
    yield {
      start,
      end,
      service: service.name,
      isConnected: service.kind === 'connected',
      entities,
      written: excerptOf(text, pattern),
    }
  }
}

interface Addition extends Span {
  readonly conditions: readonly Value[]
}

/** `return SELECT.from('Boats').where(…)` of a handler, whose rows are the answer. */
function* ownQueries(facts: ScriptFacts, step: (count?: number) => void): Generator<Addition> {
  for (const call of facts.calls) {
    step()
    const { callee, args, start, end } = call
    if (callee.kind !== 'member' || callee.name !== 'where' || !isSelect(callee.object)) continue
    const around = functionAround(facts, start)
    step(around?.returns.length ?? 0)
    if (around !== undefined && isAnswered(call, around)) yield { start, end, conditions: args }
  }
}

function isSelect(value: Value): boolean {
  const root = findRoot(value)
  return root.kind === 'reference' && root.name === 'SELECT'
}

function findRoot(value: Value): Value {
  let here = value
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (here.kind === 'member') here = here.object
    else if (here.kind === 'call' || here.kind === 'tagged') here = here.callee
    else break
  }
  return here
}

const MAX_DEPTH = 12

function isAnswered(call: CallValue, { returns }: FunctionFact): boolean {
  return returns.some((value) => isWithin(call, value) || isWithin(call, unwrapped(value)))
}

/** `const rows = await SELECT…; return rows`. */
function unwrapped(value: Value): Value {
  const given = resolveValue(value)
  return given.kind === 'await' ? given.value : given
}

/** The pattern, where nothing else beside it compares the caller. */
function findIn(conditions: readonly Value[]): Value | undefined {
  for (const condition of conditions) {
    const found = findPart(condition, isPattern)
    if (found === undefined) continue
    const isElse = findPart(condition, (part) => isCaller(part) && !isWithin(part, found)) !== undefined
    return isElse && isWithin(found, condition) ? undefined : found
  }
  return undefined
}

/** `'%' + req.user.id + '%'`, `` `%${user}` ``, `` `contains(owner,'${user}')` ``. */
function isPattern(value: Value): boolean {
  if (value.kind === 'template')
    return value.parts.some((part, at) => isCaller(part) && isOpen(value.texts[at] ?? '', value.texts[at + 1] ?? ''))
  if (value.kind !== 'concat') return false
  const textAt = (at: number): string => {
    const part = value.parts[at]
    const constant = part === undefined ? undefined : constantOf(part)
    return typeof constant === 'string' ? constant : ''
  }
  return value.parts.some((part, at) => isCaller(part) && isOpen(textAt(at - 1), textAt(at + 1)))
}

function isOpen(before: string, after: string): boolean {
  return before.endsWith('%') || after.startsWith('%') || CONTAINS.test(before.slice(-MAX_NAME))
}

const MAX_NAME = 100
const CONTAINS = /\bcontains\s{0,4}\(\s{0,4}[\w./]{1,60}\s{0,4},\s{0,4}'?$/

/** The name of who calls, and nothing made of a part of it: `req.user.id`, `req.user.attr.email.toLowerCase()`. */
function isCaller(value: Value): boolean {
  let here = resolveValue(value)
  for (let depth = 0; depth < MAX_DEPTH && here.kind === 'call' && here.callee.kind === 'member'; depth++) {
    if (!/^(?:toLowerCase|toUpperCase|trim|toString)$/.test(here.callee.name ?? '')) return false
    here = resolveValue(here.callee.object)
  }
  return accessesOf(here).some(({ steps }) => NAME.test(steps.join('.')))
}

const NAME = /(?:^|\.)user\.(?:id|attr\.(?:email|mail|login|logonName|user_name|userName))$/

/** The words of `cap/row-filter-fails-open` for it. */
export const LIKE_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Rows of the caller found by a pattern around the name',
    message:
      'This handler limits the rows of {entity} to those in which the name of the caller occurs ({value}), not to those with exactly this name.',
    why: 'A user whose name is a part of another one, such as ann in joanna, reads the rows of the other user as well.',
    fix: 'Compare the whole name: req.query.where({ owner: req.user.id }). If several users share a row, keep them in an entity of their own, one row each.',
  },
  fr: {
    title: 'Lignes de l’appelant trouvées par un motif autour du nom',
    message:
      'Ce gestionnaire limite les lignes de {entity} à celles où figure le nom de l’appelant ({value}), et non à celles qui portent exactement ce nom.',
    why: 'Un utilisateur dont le nom fait partie d’un autre, comme ann dans joanna, lit aussi les lignes de cet autre utilisateur.',
    fix: 'Comparez le nom entier : req.query.where({ owner: req.user.id }). Si plusieurs utilisateurs partagent une ligne, gardez-les dans une entité à part, une ligne par utilisateur.',
  },
}
