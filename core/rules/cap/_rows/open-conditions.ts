import {
  accessesOf,
  createCodeReader,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import type { CapElement, CapRoot, CapService, PayloadType } from '../../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isRequestName } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { baseOf, entityOf, isReadOfService } from '../_handlers/query-chains.ts'
import { CONDITIONS, isOfCaller } from './condition-values.ts'
import { setsLittle } from './fixed-values.ts'
import { createTextReader } from './sent-texts.ts'

/** A member of what a handler of CAP is sent, in a condition: whether CAP has looked at its type, only the model tells. */
export interface OpenCondition extends Span, EventNames {
  readonly column: string
  /** The last part of the name of the entity; '': nobody can tell. */
  readonly entity: string
  /** As it is written: `req.data.input.code`. */
  readonly client: string
  /** Below `req.data`. */
  readonly path: readonly string[]
  /** The text at this path is parsed as JSON first, so that any value may be in it. */
  readonly isParsed?: true
  /** Where the query stands. */
  readonly query: number
  readonly isChange?: true
  readonly isAccount?: true
  readonly isLimited?: true
  readonly isFixed?: true
}

/** Conditions with members of parameters, `where({ code: req.data.input.code })`, and with what JSON.parse makes of a parameter. */
export const openConditions: Extract<OpenCondition> = defineExtract({
  name: 'cap-open-conditions',
  keywords: ['.where', '.and(', '.having('],
  prefilter: (text) => /\bdata\b/.test(text) && /\.on\s{0,4}\(|\.before\s{0,4}\(/.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  collect: ({ facts, text, step }) => [...findOpen(facts, text, step)],
})

function* findOpen(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<OpenCondition> {
  const reader = createTextReader(text, facts, step)
  const compares = createCodeReader(text, (code) => COMPARES.test(code))
  let functions: ReturnType<typeof findHandledFunctions> | undefined
  for (const call of facts.calls) {
    step()
    if (!CONDITIONS.test(lastNameOf(call.callee) ?? '')) continue
    const pairs = call.args.flatMap(fieldsOf)
    const sent = pairs.flatMap(({ column, value }) => {
      const found = sentMember(value)
      return found === undefined ? [] : [{ ...found, column, value }]
    })
    if (sent.length === 0) continue
    const handler = (functions ??= findHandledFunctions(facts)).handlerOf(call)
    const builder = builderBehind(call.callee)
    const queried = builder === undefined ? readBehind(call) : baseOf(call)?.call
    if (handler === undefined || (queried ?? builder) === undefined) continue
    const isLimited = pairs.some(({ value }) => isOfCaller(value) && sent.every((one) => one.value !== value))
    for (const { column, value, client, path, isParsed, name, from } of sent) {
      const names = [name, ...(value.kind === 'reference' ? [value.name] : [])]
      if (names.some((one) => reader.isText({ name: one, client, from }, call.function))) continue
      yield {
        column,
        entity: entityOf(queried?.args[0]) ?? '',
        client,
        path,
        ...(isParsed && { isParsed }),
        query: call.start,
        ...(/^(?:UPDATE|DELETE)/.test(builder ?? '') && { isChange: true as const }),
        ...(compares(call.function) && { isAccount: true as const }),
        ...(isLimited && { isLimited }),
        ...(setsLittle(call) && { isFixed: true as const }),
        ...eventNamesOf(handler),
        start: value.start,
        end: value.end,
      }
    }
  }
}

/** What is found has a password or a hash to compare: the condition alone lets nobody in. */
const COMPARES = /\b(?:bcrypt\w{0,4}|argon2)\.(?:compare|verify)(?:Sync)?\(|\btimingSafeEqual\(|\b(?:scrypt|pbkdf2)(?:Sync)?\(/i

function fieldsOf(condition: Value): readonly { readonly column: string; readonly value: Value }[] {
  const made = resolveValue(condition)
  return 'fields' in made ? made.fields.flatMap(({ key, value }) => (key === undefined ? [] : [{ column: key, value }])) : []
}

/** `db.read(Users)` of `db.read(Users).where(…)`. */
function readBehind({ callee }: CallValue): CallValue | undefined {
  const read = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  return read?.kind === 'call' && isReadOfService(read) ? read : undefined
}

interface SentMember {
  readonly client: string
  readonly name: string
  readonly path: readonly string[]
  readonly isParsed?: true
  readonly from: CallValue['function']
}

const WORD = /^[A-Za-z_]\w*$/
const MAX_PATH = 6

/** `req.data.input.code`, `JSON.parse(req.data.payload).code`: what stands right below `req.data` CAP has checked, unless its type is open. */
function sentMember(value: Value): SentMember | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const [data, ...path] = steps.filter((one) => one !== '[]' && !/^\d+$/.test(one))
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name) || data !== 'data' || path.length < 2) continue
    if (path.length > MAX_PATH || !path.every((one) => WORD.test(one))) continue
    return { client: [binding.name, 'data', ...path].join('.'), name: path.at(-1) ?? '', path, from: binding.function }
  }
  const made = resolveValue(value)
  const parsed = made.kind === 'member' ? resolveValue(made.object) : undefined
  const [text] = parsed?.kind === 'call' && pathOf(parsed.callee)?.join(' ') === 'global:JSON parse' ? parsed.args : []
  if (made.kind !== 'member' || made.name === undefined || text === undefined) return undefined
  for (const { binding, steps } of accessesOf(text)) {
    const [data, ...path] = steps
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name) || data !== 'data' || path.length === 0) continue
    if (path.length <= MAX_PATH && [...path, made.name].every((one) => WORD.test(one)))
      return {
        client: `JSON.parse(${[binding.name, 'data', ...path].join('.')}).${made.name}`,
        name: made.name,
        path,
        isParsed: true,
        from: binding.function,
      }
  }
  return undefined
}

/** Where clients send such a condition: the operation whose model lets any value through, and its service. */
export interface OpenUse {
  readonly file: string
  readonly value: OpenCondition
  readonly called: readonly { readonly service: CapService; readonly element: CapElement }[]
}

/** Needs the extract `openConditions`. */
export function openUses(root: CapRoot): readonly OpenUse[] {
  if (root.test) return []
  return root.scripts.get(openConditions).flatMap(({ file, value }): readonly OpenUse[] => {
    const { services, isEmitted, data } = root.eventOf({ ...value, file })
    if (isEmitted || data === undefined) return []
    if (value.isParsed === true ? data.fields?.has(value.path[0] ?? '') !== true : !isOpenAt(data, value.path)) return []
    root.step(services.length)
    const called = services
      .filter(({ exposure }) => exposure !== 'internal' && exposure !== 'external')
      .flatMap((service) => service.elements.flatMap((element) => (isHandled(element, value) ? [{ service, element }] : [])))
    return called.length === 0 ? [] : [{ file, value, called }]
  })
}

function isHandled({ kind, name, qualified }: CapElement, { events, entities }: OpenCondition): boolean {
  if (kind === 'entity')
    return entities?.includes(lastName(name)) === true && events.some((event) => event === event.toUpperCase())
  return events.some((event) => name === event || name.endsWith(`.${event}`) || qualified.endsWith(`/${event}`))
}

/** Nothing on the way is declared below what is open: declared members of it have their types checked. */
function isOpenAt(data: PayloadType, path: readonly string[]): boolean {
  let type: PayloadType | undefined = data
  for (const name of path) {
    const below: PayloadType | undefined = type.fields?.get(name)
    if (below === undefined) return type.isOpen === true
    type = below
  }
  return type.isOpen === true
}
