import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { ProjectFile } from '../files.ts'
import { membersOf, stringOf, type DataNode } from '../parse/data.ts'

/** Values of settings, and how deep they lie: `default-env.json` holds bindings. */
const MOST_SECRETS = 400
/** Each is tried with each value. */
const MOST_TOKENS = 100
const MOST_DEPTH = 6
/** No secret that somebody sets is shorter, and what is longer is a certificate. */
const FEWEST_SIGNS = 6
const MOST_SIGNS = 300

/**
 * Tells whether a value of an environment file of the project has signed a JSON Web Token: whatever verifies with it takes the token.
 * Facts: RFC 7515, section 5.2; RFC 7518, section 3.2 (HS256 is HMAC with SHA-256).
 */
export function createSignatureReader(files: ReadonlyMap<string, ProjectFile>): (token: string) => boolean {
  let secrets: readonly Uint8Array[] | undefined
  const known = new Map<string, boolean>()
  return (token) => {
    const before = known.get(token)
    if (before !== undefined || known.size >= MOST_TOKENS) return before === true
    secrets ??= secretsIn(files)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const signed = utf8ToBytes(`${header}.${payload}`)
    const isSigned = secrets.some((secret) => base64Url(hmac(sha256, secret, signed)) === signature)
    known.set(token, isSigned)
    return isSigned
  }
}

function secretsIn(files: ReadonlyMap<string, ProjectFile>): readonly Uint8Array[] {
  const found = new Set<string>()
  for (const { kind, content } of files.values())
    if ((kind.role === 'env' || kind.role === 'default-env') && content.as === 'data')
      for (const text of content.roots.flatMap((root) => textsIn(root, 0)))
        if (text.length >= FEWEST_SIGNS && text.length <= MOST_SIGNS && found.size < MOST_SECRETS) found.add(text)
  return [...found].map(utf8ToBytes)
}

function textsIn(node: DataNode, depth: number): readonly string[] {
  const text = stringOf(node)
  if (text !== undefined) return [text]
  return depth < MOST_DEPTH ? membersOf(node).flatMap(({ value }) => textsIn(value, depth + 1)) : []
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}
