import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'

const HASH = 'sha512'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a result is found by and read with. Both are made of the file itself, and neither tells anything of the other. */
export interface Seal {
  readonly name: string
  readonly key: Uint8Array
}

/** Who has the file finds the result and can read it; who has the cache alone reads nothing of any file. */
export function sealOf(fingerprint: string, circumstances: string, bytes: Uint8Array): Seal {
  const head = Buffer.from(JSON.stringify([fingerprint, circumstances]))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const hash = createHash(HASH).update(length).update(head).update(bytes).digest()
  return { name: hash.subarray(0, 32).toString('base64url'), key: hash.subarray(32) }
}

/** Plain data as bytes that only the key opens. Throws where it is not plain. */
export function close(value: unknown, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [cipher.update(serialize(value)), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
}

/** What was closed with the key. Throws for everything else: a bit that has changed, another file, a forgery. */
export function open(bytes: Uint8Array, key: Uint8Array): unknown {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return deserialize(Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]))
}
