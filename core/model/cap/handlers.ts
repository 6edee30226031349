import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { CallValue } from '../../facts/types.ts'
import type { Span } from '../../types.ts'
import { isOfUi5App } from '../script/index.ts'
import { registrationOf, type Registration } from './registrations.ts'
import type { CapRoot } from './types.ts'

/** A handler that a script registers with a service. */
export interface HandlerRegistration extends Span, Pick<Registration, 'phase' | 'events' | 'entities'> {
  /** A decorator of TypeScript: `BeforeCreate`. It stands in a class that says for which entity. */
  readonly decorator: string | undefined
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
  collect: ({ facts }) => facts.calls.flatMap((call) => toPlain(call) ?? []),
})

function toPlain(call: CallValue): HandlerRegistration | undefined {
  const { callee, start, end } = call
  if (callee.kind === 'reference') {
    const [, when] = DECORATOR.exec(callee.name) ?? []
    const phase = when === 'Before' || when === 'On' || when === 'After' ? PHASES.get(when) : undefined
    return phase && { start, end, phase, events: [], entities: undefined, decorator: callee.name }
  }
  const found = registrationOf(call)
  return found && { start, end, phase: found.phase, events: found.events, entities: found.entities, decorator: undefined }
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

/** Whether a handler runs when such an entity, or one that it projects on, is written; what it does is not looked at. Needs the extract
 *  `handlerRegistrations`. */
export function isHandled(root: CapRoot, entity: string, event: HandledEvent): boolean {
  const names = new Set(root.projected(entity).map((name) => name.slice(name.lastIndexOf('.') + 1)))
  return root.scripts
    .get(handlerRegistrations)
    .some(({ value }) => isFor(value, event) && (value.entities?.some((name) => names.has(name)) ?? true))
}

/** What is no constant may be any event, where it runs before one. */
function isFor({ phase, events, decorator }: HandlerRegistration, written: HandledEvent): boolean {
  if (decorator !== undefined) return DECORATORS[written].test(decorator)
  if (phase === 'after') return false
  return events.some((name) => (name === undefined ? phase === 'before' : EVENTS[written].has(name)))
}
