import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createStorage, defineDriver, type Storage } from 'unstorage'

const TEMPORARY = '.tmp'

/**
 * Reports in a folder that outlive the process, and a crash of the machine: each value is written beside its place, flushed, then moved there, so
 * that no reader sees half of one (unstorage's own `fs` driver writes in place). Keys become paths, `:` a folder.
 */
export function createDurableStorage(folder: string): Storage {
  return createStorage({ driver: createDriver(folder) })
}

const createDriver = defineDriver((folder: string) => {
  const toPath = (key: string): string => join(folder, ...key.split(':'))
  const read = async (key: string): Promise<Buffer | null> => {
    try {
      return await readFile(toPath(key))
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }
  const write = async (key: string, value: string | Uint8Array): Promise<void> => {
    const path = toPath(key)
    const temporary = `${path}.${randomBytes(6).toString('hex')}${TEMPORARY}`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(value)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    await syncFolder(dirname(path))
  }
  return {
    name: 'parapet-durable',
    hasItem: async (key: string) => (await stat(toPath(key)).catch(() => undefined))?.isFile() === true,
    getItem: async (key: string) => (await read(key))?.toString('utf8') ?? null,
    getItemRaw: read,
    setItem: write,
    setItemRaw: write,
    removeItem: (key: string) => rm(toPath(key), { force: true }),
    getKeys: (base: string | undefined) => {
      // unstorage gives no base for all keys
      const start = (base ?? '').replace(/:$/, '')
      return listKeys(join(folder, ...start.split(':').filter(Boolean)), start)
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  }
})

async function listKeys(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const keys: string[] = []
  for (const entry of entries) {
    const key = prefix === '' ? entry.name : `${prefix}:${entry.name}`
    if (entry.isDirectory()) keys.push(...(await listKeys(join(folder, entry.name), key)))
    else if (entry.isFile() && !entry.name.endsWith(TEMPORARY)) keys.push(key)
  }
  return keys
}

/** The move itself must outlive a loss of power. Windows can't open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
