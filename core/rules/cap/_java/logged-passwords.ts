import { closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import type { Span } from '../../../types.ts'

/** Files in which a log statement may hold a password. */
export const LOGS_PASSWORD: RegExp =
  /\.(?:println|printf?|info|debug|warn|error|trace)\([^;\n]{0,200}(?:get\w{0,10}(?:Password|Passwd|Pwd)\(\)|[,+] ?(?:password|passwd|pwd)\b)/

const LOGS: ReadonlySet<string> = new Set(['println', 'print', 'printf', 'info', 'debug', 'warn', 'error', 'trace'])
const LOGGERS = /^(?:out|err|_?log(?:ger)?)$/i
const GETTER = /^get(?:New|Old|Current|User|Plain|Raw|Confirm)?(?:Password|Passwd|Pwd)$/
const NAME = /^(?:password|passwd|pwd)$/
/** What an expression ends with: behind anything else it is only asked about, `getPassword() != null`, `getPassword().length()`. */
const ENDS: ReadonlySet<string> = new Set([')', '+', ','])

/**
 * Passwords in log statements of Java: `System.out.println("password " + user.getPassword())`, `log.info("{}", password)`. What another call makes of one is none: `mask(password)`.
 * Facts: java.io.PrintStream (Java 21); SLF4J 2, org.slf4j.Logger.
 */
export function* loggedPasswords(tokens: readonly JavaToken[]): Generator<Span & { readonly text: string }> {
  for (let at = 2; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'string', text: '' }
    if (kind !== 'word' || !LOGS.has(text) || !isWritten(tokens, at + 1, '(') || !isWritten(tokens, at - 1, '.')) continue
    if (!LOGGERS.test(tokens[at - 2]?.text ?? '')) continue
    const open = at + 1
    const close = closingOf(tokens, open)
    for (let inner = open + 1; inner < close; inner++) {
      // what another call is given
      if (isWritten(tokens, inner, '(')) inner = Math.max(inner, closingOf(tokens, inner))
      const found = passwordAt(tokens, inner, open)
      if (found !== undefined) yield found
    }
    at = close
  }
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
