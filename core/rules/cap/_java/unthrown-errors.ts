import { accepts, isTrue, type CapElement, type CapRoot, type CapService, type WriteEvent } from '../../../model/cap/index.ts'
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
/**
 * Rows have roles, sessions and authorities too: what is asked of the caller tells them apart, or the type of the variable.
 * Facts: CAP Java, "Security" (`UserInfo`); Jakarta Servlet, `HttpSession`, `HttpServletRequest`; Spring Security, `Authentication`.
 */
const OF_CALLER =
  /^(?:(?:get)?(?:current|logged_?in)?_?user_?info|has(?:Any)?(?:Role|Authority)|is(?:System|Internal|Privileged)?User|isAuthenticated|isUserInRole|getRemoteUser|getUserPrincipal|SecurityContext(?:Holder)?|HttpSession|(?:get)?_?current_?user\w{0,20})$/i
const TYPES_OF_CALLER = /^(?:UserInfo|HttpSession|Authentication|Principal|Jwt)$/
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
    const collectors = namesOf(tokens, /^Messages$/)
    const callers = namesOf(tokens, TYPES_OF_CALLER)
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
      // CAP writes to no table then
      if (isTrue(element.annotations.get('cds.persistence.skip')?.value)) continue
      root.step(closingOf(tokens, method.open) - method.open)
      for (const one of errorsIn(tokens, method, collectors, callers))
        yield { at: { file, span: one.span }, call: one.call, event, asksCaller: one.asksCaller, service, element }
    }
  }
}

/** The only entity that a handler names, of the service of its class. */
export function elementOfHandler({ elements }: CapService, given: readonly JavaToken[]): CapElement | undefined {
  if (given.some(({ text }, index) => /^service(?:Type)?$/.test(text) && isWritten(given, index + 1, '='))) return undefined
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

/** Names of fields, parameters and variables by their type: `Messages messages`. */
function namesOf(tokens: readonly JavaToken[], types: RegExp): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ text, kind }, at) => {
      const name = kind === 'word' && types.test(text) ? tokens[at + 1] : undefined
      return name?.kind === 'word' ? name.text : []
    }),
  )
}

interface ErrorCall {
  readonly span: { readonly start: number; readonly end: number }
  readonly call: string
  readonly asksCaller: boolean
}

function* errorsIn(
  tokens: readonly JavaToken[],
  { at: name, open }: { readonly at: number; readonly open: number },
  collectors: ReadonlySet<string>,
  typed: ReadonlySet<string>,
): Generator<ErrorCall> {
  const end = closingOf(tokens, open)
  const opens = openersOf(tokens, open, end)
  const completing = completingIn(tokens, name, open, end)
  const callers = callersIn(tokens, open, end, typed)
  for (let at = open + 1; at < end; at++) {
    if (!isWritten(tokens, at, 'error', '(') || !isWritten(tokens, at - 1, '.')) continue
    const isGotten = isWritten(tokens, at - 4, 'getMessages', '(', ')')
    const isCollector = collectors.has(tokens[at - 2]?.text ?? '')
    if (!isGotten && !isCollector) continue
    const named = isGotten && isWritten(tokens, at - 5, '.') ? at - 6 : isGotten ? at - 4 : at - 2
    const first = isWritten(tokens, named - 2, 'this', '.') ? named - 2 : named
    const branch = branchOf(tokens, first, open, opens)
    const [from, to] = [tokens[first], tokens[at]]
    if (branch === undefined || from === undefined || to === undefined || isCompleted(tokens, branch, completing)) continue
    const call = `${isGotten ? 'getMessages()' : (tokens[named]?.text ?? '')}.error`
    const condition = tokens.slice(branch.condition, closingOf(tokens, branch.condition))
    const asksCaller = condition.some((one, index) => isOfCaller(condition, index) || callers.has(one.text))
    yield { span: { start: from.start, end: to.end }, call, asksCaller }
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
function isCompleted(tokens: readonly JavaToken[], { from, to }: Branch, completing: readonly number[]): boolean {
  if (completing.some((at) => at >= from && at < to)) return true
  for (let at = from; at < to; at++) if (isWritten(tokens, at, 'return')) return false
  const behind = skipElse(tokens, to)
  return (completing.at(-1) ?? -1) >= behind
}

/** Where a method refuses or answers the request, or hands its context to what may. */
function completingIn(tokens: readonly JavaToken[], name: number, open: number, end: number): readonly number[] {
  const contexts = namesOf(tokens.slice(name, open), /EventContext$/)
  const found: number[] = []
  for (let at = open; at < end; at++) {
    const { text = '', kind } = tokens[at] ?? {}
    const isGiven = contexts.has(text) && /^[(,]$/.test(tokens[at - 1]?.text ?? '') && /^[),]$/.test(tokens[at + 1]?.text ?? '')
    if (kind === 'word' && (COMPLETES.test(text) || isGiven)) found.push(at)
  }
  return found
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

function isOfCaller(tokens: readonly JavaToken[], at: number): boolean {
  const { text = '', kind } = tokens[at] ?? {}
  if (kind !== 'word') return false
  // `request.getSession().getAttribute("role")`
  return OF_CALLER.test(text) || (text === 'getSession' && isWritten(tokens, closingOf(tokens, at + 1) + 1, '.', 'getAttribute'))
}

/** Variables of the callers' types, and those that a method makes of what it asks about the caller. */
function callersIn(tokens: readonly JavaToken[], open: number, end: number, typed: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(typed)
  let name: string | undefined
  for (let at = open; at < end; at++) {
    const { text = '', kind } = tokens[at] ?? {}
    if (isWritten(tokens, at, ';')) name = undefined
    else if (kind === 'word' && isWritten(tokens, at + 1, '=') && !isWritten(tokens, at + 2, '=')) name = text
    else if (name !== undefined && kind === 'word' && (found.has(text) || isOfCaller(tokens, at))) found.add(name)
  }
  return found
}
