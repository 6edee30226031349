/** Written in where the program is bundled: a hash of rules, tables, parsers and the packages that they use. */
declare const PARAPET_FINGERPRINT: string | undefined

/**
 * What results depend on beside the scanned project: another version, or another Node.js, never meets results of this one. Undefined where the program was not
 * bundled: nothing tells then whether it has changed, and nothing is kept.
 */
export function readFingerprint(): string | undefined {
  if (typeof PARAPET_FINGERPRINT === 'undefined') return undefined
  return `${PARAPET_FINGERPRINT} ${process.versions.v8} ${process.versions.unicode ?? ''}`
}
