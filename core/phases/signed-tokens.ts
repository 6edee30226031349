import { hmacSha256 } from '../digest.ts'
import type { ProjectFile } from '../files.ts'
import { textsBelow } from '../parse/data.ts'
import { isPlaceholder, isSampleFile } from '../secrets/index.ts'

/** Values of settings. */
const MOST_SECRETS = 400
/** Each is tried with each value. */
const MOST_TOKENS = 100
/** No secret that somebody sets is shorter, and what is longer is a certificate. */
const FEWEST_SIGNS = 6
const MOST_SIGNS = 300

/**
 * Tells whether a value of an environment file of the project has signed a JSON Web Token: whatever verifies with it takes the token.
 * Facts: RFC 7515, section 5.2; RFC 7518, section 3.2 (HS256 is HMAC with SHA-256).
 */
export function createSignatureReader(files: ReadonlyMap<string, ProjectFile>): (token: string) => boolean {
  let secrets: readonly string[] | undefined
  const known = new Map<string, boolean>()
  return (token) => {
    const before = known.get(token)
    if (before !== undefined || known.size >= MOST_TOKENS) return before === true
    secrets ??= secretsIn(files)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const signed = `${header}.${payload}`
    const isSigned = secrets.some((secret) => base64Url(hmacSha256(secret, signed)) === signature)
    known.set(token, isSigned)
    return isSigned
  }
}

function secretsIn(files: ReadonlyMap<string, ProjectFile>): readonly string[] {
  const found = new Set<string>()
  for (const { path, kind, content } of files.values())
    if ((kind.role === 'env' || kind.role === 'default-env') && content.as === 'data' && !isSampleFile(path, kind))
      for (const { text } of content.roots.flatMap(textsBelow))
        if (found.size < MOST_SECRETS && mayBeSecret(text)) found.add(text)
  return [...found]
}

function mayBeSecret(text: string): boolean {
  return text.length >= FEWEST_SIGNS && text.length <= MOST_SIGNS && !isPlaceholder(text)
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}
