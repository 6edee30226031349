import { accepts, type CapElement, type CapRoot, type CapService, type WriteEvent } from '../../../model/cap/index.ts'
import { methodBehind } from '../../../model/java/index.ts'
import { closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import { lastName } from '../../../paths.ts'
import type { Place } from '../../../types.ts'
import { WRITE_EVENTS, serviceOfClass } from '../_handlers/java-targets.ts'
import { javaSources } from './sources.ts'

/** An `@On` handler that answers a condition with an error message alone: CAP goes on and writes the row. */
export interface UnthrownError {
  readonly at: Place
  /** The call that adds the message, without what it is given. */
  readonly call: string
  readonly event: WriteEvent
  /** The condition has to do with who calls. */
  readonly asksCaller: boolean
  readonly service: CapService
  readonly element: CapElement
}

/** What refuses the request, or answers it before CAP does. */
const COMPLETES = /^(?:throw|throwIfError|setCompleted|setResult)$/
/** Facts: CAP Java, "Security" (`UserInfo`); Jakarta Servlet, `HttpSession`; Spring Security, `Authentication`. */
const OF_CALLER =
  /user_?info|has_?(?:any)?_?role|is_?authenticated|principal|session|authorit|_?roles?_?(?:$|[A-Z_])|current_?user/i
/** `CdsCreateEventContext` and the like. */
const CONTEXT = /^Cds(Create|Update|Upsert|Delete)EventContext$/
/** Blocks around a call that are looked at. */
const MAX_DEPTH = 12

/**
 * Facts: capire, CAP Java, "Indicating Errors": an error message does not affect the processing of the event, and an exception is made of it at the end of the phase `Before` alone
 * (`cds.errors.combined`); "Event Handlers": a handler of the phase `On` that neither sets a result nor completes the event leaves it to the next one, in the end to that of CAP.
 */
export function* unthrownErrors(root: CapRoot): Generator<UnthrownError> {
  if (root.runtime !== 'java') return
  for (const { file, tokens } of javaSources(root, /@ServiceName\b/)) {
    root.step(tokens.length)
    const service = serviceOfClass(tokens, root)
    if (service === undefined) continue
    const collectors = collectorsOf(tokens)
    for (const [at, { text, kind }] of tokens.entries()) {
      if (kind !== 'word' || text !== 'On' || !isWritten(tokens, at - 1, '@')) continue
      const close = closingOf(tokens, at + 1)
      const method = methodBehind(tokens, close)
      // what it returns is the result
      if (method === undefined || !isWritten(tokens, method.at - 1, 'void')) continue
      const given = tokens.slice(at + 2, close)
      const element = elementOfHandler(service, given)
      const event = element && eventOf(given, tokens.slice(method.at, method.open))
      if (element === undefined || event === undefined || !accepts(element, event)) continue
      root.step(closingOf(tokens, method.open) - method.open)
      for (const one of errorsIn(tokens, method.open, collectors))
        yield { at: { file, span: one.span }, call: one.call, event, asksCaller: one.asksCaller, service, element }
    }
  }
}

/** The only entity that a handler names. */
export function elementOfHandler({ elements }: CapService, given: readonly JavaToken[]): CapElement | undefined {
  const at = given.findIndex(({ text }, index) => text === 'entity' && isWritten(given, index + 1, '='))
  const named = at === -1 ? undefined : given[at + 2]
  if (named === undefined || isWritten(given, at + 3, '+')) return undefined
  const name = named.kind === 'string' ? lastName(named.text) : isWritten(given, at + 3, '.', 'CDS_NAME') ? named.text : undefined
  return elements.find((one) => one.kind === 'entity' && lastName(one.name) === name?.replace(/_$/, ''))
}

/** The only event that a handler names, else that of its context. */
function eventOf(given: readonly JavaToken[], head: readonly JavaToken[]): WriteEvent | undefined {
  if (given.some(({ text }) => text === 'event')) {
    const named = new Set(given.flatMap(({ text }) => WRITE_EVENTS.get(text.replace(/^EVENT_/, '')) ?? []))
    return named.size === 1 ? [...named][0] : undefined
  }
  const context = head.find(({ text }) => CONTEXT.test(text))
  return context === undefined ? undefined : WRITE_EVENTS.get(CONTEXT.exec(context.text)?.[1]?.toUpperCase() ?? '')
}

/** Names of what collects messages: `Messages messages`. */
function collectorsOf(tokens: readonly JavaToken[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ text }, at) => {
      const name = text === 'Messages' ? tokens[at + 1] : undefined
      return name?.kind === 'word' ? name.text : []
    }),
  )
}

interface ErrorCall {
  readonly span: { readonly start: number; readonly end: number }
  readonly call: string
  readonly asksCaller: boolean
}

function* errorsIn(tokens: readonly JavaToken[], open: number, collectors: ReadonlySet<string>): Generator<ErrorCall> {
  const end = closingOf(tokens, open)
  const opens = openersOf(tokens, open, end)
  for (let at = open + 1; at < end; at++) {
    if (!isWritten(tokens, at, 'error', '(') || !isWritten(tokens, at - 1, '.')) continue
    const isGotten = isWritten(tokens, at - 4, 'getMessages', '(', ')')
    const isCollector = collectors.has(tokens[at - 2]?.text ?? '')
    if (!isGotten && !isCollector) continue
    const first = isGotten && isWritten(tokens, at - 5, '.') ? at - 6 : isGotten ? at - 4 : at - 2
    const branch = branchOf(tokens, first, open, opens)
    const [from, to] = [tokens[first], tokens[at]]
    if (branch === undefined || from === undefined || to === undefined || isCompleted(tokens, branch, end)) continue
    const call = `${isGotten ? 'getMessages()' : from.text}.error`
    const condition = tokens.slice(branch.condition, closingOf(tokens, branch.condition))
    yield { span: { start: from.start, end: to.end }, call, asksCaller: asksCaller(condition, tokens, open) }
  }
}

/** By what closes a bracket, what opens it. */
function openersOf(tokens: readonly JavaToken[], open: number, end: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (let at = open; at < end; at++) if (tokens[at]?.closesAfter !== undefined) found.set(closingOf(tokens, at), at)
  return found
}

interface Branch {
  /** The `(` of the condition of its `if`. */
  readonly condition: number
  readonly from: number
  readonly to: number
}

/** The closest branch of an `if` around a statement. */
function branchOf(
  tokens: readonly JavaToken[],
  statement: number,
  method: number,
  opens: ReadonlyMap<number, number>,
): Branch | undefined {
  const bare = conditionBefore(tokens, statement, opens)
  if (bare !== undefined) {
    let to = statement
    while (to < tokens.length && !isWritten(tokens, to, ';')) to++
    return { condition: bare, from: statement, to }
  }
  let at = statement
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const block = blockAround(tokens, at, method, opens)
    // what a lambda does or a `catch` tells is another matter
    if (block === undefined || isWritten(tokens, block - 1, '>') || isWritten(tokens, block - 1, '->')) return undefined
    const condition = conditionBefore(tokens, block, opens)
    if (condition !== undefined) return { condition, from: block, to: closingOf(tokens, block) }
    if (!isWritten(tokens, block - 1, 'try')) return undefined
    at = block
  }
  return undefined
}

/** The `{` of the closest block around a token, inside of a method. */
function blockAround(
  tokens: readonly JavaToken[],
  inside: number,
  method: number,
  opens: ReadonlyMap<number, number>,
): number | undefined {
  for (let at = inside - 1; at > method; at--) {
    const opener = opens.get(at)
    if (opener !== undefined) at = opener
    else if (isWritten(tokens, at, '{')) return at
  }
  return undefined
}

/** The `(` of the condition under which a statement or block runs: `if (…) here`, or the same before `else here`. */
function conditionBefore(tokens: readonly JavaToken[], at: number, opens: ReadonlyMap<number, number>): number | undefined {
  if (isWritten(tokens, at - 1, 'else')) {
    const then = opens.get(at - 2)
    return then === undefined ? undefined : conditionBefore(tokens, then, opens)
  }
  const open = opens.get(at - 1)
  return open !== undefined && isWritten(tokens, open - 1, 'if') ? open : undefined
}

/** Whether the branch, or what runs behind it, refuses the request or answers it. */
function isCompleted(tokens: readonly JavaToken[], { from, to }: Branch, end: number): boolean {
  const branch = tokens.slice(from, to)
  if (branch.some(completes)) return true
  if (branch.some(({ text, kind }) => kind === 'word' && text === 'return')) return false
  return tokens.slice(skipElse(tokens, to), end).some(completes)
}

/** Behind all branches that run instead. */
function skipElse(tokens: readonly JavaToken[], close: number): number {
  let at = close + 1
  while (isWritten(tokens, at, 'else')) {
    const open = isWritten(tokens, at + 1, 'if') ? closingOf(tokens, at + 2) + 1 : at + 1
    if (!isWritten(tokens, open, '{')) return at
    at = closingOf(tokens, open) + 1
  }
  return at
}

function completes({ text, kind }: JavaToken): boolean {
  return kind === 'word' && COMPLETES.test(text)
}

/** It names the caller, or a variable that was made of them. */
function asksCaller(condition: readonly JavaToken[], tokens: readonly JavaToken[], method: number): boolean {
  const words = new Set(condition.flatMap(({ text, kind }) => (kind === 'word' ? text : [])))
  if ([...words].some((word) => OF_CALLER.test(word))) return true
  for (let at = method; at < closingOf(tokens, method); at++) {
    if (!isWritten(tokens, at + 1, '=') || !words.has(tokens[at]?.text ?? '')) continue
    for (let value = at + 2; value < tokens.length && !isWritten(tokens, value, ';'); value++)
      if (tokens[value]?.kind === 'word' && OF_CALLER.test(tokens[value]?.text ?? '')) return true
  }
  return false
}
