/**
 * The source with a ^, and with an end of the last segment: `^/public` would match /public-admin too. The pattern is matched against the URL with its
 * query string. What ends in a pattern of its own stays as it is written.
 */
export function anchorSource(source: string): string {
  const path = source.replace(/(?:\.\*|\(\.\*\))\$?$/, '')
  const whole = (text: string) => (text.includes('|') ? `(?:${text})` : text)
  return /[\w-]$/.test(path) ? `^${whole(path)}([/?].*)?$` : `^${whole(source)}`
}
