import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import type { Span } from '../../../types.ts'

const LOGS: ReadonlySet<string> = new Set(['println', 'print', 'printf', 'info', 'debug', 'warn', 'error', 'trace'])
const LOGGERS = /^(?:out|err|_?log(?:ger)?)$/i
const GETTER = /^get(?:New|Old|Current|User|Plain|Raw|Confirm)?(?:Password|Passwd|Pwd)$/
const NAME = /^(?:password|passwd|pwd)$/
/** A parameter beside a password: of anything else `pwd` is a working directory. */
const USER = /user|login|account|email/i
/** Tokens of parameters that are looked at. */
const MAX_PARAMETERS = 200
/** What an expression ends with: behind anything else it is only asked about, `getPassword() != null`, `getPassword().length()`. */
const ENDS: ReadonlySet<string> = new Set([')', '+', ','])

/**
 * Passwords in log statements of Java: `System.out.println("password " + user.getPassword())`, `log.info("{}", password)`. What another call makes of one is none: `mask(password)`.
 * Facts: java.io.PrintStream (Java 21); SLF4J 2, org.slf4j.Logger.
 */
export function* loggedPasswords(tokens: readonly JavaToken[]): Generator<Span & { readonly text: string }> {
  let scopes: readonly Span[] | undefined
  const isNamed = (at: number): boolean =>
    tokens[at]?.text !== 'pwd' || (scopes ??= scopesOfPwd(tokens)).some(({ start, end }) => start < at && at < end)
  for (let at = 2; at < tokens.length; at++) {
    if (tokens[at]?.kind !== 'word' || !isLogCall(tokens, at)) continue
    const open = at + 1
    const close = closingOf(tokens, open)
    for (let inner = open + 1; inner < close; inner++) {
      // what another call is given
      if (isWritten(tokens, inner, '(')) inner = Math.max(inner, closingOf(tokens, inner))
      const found = passwordAt(tokens, inner, open)
      if (found !== undefined && isNamed(inner)) yield found
    }
    at = close
  }
  yield* loggedProperties(tokens)
}

/**
 * Each property of a destination, written by its name: `for (String name : destination.getPropertyNames()) log.info(destination.get(name).get().toString())`. Among them are passwords,
 * client secrets and the tokens that the Destination service has fetched. Fact: SAP Cloud SDK for Java 5, `Destination` (getPropertyNames, get).
 */
function* loggedProperties(tokens: readonly JavaToken[]): Generator<Span & { readonly text: string }> {
  for (let at = 0; at < tokens.length; at++) {
    const loop = loopAt(tokens, at)
    if (loop === undefined) continue
    for (let inner = loop.from; inner < loop.to; inner++) {
      if (!isLogCall(tokens, inner)) continue
      const close = closingOf(tokens, inner + 1)
      for (let given = inner + 2; given < close; given++) {
        const [first, last] = [tokens[given], tokens[given + 5]]
        const isValue = isWritten(tokens, given, loop.owner, '.', 'get', '(', loop.name, ')')
        if (isValue && first !== undefined && last !== undefined)
          yield { start: first.start, end: last.end, text: `${loop.owner}.get(${loop.name})` }
      }
      inner = close
    }
    at = loop.to
  }
}

function isLogCall(tokens: readonly JavaToken[], at: number): boolean {
  return (
    LOGS.has(tokens[at]?.text ?? '') &&
    isWritten(tokens, at + 1, '(') &&
    isWritten(tokens, at - 1, '.') &&
    LOGGERS.test(tokens[at - 2]?.text ?? '')
  )
}

interface PropertyLoop {
  readonly owner: string
  readonly name: string
  readonly from: number
  readonly to: number
}

/** `name : owner.getPropertyNames()) {…}`, `owner.getPropertyNames().forEach(name -> …)`. */
function loopAt(tokens: readonly JavaToken[], at: number): PropertyLoop | undefined {
  if (!isWritten(tokens, at, 'getPropertyNames', '(', ')') || !isWritten(tokens, at - 1, '.')) return undefined
  const owner = tokens[at - 2]?.text ?? ''
  if (isWritten(tokens, at - 3, ':') && isWritten(tokens, at + 3, ')', '{')) {
    const open = at + 4
    return { owner, name: tokens[at - 4]?.text ?? '', from: open, to: closingOf(tokens, open) }
  }
  if (!isWritten(tokens, at + 3, '.', 'forEach', '(')) return undefined
  const open = at + 5
  return { owner, name: tokens[open + 1]?.text ?? '', from: open, to: closingOf(tokens, open) }
}

function passwordAt(tokens: readonly JavaToken[], at: number, open: number): (Span & { readonly text: string }) | undefined {
  const token = tokens[at]
  if (token?.kind !== 'word') return undefined
  const before = tokens[at - 1]?.text ?? ''
  if (NAME.test(token.text)) {
    const isAlone = at - 1 === open || before === '+' || before === ','
    return isAlone && ENDS.has(tokens[at + 1]?.text ?? '') ? { start: token.start, end: token.end, text: token.text } : undefined
  }
  const owner = tokens[at - 2]
  const last = tokens[at + 2]
  if (!GETTER.test(token.text) || before !== '.' || owner?.kind !== 'word' || last === undefined) return undefined
  if (!isWritten(tokens, at + 1, '(', ')') || !ENDS.has(tokens[at + 3]?.text ?? '')) return undefined
  return { start: owner.start, end: last.end, text: `${owner.text}.${token.text}()` }
}

/** The tokens of methods that are given a user and a `pwd`. */
function scopesOfPwd(tokens: readonly JavaToken[]): readonly Span[] {
  return tokens.flatMap((_, open) => {
    if (!isWritten(tokens, open, '(')) return []
    const close = closingOf(tokens, open)
    const body = close - open > MAX_PARAMETERS ? undefined : bodyBehind(tokens, close)
    if (body === undefined) return []
    const given = tokens.slice(open + 1, close).filter(({ kind }) => kind === 'word')
    const isGiven = given.some(({ text }) => text === 'pwd') && given.some(({ text }) => USER.test(text))
    return isGiven ? [{ start: body, end: closingOf(tokens, body) }] : []
  })
}
