import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import type { BlobName } from '../../adapters/node/queue/blobs.ts'
import { openBlobs } from '../../adapters/node/queue/open-blobs.ts'
import { freePort } from './processes.ts'

const log = (): void => undefined

/** As much of it as is used; it brings no types. */
type S3Server = new (options: object) => { run(): Promise<unknown>; close(): Promise<void> }
const packageOfS3 = z.object({ default: z.custom<S3Server>((value) => typeof value === 'function') })

/** An S3 of one test: the files of its buckets lie in `folder`. */
async function startS3(): Promise<{ endpoint: string; folder: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-s3-'))
  const port = await freePort()
  const { default: S3rver } = packageOfS3.parse(await import(createRequire(import.meta.url).resolve('@20minutes/s3rver')))
  const s3 = new S3rver({ port, address: '127.0.0.1', silent: true, directory: folder, configureBuckets: [{ name: 'scans' }] })
  await s3.run()
  const stop = async (): Promise<void> => s3.close()
  onTestFinished(async () => {
    await stop().catch(() => undefined)
    rmSync(folder, { recursive: true })
  })
  return { endpoint: `http://127.0.0.1:${port}`, folder, stop }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []))

test('archives travel through S3: written, read, removed, and nothing of another prefix is touched', async () => {
  const { endpoint, folder, stop } = await startS3()
  const access = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1', endpoint }
  const key = 'k'.repeat(32)
  const bytes = Uint8Array.from({ length: 9 * 1024 * 1024 + 5 }, (_, index) => (index * 31 + (index >> 9)) & 0xff)
  const blob: BlobName = { id: '0198c0de-0000-7000-8000-000000000001', part: 'archive', size: bytes.byteLength }
  const [own, other] = await Promise.all(
    ['one', 'two/deep'].map((prefix) => openBlobs({ place: `s3://scans/${prefix}`, key, s3: access }, log)),
  )
  await own?.write(blob, bytes)
  await other?.write(blob, bytes)
  expect(Buffer.from((await own?.read(blob)) ?? []).equals(Buffer.from(bytes))).toBe(true)
  const before = filesOf(folder).length
  await own?.remove(blob)
  await own?.remove(blob)
  expect(await own?.read(blob)).toBeUndefined()
  expect(filesOf(folder).length).toBe(before / 2)
  expect(Buffer.from((await other?.read(blob)) ?? []).equals(Buffer.from(bytes))).toBe(true)

  // each fails, and says so: a wrong secret, a bucket that is none, a server that is away
  for (const place of [
    { place: 's3://scans/x', s3: { ...access, secretAccessKey: 'wrong' } },
    { place: 's3://nothing/x', s3: access },
  ])
    await expect((await openBlobs({ ...place, key }, log)).write(blob, bytes)).rejects.toThrow()
  await stop()
  await expect(other?.read(blob)).rejects.toThrow()
})
