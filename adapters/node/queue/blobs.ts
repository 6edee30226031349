import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Bytes on their way between processes, under a name; what one is gone of is gone. */
export interface Blobs {
  write(blob: BlobName, bytes: Uint8Array): Promise<void>
  /** Undefined where it is gone, or not what was written. */
  read(blob: BlobName): Promise<Uint8Array | undefined>
  remove(blob: BlobName): Promise<void>
  /** Closes the storage. */
  dispose(): Promise<void>
}

/** What belongs to a job, and its size: that tells its pieces, so that nothing needs to be listed (a driver may list in part, or not at all). */
export interface BlobName {
  readonly id: string
  readonly part: 'archive' | 'outcome'
  /** Bytes. */
  readonly size: number
}

/** As much of an unstorage Storage as blobs use. */
export interface BlobStorage {
  setItemRaw(key: string, value: Uint8Array): Promise<void>
  getItemRaw<T>(key: string): Promise<T | null>
  hasItem(key: string): Promise<boolean>
  removeItem(key: string): Promise<void>
  dispose(): Promise<void>
}

/** What goes over a line at once: small enough for the time that one piece may take, and for Redis, whose values are texts of a third more. */
const PIECE = 4 * 1024 * 1024

/** Milliseconds for one piece; slower than 400 kB a second is as good as away. */
const PIECE_MS = 10_000

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** `key`: without it the bytes lie there as they are. Memory for what is read is made by `allocate`. */
export function createBlobs(
  storage: BlobStorage,
  key: string | undefined,
  allocate: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes),
): Blobs {
  const sealing = key === undefined ? undefined : createSealing(key)

  async function write(blob: BlobName, bytes: Uint8Array): Promise<void> {
    const pieces = countPieces(blob)
    for (let index = 0; index < pieces; index++) {
      // a copy: memory may be shared, and a driver keeps what it is given for as long as it sends
      const piece = new Uint8Array(bytes.subarray(index * PIECE, (index + 1) * PIECE))
      await inTime(storage.setItemRaw(keyOf(blob, index), sealing?.seal(blob, index, piece) ?? piece))
    }
    // a driver that can't write may say nothing: that of S3 takes a bucket that is missing for an answer
    if (!(await inTime(storage.hasItem(keyOf(blob, pieces - 1)))))
      throw new Error('the storage of blobs did not keep what was written')
  }

  async function read(blob: BlobName): Promise<Uint8Array | undefined> {
    const whole = allocate(blob.size)
    for (let index = 0; index < countPieces(blob); index++) {
      const raw = toBytes(await inTime(storage.getItemRaw<unknown>(keyOf(blob, index))))
      const piece = raw === undefined || sealing === undefined ? raw : sealing.open(blob, index, raw)
      if (piece?.byteLength !== Math.min(PIECE, blob.size - index * PIECE)) return undefined
      whole.set(piece, index * PIECE)
    }
    return whole
  }

  async function remove(blob: BlobName): Promise<void> {
    for (let index = 0; index < countPieces(blob); index++) {
      const name = keyOf(blob, index)
      try {
        await inTime(storage.removeItem(name))
      } catch (error) {
        // that of S3 fails for what is gone already
        if (await inTime(storage.hasItem(name))) throw error
      }
    }
  }

  return { write, read, remove, dispose: async () => storage.dispose() }
}

/** An empty blob has a piece too: so it is known whether it is there. */
const countPieces = ({ size }: BlobName): number => Math.max(1, Math.ceil(size / PIECE))

const keyOf = ({ id, part }: BlobName, index: number): string => `blobs:${id}:${part}-${index}`

function toBytes(raw: unknown): Uint8Array | undefined {
  return raw instanceof Uint8Array ? raw : raw instanceof ArrayBuffer ? new Uint8Array(raw) : undefined
}

/** AES-256-GCM. A piece opens in its own place alone: it can't be put into that of another, or into another job. */
function createSealing(key: string): {
  seal(blob: BlobName, index: number, bytes: Uint8Array): Uint8Array
  open(blob: BlobName, index: number, bytes: Uint8Array): Uint8Array | undefined
} {
  const secret = createHash('sha256').update('parapet-blobs\0').update(key).digest()
  const placeOf = (blob: BlobName, index: number): Buffer => Buffer.from(`${keyOf(blob, index)} ${blob.size}`)
  return {
    seal(blob, index, bytes) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(placeOf(blob, index))
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(blob, index, bytes) {
      try {
        const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE)).setAAD(placeOf(blob, index))
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()])
      } catch {
        // another key, or changed on the way
        return undefined
      }
    },
  }
}

/** Rejects where a storage does not answer; what it still does then is of no use to anybody. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the storage of blobs gave no answer in ${PIECE_MS} ms`)), PIECE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
