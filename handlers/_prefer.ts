const MAX_PREFERENCES = 50

/** A preference, or a part of one: a token, and behind `=` a token or a quoted string. */
const PREFERENCE = /^([!#$%&'*+.^`|~\w-]{1,100})\s*(?:=|;|$)/

/** Whether a client asks not to wait: `Prefer: respond-async` (RFC 7240, 4.1), among whatever else it prefers. */
export function prefersAsync(header: string | null): boolean {
  // a comma within quotes separates nothing
  const plain = (header ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')
  return plain
    .split(',', MAX_PREFERENCES)
    .some((preference) => PREFERENCE.exec(preference.trim())?.[1]?.toLowerCase() === 'respond-async')
}
