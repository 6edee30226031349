import { createStorage } from 'unstorage'
import type { Log } from '../../../core/index.ts'
import { openStorage } from '../open-storage.ts'
import { SettingsFault } from '../settings.ts'
import { createBlobs, type Blobs, type BlobStorage } from './blobs.ts'

/** What an S3 is called with; its names are those that AWS's own tools read. */
export interface S3Access {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly endpoint: string
}

export interface BlobPlace {
  /** An absolute folder that all processes see, `redis://…`, or `s3://bucket/prefix`; undefined is memory. */
  readonly place: string | undefined
  readonly key: string | undefined
  readonly s3: S3Access | undefined
}

/** Opens the place where archives and reports wait. Nobody is asked yet whether it is there. */
export async function openBlobs(
  { place, key, s3 }: BlobPlace,
  log: Log,
  allocate?: (bytes: number) => Uint8Array,
): Promise<Blobs> {
  const storage: BlobStorage | undefined =
    place?.startsWith('s3://') === true ? await openS3(place, s3) : await openStorage(place, log)
  if (storage === undefined) throw new SettingsFault('PARAPET_BLOBS must be a place that all processes see: memory is none')
  return createBlobs(storage, key, allocate)
}

async function openS3(place: string, access: S3Access | undefined): Promise<BlobStorage> {
  if (access === undefined)
    throw new SettingsFault('PARAPET_BLOBS is S3, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const { hostname: bucket, pathname } = new URL(place)
  const { default: s3Driver } = await import('unstorage/drivers/s3').catch((error: unknown) => {
    throw new SettingsFault(`PARAPET_BLOBS is S3, which needs the package aws4fetch (${String(error)})`)
  })
  const storage = createStorage({ driver: s3Driver({ ...access, bucket }) })
  const base = pathname.replace(/^\/|\/$/g, '').replaceAll('/', ':')
  const toKey = (key: string): string => (base === '' ? key : `${base}:${key}`)
  // those calls alone that blobs use: the driver's lists end after one page, and clearing takes the whole bucket
  return {
    setItemRaw: (key, value) => storage.setItemRaw(toKey(key), value),
    getItemRaw: <T>(key: string) => storage.getItemRaw<T>(toKey(key)),
    hasItem: (key) => storage.hasItem(toKey(key)),
    removeItem: (key) => storage.removeItem(toKey(key)),
    dispose: () => storage.dispose(),
  }
}
