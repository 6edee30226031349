import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, 64 hex digits. Of a library, not of Web Crypto: that one is asynchronous, which for texts of a hundred bytes costs ten
 * times the digest.
 */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** HMAC with SHA-256 (RFC 2104) of a text under a key, both in UTF-8: 32 bytes. */
export function hmacSha256(key: string, text: string): Uint8Array {
  return hmac(sha256, utf8ToBytes(key), utf8ToBytes(text))
}

/** Bytes in lower-case hex digits, two each. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes)
}
