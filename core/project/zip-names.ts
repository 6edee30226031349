import { Refusal } from '../errors.ts'
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS } from '../limits.ts'
import { crc32 } from './crc32.ts'

/** Code page 437, the upper half: what names without the UTF-8 flag are written in (APPNOTE appendix D). */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** UTF-8 where it is valid, whatever the flag says (many tools never set it), else code page 437. Never throws. */
export function decodeName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch {
    return Array.from(raw, (byte) => (byte < 128 ? String.fromCharCode(byte) : (CP437[byte - 128] ?? '?'))).join('')
  }
}

/** A safe name: `/` separators, NFC; folders end in `/`. Throws `unsafe-name` and `archive-too-large` (`path`). */
export function normaliseName(name: string, rawLength: number): string {
  if (rawLength > MAX_PATH_BYTES) throw new Refusal('archive-too-large', { reason: 'path', entry: name, limit: MAX_PATH_BYTES })
  const path = name.replaceAll('\\', '/').normalize('NFC')
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  const unsafe =
    path === '' ||
    path.includes('\0') ||
    /^[A-Za-z]:/.test(path) ||
    segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  if (unsafe) throw new Refusal('archive-invalid', { reason: 'unsafe-name', entry: name })
  if (segments.length > MAX_PATH_SEGMENTS)
    throw new Refusal('archive-too-large', { reason: 'path', entry: name, limit: MAX_PATH_SEGMENTS })
  return path
}

/**
 * Whether the Info-ZIP unicode path extra field (0x7075) names another file than the header does: two readers would see two names.
 * A field whose checksum is not that of the header's name is void by its own rules.
 */
export function namesAnotherFile(extra: Uint8Array, rawName: Uint8Array, path: string): boolean {
  if (extra.length < 5 || extra[0] !== 1) return false
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  if (view.getUint32(1, true) !== crc32(rawName)) return false
  return decodeName(extra.subarray(5)).replaceAll('\\', '/').normalize('NFC') !== path
}
