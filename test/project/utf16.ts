/** UTF-16, with or without its mark. */
export function utf16(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const units = mark ? `\ufeff${text}` : text
  const out = new Uint8Array(units.length * 2)
  const view = new DataView(out.buffer)
  for (let at = 0; at < units.length; at++) view.setUint16(at * 2, units.charCodeAt(at), order === 'le')
  return out
}
