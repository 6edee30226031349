import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  fieldOf,
  findPart,
  functionAround,
  isOnTheWay,
  resolveValue,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContext, isOfUi5App, loopedTexts, loopOf } from '../../../model/script/index.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createExportReader } from '../_handlers/handler-links.ts'
import { termsOf } from '../_handlers/script-queries.ts'
import { isTried } from '../_handlers/refusals.ts'
import { answeringFilters } from './answering-filters.ts'
import { createLooseReader } from './loose-filters.ts'
import { pathBelowRequest } from './replaced-conditions.ts'
import { resultFilters } from './result-filters.ts'
import { missingOf, ofSkips, refusesOthers, skipsBy, type Skip } from './skipped-filters.ts'

/** A condition about who calls that a handler adds to what is read, or that its own query has. Its span is that of the call or assignment that adds it, or of the query. */
export interface RowFilter extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of names; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** No handler of the script, but this function, which another file may register as one. */
  readonly exported: string
  /** The element that is compared with the caller. */
  readonly column: string | undefined
  /** The roles that it is for; empty: all callers. */
  readonly roles: readonly string[]
  /** The roles that it is not for; undefined: some, and nobody can tell which. */
  readonly exempt: readonly string[] | undefined
  /** Nobody can tell for whom it is. */
  readonly isUnsure: boolean
  /** Where callers get all rows by what they lack, or by an exception: where that is decided, and what of the caller is asked for; `lookedUpIn`: it is a row of that entity; `lookedUpBy`: that function of another file finds it. */
  readonly opened?: Span & {
    readonly by: 'missing' | 'caught'
    readonly value: string
    readonly lookedUpIn?: string
    readonly lookedUpBy?: ImportedName
  }
  /** All answers of the handler are queries of its own with this condition. */
  readonly isAnswer?: true
  /** It stands beside the condition of the request, of which an `or` goes past it. */
  readonly isLoose?: true
}

export const rowFilters: Extract<RowFilter> = defineExtract({
  name: 'cap-row-filters',
  keywords: ['query', 'SELECT', 'filter'],
  prefilter: (text) =>
    /\bREAD\b|'\*'|"\*"|\bexports?\b/.test(text) &&
    /\bwhere\b|\.and\s{0,4}[(`]|\.filter\s{0,4}\(/.test(text) &&
    /user|authInfo|tokenInfo/i.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => [
    ...findFilters(facts, text, step),
    ...answeringFilters(facts, text, step),
    ...resultFilters(facts, text, step),
  ],
})

function* findFilters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<RowFilter> {
  const additions = [...additionsOf(facts, step)]
  const isLoose = createLooseReader(facts, step)
  const isLimitedElse = createElseReader(additions, facts, text, step)
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  let exportAt: ReturnType<typeof createExportReader> | undefined
  for (const addition of additions) {
    const values = addition.conditions.filter((value) => mentionsCaller(value, text))
    const around = functionAround(facts, addition.start)
    if (values.length === 0 || around === undefined || around.kind === 'file') continue
    handled ??= findHandledFunctions(facts)
    const handler = handled.handlerOf(addition)
    const exported = handler === undefined ? ((exportAt ??= createExportReader(facts))(addition) ?? '') : ''
    const events = handler?.events.flatMap((name) => name ?? []) ?? []
    const isReading = events.some((name) => name === 'READ' || name === '*' || name === 'each')
    if (handler === undefined ? exported === '' : !isReading || handler.phase === 'after') continue
    step(facts.guards.length + facts.calls.length)
    const { start, end } = addition
    // what a helper leaves undone the handler may still do
    const outer = handler?.fact !== undefined && handler.fact !== around ? [handler.fact] : []
    const skips = facts.guards.flatMap((guard) =>
      isWithin(guard, around) && isOnTheWay(guard, start) && !isWithin(addition, guard.test)
        ? skipsBy(guard, handler?.phase === 'on', text)
        : [],
    )
    const isOpen =
      !isLimitedElse(around, addition, skips) && outer.every((fact) => !refusesOthers(facts, fact, addition, text, step))
    const opened = isOpen ? openedBy(addition, values, skips, facts, text, step) : undefined
    for (const limited of columnsOf(addition, handler))
      yield {
        start,
        end,
        service: handler?.service.name,
        isConnected: handler?.service.kind === 'connected',
        events,
        exported,
        ...limited,
        ...ofSkips(skips),
        ...(opened !== undefined && { opened }),
        ...(isLoose(addition) && { isLoose: true as const }),
      }
  }
}

/** The element that is compared; of a handler that a loop registers, where each turn names one, that of each entity. */
function columnsOf(
  { column, conditions }: Addition,
  handler: HandlerFunction | undefined,
): readonly Pick<RowFilter, 'entities' | 'column'>[] {
  const entities = handler?.entities
  const [, target] = handler?.call.args ?? []
  const loop = column === undefined && target !== undefined ? loopOf(target) : undefined
  const texts = loop && conditions.map((one) => textsIn(one, loop.list)).find((found) => found !== undefined)
  if (texts === undefined || entities?.length !== texts.length) return [{ entities, column }]
  return entities.map((name, index) => ({ entities: [name], column: texts[index] }))
}

/** What a name of the loop stands for where a condition begins with it: `` `${path} =` ``, `{ [path]: id }`. */
function textsIn(condition: Value, list: Value): readonly (string | undefined)[] | undefined {
  const here = resolveValue(condition)
  const isCompared = 'parts' in here && 'texts' in here && here.texts?.[0] === '' && /^\s{0,4}=/.test(here.texts[1] ?? '')
  const first = isCompared ? here.parts[0] : 'fields' in here ? here.fields[0]?.computed : undefined
  const looped = first && loopedTexts(first)
  return looped?.list === list ? looped.texts : undefined
}

interface Addition extends Span {
  readonly conditions: readonly Value[]
  readonly column: string | undefined
}

/** `req.query.where(…)`, `req.query.SELECT.where.push(…)`, `req.query.SELECT.where = […]`. */
export function* additionsOf(facts: ScriptFacts, step: (count?: number) => void): Generator<Addition> {
  for (const call of facts.calls) {
    step()
    const { callee, args, start, end } = call
    if (callee.kind !== 'member') continue
    const isAdded = /^(?:where|and)$/.test(callee.name ?? '') && isQueryOfRequest(callee.object)
    const isPushed = /^(?:push|unshift)$/.test(callee.name ?? '') && isCondition(callee.object)
    if (isPushed) yield { start, end, conditions: args, column: comparedColumn(args) }
    else if (isAdded) {
      const [first] = args
      const list = first === undefined ? undefined : resolveValue(first)
      const column = termsOf(call).find(({ column: name }) => name !== '')?.column
      yield {
        start,
        end,
        conditions: args,
        column: list?.kind === 'array' ? comparedColumn(list.items) : (column ?? writtenColumn(list)),
      }
    }
  }
  for (const { target, value, start, end } of facts.assignments) {
    step()
    if (target.name !== 'where' || !isQueryOfRequest(target.object)) continue
    yield { start, end, conditions: [value], column: columnWithin(value) }
  }
}

const QUERY = /(?:^|\.)query(?:\.(?:SELECT|UPDATE|DELETE))?$/

function isQueryOfRequest(value: Value): boolean {
  return pathBelowRequest(value).some((path) => QUERY.test(path.replaceAll('.()', '')))
}

function isCondition(value: Value): boolean {
  return value.kind === 'member' && value.name === 'where' && isQueryOfRequest(value.object)
}

/** `owner` of `{ ref: ['owner'] }, '=', { val: … }`. */
function comparedColumn(items: readonly Value[]): string | undefined {
  for (const item of items) {
    const ref = fieldOf(resolveValue(item), 'ref')?.value
    const list = ref === undefined ? undefined : resolveValue(ref)
    const names = list?.kind === 'array' ? list.items.map((one) => constantOf(one)) : []
    if (names.length > 0 && names.every((name) => typeof name === 'string')) return names.join('.')
  }
  return undefined
}

/** The same in a list that stands anywhere in a value. */
function columnWithin(value: Value): string | undefined {
  let found: string | undefined
  findPart(value, (part) => {
    if (part.kind === 'array') found ??= comparedColumn(part.items)
    return found !== undefined
  })
  return found
}

/** `` `owner = '${id}'` ``. */
function writtenColumn(value: Value | undefined): string | undefined {
  const [first] = value?.kind === 'template' || value?.kind === 'concat' ? value.parts : []
  const text = first === undefined ? undefined : constantOf(first)
  return typeof text === 'string' ? /([A-Za-z_][\w.]{0,80})\s{0,4}=\s{0,4}'?$/.exec(text)?.[1] : undefined
}

/** Tells whether something else in a function narrows the query, or refuses, where a filter is left out. */
function createElseReader(
  additions: readonly Addition[],
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (around: FunctionFact, addition: Addition, skips: readonly Skip[]) => boolean {
  const kept = new Map<FunctionFact, readonly Addition[]>()
  /** Filters of a function that callers get whatever they lack. */
  const keptIn = (around: FunctionFact): readonly Addition[] => {
    const known = kept.get(around)
    if (known !== undefined) return known
    const guards = facts.guards.filter((one) => isWithin(one, around))
    const found = additions.filter((one) => {
      step(guards.length)
      const skips = guards.flatMap((guard) => (isOnTheWay(guard, one.start) ? skipsBy(guard, false, text) : []))
      return isWithin(one, around) && !skips.some(({ reason }) => reason === 'missing')
    })
    kept.set(around, found)
    return found
  }
  return (around, addition, skips) => {
    const guard = facts.guards.find(
      ({ inside, exits, test }) => !exits && isWithin(addition, inside) && skips.some(({ at }) => isWithin(at, test)),
    )
    const inside = guard?.inside ?? addition
    step(additions.length)
    return refusesOthers(facts, around, inside, text, step) || keptIn(around).some((other) => !isWithin(other, inside))
  }
}

function openedBy(
  addition: Addition,
  values: readonly Value[],
  skips: readonly Skip[],
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): RowFilter['opened'] {
  if (skips.some(({ reason }) => reason === 'other' || reason === 'role')) return undefined
  const missing = missingOf(skips, text, step)
  if (missing !== undefined) return missing
  const fragile = isCaught(addition, facts, text) ? values.map(fragileIn).find((value) => value !== undefined) : undefined
  return fragile && { start: addition.start, end: addition.end, by: 'caught', value: excerptOf(text, fragile) }
}

/** What throws where the caller lacks it: a field of a row that was looked up, an item of an attribute. */
function fragileIn(value: Value): Value | undefined {
  return findPart(value, (part) => {
    if (part.kind !== 'member' || part.isOptional) return false
    const behind = resolveValue(part.object)
    if (behind.kind === 'await') return true
    return accessesOf(part.object).some(({ steps }) => /(?:^|\.)user\.attr\.\w{1,60}$/.test(steps.join('.')))
  })
}

/** It stands in a block whose exceptions are only noted. */
function isCaught(addition: Span, { partial, calls }: ScriptFacts, text: string): boolean {
  return partial.some((block) => {
    if (!isTried(block, text) || !isWithin(addition, block)) return false
    const handler = partial.find(({ tried }) => tried?.start === block.start)
    const end = handler?.end ?? block.end
    const ends = calls.some(({ start, callee }) => {
      const isBehind = start >= block.end && start < end
      return isBehind && callee.kind === 'member' && /^(?:reject|error)$/.test(callee.name ?? '') && isContext(callee.object)
    })
    return !ends && !/\b(?:throw|where)\b/.test(text.slice(block.end, end))
  })
}
