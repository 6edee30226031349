import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import type { CallValue, ScriptFacts } from '../../facts/types.ts'
import { isDeveloperFile, isOfUi5App } from '../script/index.ts'
import { answersConstants } from './constant-answers.ts'
import type { CapElement, CapRoot } from './types.ts'
import { findHandlers } from './registrations.ts'
import { HANDLER_PACKAGES, usesHandlerPackage } from './decorated-handlers.ts'

/** A handler of an operation: `srv.on('countItems', …)`. */
export interface OperationHandler {
  /** Its name; `*`: it stands before or behind the handlers of all operations, or nobody can tell of which. */
  readonly event: string
  /** It calls nothing but queries that read, and methods of values. */
  readonly onlyReads: boolean
  /** It answers by itself, with what stands in the code alone. */
  readonly isConstant: boolean
}

/** Handlers of events with a name of the project's own. */
export const operationHandlers: Extract<OperationHandler> = defineExtract({
  name: 'cap-reading-operations',
  keywords: ['.on(', '.before(', '.after(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) ||
    (/\b(?:cds|srv)\b|\bmodule\.exports\b|^export\b/m.test(text) && /\.(?:on|before|after)\s{0,20}\(/.test(text)),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findOperationHandlers(facts, text, step)],
})

const EVENTS_OF_ENTITIES: ReadonlySet<string> = new Set(
  'CREATE READ UPDATE UPSERT DELETE NEW EDIT PATCH SAVE CANCEL GET PUT POST each *'.split(' '),
)

function* findOperationHandlers(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<OperationHandler> {
  const callsIn = createInnerIndex(facts.calls)
  for (const handler of findHandlers(facts)) {
    const { events, fact, phase } = handler
    const isOfAll = (phase === 'on' || phase === 'after') && events.some((event) => event === undefined || event === '*')
    if (isOfAll) yield { event: '*', onlyReads: false, isConstant: false }
    const named = events.flatMap((event) => (event === undefined || EVENTS_OF_ENTITIES.has(event) ? [] : event))
    if (named.length === 0) continue
    const inside = fact === undefined ? [] : callsIn(fact)
    step(1 + inside.length)
    const onlyReads = fact !== undefined && inside.every((call) => isHarmless(call, text))
    const isConstant = answersConstants(handler, inside, facts, step)
    for (const event of named) yield { event, onlyReads, isConstant }
  }
}

/** Queries that read, methods of JavaScript's own values, answers and lines of a log. */
const HARMLESS: ReadonlySet<string | undefined> = new Set(
  (
    'SELECT from columns where and or orderBy limit groupBy having distinct byKey read transaction tx ' +
    'map filter find findIndex some every reduce forEach sort slice join split includes push concat flat flatMap reverse keys values entries fromEntries ' +
    'assign has get set add at isArray parse stringify toString padStart padEnd trim replace replaceAll toUpperCase toLowerCase startsWith endsWith ' +
    'indexOf substring toFixed toISOString getTime getDate getDay getMonth getFullYear setDate setMonth now round floor ceil max min abs ' +
    'parseInt parseFloat Number String Boolean Date Map Set Array Error all error reject reply info warn debug log notify'
  ).split(' '),
)
const WRITES = /^(?:cds\s{0,9}\.\s{0,9}ql\s{0,9}\.\s{0,9})?(?:INSERT|UPSERT|UPDATE|DELETE)\b/
/** `cds.run(SELECT …)`; what the query is made of is a call of its own. */
const RUNS_SELECT = /\brun\s{0,9}\(\s{0,9}SELECT\b/

function isHarmless({ callee, start, end }: CallValue, text: string): boolean {
  const written = text.slice(start, Math.min(end, start + LONGEST))
  return !WRITES.test(written) && (HARMLESS.has(lastNameOf(callee)) || RUNS_SELECT.test(written))
}

const LONGEST = 200

/** Tells operations whose handlers the project shows, all of which only read. Needs `operationHandlers`. */
export function createReadingReader(root: CapRoot): (operation: CapElement) => boolean {
  const handlers = root.scripts.get(operationHandlers)
  return ({ name }) => {
    root.step(handlers.length)
    const event = name.slice(name.lastIndexOf('.') + 1)
    const own = handlers.filter(({ value }) => value.event === event)
    return own.length > 0 && own.every(({ value }) => value.onlyReads)
  }
}
