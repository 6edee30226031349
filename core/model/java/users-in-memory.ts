import { closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import type { Span } from '../../types.ts'
import { createProfileReader } from './security.ts'

/** A user of Spring Security that the code makes, with a password that stands there; its span is the text, with `{noop}` where that is in front. */
export interface UserInMemory extends Span {
  readonly name: string
  /** Without `{noop}`. */
  readonly password: string
  readonly profiles: readonly string[]
}

const NAMES = /^(?:username|withUsername|withUser)$/
/** Tokens from the name of a user to the password: other calls of the same chain. */
const MAX_BETWEEN = 60
/** What `{bcrypt}` and the like stand in front of is a hash, and so is what looks like one. */
const HASHED = /^\{(?!noop\})|^\$(?:2[abxy]|argon2|pbkdf2|scrypt|s0|[156])\$|\$\{/

/** A password as it is typed: `orchard` of `{noop}orchard`. */
export function typedPassword(text: string): string {
  return text.replace(/^\{noop\}/, '')
}

/**
 * The users that `User.builder()`, `User.withDefaultPasswordEncoder()` or `inMemoryAuthentication()` make of two texts, in one chain of calls.
 * Facts: Spring Security 6.4, "In-Memory Authentication", `User.UserBuilder`, "DelegatingPasswordEncoder" (`{noop}`: as it is written).
 */
export function* findUsersInMemory(tokens: readonly JavaToken[]): Generator<UserInMemory> {
  let profilesAt: ((index: number) => readonly string[]) | undefined
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'word' || !NAMES.test(text) || !isWritten(tokens, index - 1, '.') || !isWritten(tokens, index + 1, '(')) continue
    const [name, close] = [tokens[index + 2], closingOf(tokens, index + 1)]
    if (name?.kind !== 'string' || close !== index + 3) continue
    const given = passwordBehind(tokens, close)
    if (given === undefined) continue
    profilesAt ??= createProfileReader(tokens)
    yield { ...given, name: name.text, profiles: profilesAt(index) }
  }
}

function passwordBehind(tokens: readonly JavaToken[], from: number): (Span & Pick<UserInMemory, 'password'>) | undefined {
  for (let at = from + 1; at < from + MAX_BETWEEN && isWritten(tokens, at, '.') && isWritten(tokens, at + 2, '(');) {
    const close = closingOf(tokens, at + 2)
    if (tokens[at + 1]?.text === 'password') return literalIn(tokens, at + 3, close)
    at = close + 1
  }
  return undefined
}

/** `"orchard"`, `encoder.encode("orchard")`. */
function literalIn(
  tokens: readonly JavaToken[],
  from: number,
  close: number,
): (Span & Pick<UserInMemory, 'password'>) | undefined {
  const isEncoded = isWritten(tokens, close - 1, ')') && isWritten(tokens, close - 4, 'encode', '(')
  const token = isEncoded ? tokens[close - 2] : close === from + 1 ? tokens[from] : undefined
  if (token?.kind !== 'string' || HASHED.test(token.text)) return undefined
  const password = typedPassword(token.text)
  const end = token.end - 1
  return password === '' ? undefined : { password, start: end - token.text.length, end }
}
