import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { createStorage } from 'unstorage'
import memoryDriver from 'unstorage/drivers/memory'
import type { ExclusiveStorage } from '../../core/index.ts'

/** Bytes of a record from which on it is worth a millisecond. */
const LEAST = 64 * 1024

const [pack, unpack] = [promisify(gzip), promisify(gunzip)]

class Packed {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/**
 * Reports in the memory of this process, packed: they take a tenth to a twentieth of it. That is done behind the write, on a thread of Node.js, so that nobody who
 * stores a report waits for it.
 */
export function createPackedMemory(): ExclusiveStorage {
  const memory = memoryDriver()
  const read = (key: string): unknown => memory.getItem(key)
  const packLater = async (key: string, value: Uint8Array): Promise<void> => {
    const bytes = await pack(value, { level: constants.Z_BEST_SPEED })
    // it may have been removed or written anew meanwhile; a copy has no room to spare
    if (read(key) === value) await memory.setItemRaw?.(key, new Packed(new Uint8Array(bytes)), {})
  }
  return createStorage({
    driver: {
      ...memory,
      async setItemRaw(key: string, value: unknown) {
        await memory.setItemRaw?.(key, value, {})
        // one that can't be packed stays as it is
        if (value instanceof Uint8Array && value.byteLength >= LEAST) packLater(key, value).catch(() => undefined)
      },
      async getItemRaw(key: string) {
        const kept = read(key)
        return kept instanceof Packed ? unpack(kept.bytes) : kept
      },
    },
  })
}
