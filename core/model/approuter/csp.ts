/** What a content security policy lets through that it is there to stop. */
export type CspFault = 'inline' | 'any' | 'eval'

const HASH_OR_NONCE = /^'(?:nonce-|sha(?:256|384|512)-)/i
const ANY = /^(?:\*|https?:|data:|blob:|https?:\/\/\*)$/i

/**
 * The faults of a policy's effective script source, the directive that sets it (script-src, else default-src), and whether it has frame-ancestors.
 * Facts: W3C Content Security Policy Level 3; a nonce or hash makes browsers ignore 'unsafe-inline'.
 */
export function readCsp(policy: string): {
  readonly faults: readonly { fault: CspFault; source: string }[]
  readonly directive: 'script-src' | 'default-src'
  readonly frameAncestors: boolean
} {
  const directives = new Map<string, readonly string[]>()
  for (const text of policy.split(';', 100)) {
    const [name, ...sources] = text.trim().split(/\s+/)
    // the first of its name counts
    if (name !== undefined && name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  const directive = directives.has('script-src') ? 'script-src' : 'default-src'
  const scripts = directives.get(directive)
  const frameAncestors = directives.has('frame-ancestors') && directives.get('frame-ancestors')?.includes('*') !== true
  const faults: { fault: CspFault; source: string }[] = []
  if (scripts === undefined) return { faults, directive, frameAncestors }
  const isStrict = scripts.some((source) => HASH_OR_NONCE.test(source))
  const dynamic = isStrict && scripts.some((source) => source.toLowerCase() === "'strict-dynamic'")
  const inline = scripts.find((source) => source.toLowerCase() === "'unsafe-inline'")
  if (inline !== undefined && !isStrict) faults.push({ fault: 'inline', source: inline })
  if (!dynamic) faults.push(...scripts.filter((source) => ANY.test(source)).map((source) => ({ fault: 'any' as const, source })))
  const evaluates = scripts.find((source) => source.toLowerCase() === "'unsafe-eval'")
  if (evaluates !== undefined) faults.push({ fault: 'eval', source: evaluates })
  return { faults, directive, frameAncestors }
}
