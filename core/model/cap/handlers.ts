import { defineExtract, type Extract, type OpenScript } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import type { Span } from '../../types.ts'
import { isOfUi5App } from '../script/index.ts'
import { registrationOf, type Registration } from './registrations.ts'
import type { CapRoot } from './types.ts'

/** A handler that a script registers with a service. */
export interface HandlerRegistration extends Span, Pick<Registration, 'phase' | 'events' | 'entities'> {
  /** A decorator of TypeScript: `BeforeCreate`. It stands in a class that says for which entity. */
  readonly decorator: string | undefined
  /** What it does may depend on who calls: it speaks of a user, or hands the request to a function. False only where all of it is known. */
  readonly asksCaller: boolean
}

const DECORATOR = /^(Before|On|After)(?:[A-Z]\w{0,40})$/
const PHASES = new Map([
  ['Before', 'before'],
  ['On', 'on'],
  ['After', 'after'],
] as const)

/** The handlers that scripts register, in every form that one file decides. */
export const handlerRegistrations: Extract<HandlerRegistration> = defineExtract({
  name: 'cap-handler-registrations',
  keywords: ['.before(', "'CREATE'", '"CREATE"', 'BeforeCreate', 'BeforeUpdate', 'BeforeAll', 'BeforeNewDraft'],
  // jQuery has methods of these names too
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const handing = handingOn(script.facts)
    return script.facts.calls.flatMap((call) => toPlain(call, script, handing) ?? [])
  },
})

function toPlain(call: CallValue, script: OpenScript, handing: ReadonlySet<FunctionFact>): HandlerRegistration | undefined {
  const { callee, start, end } = call
  if (callee.kind === 'reference') {
    const [, when] = DECORATOR.exec(callee.name) ?? []
    const phase = when === 'Before' || when === 'On' || when === 'After' ? PHASES.get(when) : undefined
    return phase && { start, end, phase, events: [], entities: undefined, decorator: callee.name, asksCaller: true }
  }
  const found = registrationOf(call)
  if (found === undefined) return undefined
  const { phase, events, entities, handler } = found
  return { start, end, phase, events, entities, decorator: undefined, asksCaller: mayAskCaller(handler, script, handing) }
}

/** `req.user`, `currentUser`, an answer for who may not. */
const CALLER = /user|\b40[13]\b/i
/** What gets the request for its transaction alone. */
const TRANSACTIONS: ReadonlySet<string> = new Set(['tx', 'transaction'])

function mayAskCaller(handler: Value | undefined, { text }: OpenScript, handing: ReadonlySet<FunctionFact>): boolean {
  const fact = functionOf(handler)
  return fact === undefined || handing.has(fact) || CALLER.test(text.slice(fact.start, fact.end))
}

/** Functions that hand one of their parameters to another function. */
function handingOn({ calls }: ScriptFacts): ReadonlySet<FunctionFact> {
  return new Set(
    calls.flatMap(({ callee, args }) =>
      TRANSACTIONS.has(lastNameOf(callee) ?? '') ? [] : args.flatMap((value) => functionOfParameter(value) ?? []),
    ),
  )
}

function functionOfParameter(value: Value): FunctionFact | undefined {
  return value.kind === 'reference' && value.binding?.kind === 'parameter' ? value.binding.function : undefined
}

type HandledEvent = 'CREATE' | 'UPDATE'

/** A draft becomes a row by SAVE; NEW makes the draft, PATCH changes it. */
const EVENTS: Readonly<Record<HandledEvent, ReadonlySet<string>>> = {
  CREATE: new Set(['CREATE', 'NEW', 'SAVE', 'INSERT', 'UPSERT', 'WRITE', '*']),
  UPDATE: new Set(['UPDATE', 'PATCH', 'EDIT', 'SAVE', 'UPSERT', 'WRITE', 'DELETE', '*']),
}

const DECORATORS: Readonly<Record<HandledEvent, RegExp>> = {
  CREATE: /^(?:Before|On)(?:Create|NewDraft|SaveDraft|All)$/,
  UPDATE: /^(?:Before|On)(?:Update|Delete|UpdateDraft|EditDraft|SaveDraft|All)$/,
}

/** Whether a handler that may ask who calls runs when such an entity, or one that it projects on, is written. Needs the extract `handlerRegistrations`. */
export function isHandled(root: CapRoot, entity: string, event: HandledEvent): boolean {
  const names = new Set(root.projected(entity).map((name) => name.slice(name.lastIndexOf('.') + 1)))
  return root.scripts
    .get(handlerRegistrations)
    .some(({ value }) => value.asksCaller && isFor(value, event) && (value.entities?.some((name) => names.has(name)) ?? true))
}

/** What is no constant may be any event, where it runs before one. */
function isFor({ phase, events, decorator }: HandlerRegistration, written: HandledEvent): boolean {
  if (decorator !== undefined) return DECORATORS[written].test(decorator)
  if (phase === 'after') return false
  return events.some((name) => (name === undefined ? phase === 'before' : EVENTS[written].has(name)))
}
