import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type * as Files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { sendToApp } from '../api/matrix.ts'
import { createFixture, createUpload, type Fixture } from '../api/sample.ts'

/** What the disk refuses, and where; nothing as long as it is undefined. */
const fault: { step?: 'open' | 'write' | 'sync' | 'rename' | 'mkdir' | 'remove' | 'read' | 'list'; code: string; path: RegExp } =
  {
    code: 'ENOSPC',
    path: /./,
  }

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  const failing = (step: typeof fault.step, path: unknown): void => {
    if (fault.step !== step || !fault.path.test(String(path))) return
    throw Object.assign(new Error(`${fault.code}: on /some/disk`), { code: fault.code })
  }
  const open = async (path: string, flags: string | number, mode?: number): Promise<Files.FileHandle> => {
    failing(typeof flags === 'string' && flags.includes('w') ? 'open' : 'read', path)
    const handle = await files.open(path, flags, mode)
    const { writeFile, sync } = handle
    handle.writeFile = async (value) => {
      // a disk that is full takes what still fits
      if (fault.step === 'write') await writeFile.call(handle, Buffer.from(String(value)).subarray(0, 10))
      failing('write', path)
      await writeFile.call(handle, value)
    }
    handle.sync = async () => {
      failing('sync', path)
      await sync.call(handle)
    }
    return handle
  }
  const guard =
    <Args extends [unknown, ...unknown[]], Result>(step: typeof fault.step, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      failing(step, args[0])
      return work(...args)
    }
  return {
    ...files,
    open,
    rename: guard('rename', files.rename),
    mkdir: guard('mkdir', files.mkdir),
    rm: guard('remove', files.rm),
    readdir: guard('list', files.readdir),
  }
})

let base: string
let folder: string
let fixture: Fixture

const upload = async (lang = 'en'): Promise<Response> => sendToApp(fixture.app, `/api/scan/upload?lang=${lang}`, createUpload())
const get = (path: string): Promise<Response> => sendToApp(fixture.app, path)
const list = async (): Promise<{ scanId: string }[]> => (await get('/api/scan/history')).json()
const remove = async (id: string): Promise<number> =>
  (await sendToApp(fixture.app, `/api/scan/${id}`, { method: 'DELETE' })).status
const store = async (): Promise<string> => (await (await upload()).json()).scanId
const filesIn = (name: string): string[] => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [])

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'parapet-faults-'))
  folder = join(base, 'store')
  fixture = createFixture({ storage: createDurableStorage(folder, { log: () => undefined }) })
})
afterEach(() => {
  delete fault.step
  fault.path = /./
  rmSync(base, { recursive: true })
})

describe('a disk that takes nothing more', () => {
  test.each([
    ['is full', 'write', 'ENOSPC'],
    ['is full for a new file', 'open', 'ENOSPC'],
    ['is full when it is flushed', 'sync', 'EIO'],
    ['is full for a folder', 'mkdir', 'EDQUOT'],
    ['has turned read-only', 'open', 'EROFS'],
    ['has turned read-only for folders', 'mkdir', 'EROFS'],
    ['no longer belongs to the service', 'rename', 'EACCES'],
    ['is out of handles', 'open', 'EMFILE'],
  ] as const)('because it %s: 503 with the report, all else goes on, nothing is left behind', async (_, step, code) => {
    const before = await store()
    Object.assign(fault, { step, code })
    for (const [lang, title] of [
      ['en', 'Storage unavailable'],
      ['fr', 'Stockage indisponible'],
    ] as const) {
      const refused = await upload(lang)
      expect(refused.status).toBe(503)
      expect(await refused.json()).toMatchObject({ code: 'storage-unavailable', title, report: { projectName: 'shop' } })
    }
    expect((await list()).map(({ scanId }) => scanId)).toEqual([before])
    expect((await get(`/api/scan/${before}`)).status).toBe(200)
    expect((await get('/api/health')).status).toBe(200)
    expect(filesIn('.tmp')).toEqual([])
    expect(filesIn('reports')).toEqual([before])
    expect(filesIn('summaries')).toEqual([before])

    // by itself, once there is room again
    delete fault.step
    const after = await store()
    expect((await list()).map(({ scanId }) => scanId)).toEqual([after, before])
  })

  test('at the last moment: a summary that could not be flushed names no scan', async () => {
    Object.assign(fault, { step: 'sync', code: 'EIO', path: /summaries$/ })
    expect((await upload()).status).toBe(503)
    expect(await list()).toEqual([])
    expect(filesIn('summaries')).toEqual([])
    expect(filesIn('reports')).toEqual([])
  })

  test('and does not let go either: deleting is 503, and the scan stays', async () => {
    const id = await store()
    Object.assign(fault, { step: 'remove', code: 'EROFS' })
    expect(await remove(id)).toBe(503)
    expect((await get(`/api/scan/${id}`)).status).toBe(200)
    delete fault.step
    expect(await remove(id)).toBe(204)
    expect(await remove(id)).toBe(404)
    expect(filesIn('reports')).toEqual([])
  })
})

describe('a disk that gives nothing', () => {
  test('list and report are 503 while it is so', async () => {
    const id = await store()
    Object.assign(fault, { step: 'list', code: 'EIO' })
    expect((await get('/api/scan/history')).status).toBe(503)
    fault.step = 'read'
    expect((await get('/api/scan/history')).status).toBe(503)
    expect((await get(`/api/scan/${id}`)).status).toBe(503)
    delete fault.step
    expect((await get(`/api/scan/${id}`)).status).toBe(200)
  })

  test('one file that can not be read hides no other', async () => {
    const [bad, good] = [await store(), await store()]
    Object.assign(fault, { step: 'read', code: 'EIO', path: new RegExp(bad) })
    expect((await list()).map(({ scanId }) => scanId)).toEqual([good])
    expect(fixture.log).toContainEqual(expect.objectContaining({ event: 'record-unreadable', scanId: bad }))
    expect((await get(`/api/scan/${good}`)).status).toBe(200)
    expect((await get(`/api/scan/${bad}`)).status).toBe(503)
  })

  test('the whole folder is gone: 503, not an empty history; when it is back, all is there', async () => {
    const id = await store()
    renameSync(folder, `${folder}-away`)
    expect((await get('/api/scan/history')).status).toBe(503)
    expect((await get(`/api/scan/${id}`)).status).toBe(503)
    expect((await upload()).status).toBe(503)
    // nothing was written where the disk should be
    expect(existsSync(folder)).toBe(false)
    renameSync(`${folder}-away`, folder)
    expect((await list()).map(({ scanId }) => scanId)).toEqual([id])
    expect((await upload()).status).toBe(201)
  })

  test('a folder that is not there yet is an empty history', async () => {
    expect(await list()).toEqual([])
    expect((await get('/api/scan/0198c0de-0000-7000-8000-000000000000')).status).toBe(404)
  })
})

describe('what stands where a record should, and is none', () => {
  const put: Readonly<Record<string, (path: string) => void>> = {
    'a folder': (path) => mkdirSync(path),
    'a folder with something in it': (path) => mkdirSync(join(path, 'x'), { recursive: true }),
    'a link to a file': (path) => symlinkSync('/etc/hostname', path),
    'a link to nothing': (path) => symlinkSync('/nowhere', path),
    'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
    'a pipe that nobody writes': (path) => execFileSync('mkfifo', [path]),
    'an empty file': (path) => writeFileSync(path, ''),
    'random bytes': (path) => writeFileSync(path, Buffer.from([0, 159, 146, 150, 255, 254])),
    'a file of a gigabyte': (path) => {
      writeFileSync(path, '')
      truncateSync(path, 1024 ** 3)
    },
    'half of a summary': (path) => writeFileSync(path, '{"entry":{"scanId":"0198'),
    'deep JSON': (path) => writeFileSync(path, '['.repeat(100_000)),
    'a prototype': (path) => writeFileSync(path, '{"__proto__":{"entry":1},"constructor":{}}'),
  }

  test.each(Object.entries(put))('%s: skipped in the list, 404, no 500, and nothing waits for it', async (_, putIt) => {
    const id = await store()
    const foreign = '0198c0de-0000-7000-8000-00000000000f'
    putIt(join(folder, 'summaries', foreign))
    for (let round = 0; round < 6; round++) {
      expect((await list()).map(({ scanId }) => scanId)).toEqual([id])
      expect((await get(`/api/scan/${foreign}`)).status).toBe(404)
    }
    expect([204, 404]).toContain(await remove(foreign))
    expect((await upload()).status).toBe(201)

    // the same in place of a record
    rmSync(join(folder, 'reports', id, 'en'))
    putIt(join(folder, 'reports', id, 'en'))
    expect((await get(`/api/scan/${id}?lang=en`)).status).toBe(404)
    expect((await get(`/api/scan/${id}?lang=fr`)).status).toBe(200)
  })

  test('names of others are nobody’s scans', async () => {
    const id = await store()
    mkdirSync(join(folder, 'summaries', 'backup'))
    for (const name of ['notes.txt', '.DS_Store', `${id}.bak`, id.toUpperCase(), `backup/${id}`, 'x.tmp']) {
      writeFileSync(join(folder, 'summaries', name), '{}')
    }
    expect((await list()).map(({ scanId }) => scanId)).toEqual([id])
  })
})

test.skipIf(process.platform === 'win32')('a folder whose rights were taken away', async () => {
  const id = await store()
  const [project = ''] = readdirSync(join(folder, 'lines'))
  const names = ['summaries', 'reports', '.tmp', `reports/${id}`, 'lines', `lines/${project}`]
  const folders = [base, folder, ...names.map((name) => join(folder, name))]
  const asOther = <T>(work: () => Promise<T>): Promise<T> => {
    // root may write everywhere
    if (process.geteuid?.() !== 0) return work()
    process.seteuid?.(65_534)
    return work().finally(() => process.seteuid?.(0))
  }
  for (const path of [...folders, ...['summaries', 'reports', 'lines'].flatMap((name) => filesBelow(name))]) {
    if (process.geteuid?.() === 0) chownSync(path, 65_534, 65_534)
  }
  for (const path of folders.slice(1)) chmodSync(path, 0o500)
  await asOther(async () => {
    expect((await upload()).status).toBe(503)
    expect(await remove(id)).toBe(503)
    expect((await list()).map(({ scanId }) => scanId)).toEqual([id])
    expect((await get(`/api/scan/${id}`)).status).toBe(200)
  })
  for (const path of folders.slice(1)) chmodSync(path, 0o700)
  await asOther(async () => {
    expect((await upload()).status).toBe(201)
    expect(await remove(id)).toBe(204)
  })
})

function filesBelow(name: string): string[] {
  return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, name, path))
}
