import { listNames } from '../../../arguments.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, excerptOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import { personalKind, servedServices, type CapMember, type CapRoot, type PersonalKind } from '../../../model/cap/index.ts'
import { createDevelopmentReader, isDeployedCode, isLogCall, isRequestName } from '../../../model/script/index.ts'
import { closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { javaSources } from '../_java/sources.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { lastName } from '../../../paths.ts'

/** A log statement that writes all that a client sent to create or change a row. */
export interface LoggedRecord extends Span {
  readonly part: string
  readonly events: readonly string[]
  readonly entities: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
  /** The elements that it names, where it doesn't write all of them. */
  readonly fields?: readonly string[]
}

/** Log statements of handlers for rows that are created or changed. What is for debugging alone is not written in production. */
export const loggedRecords: Extract<LoggedRecord> = defineExtract({
  name: 'cap-logged-records',
  keywords: ['console.', 'cds.log', '.log('],
  prefilter: (text) => /\.data\b|\bdata\s{0,9}\}/.test(text) && /CREATE|UPDATE|UPSERT|SAVE|PATCH/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findLogged(facts, text, step)],
})

const CHANGES = /^(?:CREATE|UPDATE|UPSERT|INSERT|SAVE|NEW|PATCH)$/
const QUIET = /^(?:debug|trace)$/

function* findLogged(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<LoggedRecord> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  if (handlers.length === 0) return
  const isForDevelopers = createDevelopmentReader(facts)
  for (const call of facts.calls) {
    step()
    if (!isLogCall(call) || isQuiet(call) || isForDevelopers(call)) continue
    const found = call.args.flatMap(recordsIn)
    const [first] = found
    if (first === undefined) continue
    step(handlers.length)
    const handler = handlerOf(call)
    const events = handler?.events.flatMap((event) => event ?? []) ?? []
    if (handler?.entities === undefined || !events.some((event) => CHANGES.test(event))) continue
    const fields = found.flatMap(({ field }) => field ?? [])
    const { start, end } = first.value
    yield {
      start,
      end,
      part: excerptOf(text, first.value),
      events,
      entities: handler.entities,
      service: handler.service.name,
      isConnected: handler.service.kind === 'connected',
      ...(fields.length === found.length && { fields }),
    }
  }
}

function isQuiet({ callee }: CallValue): boolean {
  return callee.kind === 'member' && QUIET.test(callee.name ?? '')
}

/** `req.data`, and elements of it: `req.data.iban`, `const { iban } = req.data`. */
function recordsIn(argument: Value): readonly { readonly value: Value; readonly field: string | undefined }[] {
  return writtenParts(argument).flatMap((value) => {
    const given = value.kind === 'reference' ? resolveValue(value) : value
    const steps = [...accessesOf(value), ...accessesOf(given)].flatMap(({ steps: path, binding }) =>
      isRequestName(binding?.name) && path[0] === 'data' && path.length < 3 ? [path] : [],
    )
    const [path] = steps
    // of elements the whole text or object is what is written
    return path === undefined ? [] : [{ value: path.length === 1 ? value : argument, field: path[1] }]
  })
}

const CLOSE: ReadonlySet<PersonalKind> = new Set(['bank', 'identity', 'pay', 'belief', 'birth'])
const CONTACT: ReadonlySet<PersonalKind> = new Set(['mail', 'phone'])

/** Statements that log rows of which the model tells that they hold more than the name of a person. Needs the extract `loggedRecords`. */
export function* recordsLogged(root: CapRoot): Generator<Match> {
  if (root.test) return
  for (const { file, value } of root.scripts.get(loggedRecords)) {
    const { services } = root.eventOf({ ...value, file })
    root.step(services.length)
    const entity = services
      .flatMap(({ elements }) => elements)
      .find(
        (one) => one.kind === 'entity' && value.entities.some((name) => projectedNames(root, one.qualified).has(lastName(name))),
      )
    const match = entity && personalMatch(entity.name, entity.members(), value.part, value.fields)
    if (match !== undefined) yield toMatch(match, file, value)
  }
  if (root.runtime !== 'java') return
  const entities = new Map(
    servedServices(root).flatMap(({ elements }) =>
      elements.flatMap((one) => (one.kind === 'entity' ? [[lastName(one.name), one] as const] : [])),
    ),
  )
  for (const { file, tokens } of javaSources(root, /\blog(?:ger)?\.(?:info|warn|error)\(/i))
    for (const { token, type } of loggedInJava(tokens)) {
      root.step()
      const entity = entities.get(type) ?? entities.get(type.replace(/_$/, ''))
      const match = entity && personalMatch(entity.name, entity.members(), token.text)
      if (match !== undefined) yield toMatch(match, file, token)
    }
}

/** One finding for each entity and file. */
export function toMatch(match: Omit<Match, 'at'>, file: string, { start, end }: Span): Match {
  return { ...match, at: { file, span: { start, end } }, groupKey: `record ${file} ${match.args?.['entity'] ?? ''}` }
}

/** What nobody should see but those in charge; how to reach people, whoever reads logs may know. `fields`: the elements that are written, unless all are. */
export function personalMatch(
  entity: string,
  elements: readonly CapMember[],
  part: string,
  fields?: readonly string[],
): Omit<Match, 'at'> | undefined {
  const members = elements.flatMap((member) => {
    const kind = fields === undefined || fields.includes(member.name) ? personalKind(member) : undefined
    return kind === undefined ? [] : [{ name: member.name, kind }]
  })
  const isClose = members.some(({ kind }) => CLOSE.has(kind))
  if (!isClose && !members.some(({ kind }) => CONTACT.has(kind))) return undefined
  return {
    args: { value: quoteWord(part), entity: quoteWord(entity), members: listNames(members.map(({ name }) => name)) },
    variant: 'record',
    ...(!isClose && { evidence: 'assumed' as const }),
  }
}

/** `logger.info("changed: {}", employee)`, by the type of the name or by the constants that it is asked with: `employee.get(Employees.SALARY)`. */
function* loggedInJava(tokens: readonly JavaToken[]): Generator<{ readonly token: JavaToken; readonly type: string }> {
  const types = new Map<string, string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    const next = tokens[at + 1]
    if (kind !== 'word' || next === undefined) continue
    if (/^[A-Z]/.test(text) && next.kind === 'word' && /^[:=;,)]$/.test(tokens[at + 2]?.text ?? '')) types.set(next.text, text)
    const isAsked = isWritten(tokens, at + 1, '.', 'get', '(') || isWritten(tokens, at + 1, '.', 'put', '(')
    const asked = isAsked && isWritten(tokens, at + 5, '.') ? tokens[at + 4]?.text : undefined
    if (asked !== undefined && /^[A-Z]/.test(asked)) types.set(text, asked)
    if (
      !/^log(?:ger)?$/i.test(text) ||
      !isWritten(tokens, at + 1, '.') ||
      !/^(?:info|warn|error)$/.test(tokens[at + 2]?.text ?? '')
    )
      continue
    const close = closingOf(tokens, at + 3)
    for (let index = at + 4; index < close; index++) {
      const token = tokens[index]
      const isWhole =
        [',', '+', '('].includes(tokens[index - 1]?.text ?? '') && [',', '+', ')'].includes(tokens[index + 1]?.text ?? '')
      const type = token?.kind === 'word' && isWhole ? types.get(token.text) : undefined
      if (token !== undefined && type !== undefined) yield { token, type }
    }
  }
}
