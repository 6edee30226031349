import { readdir, readFile } from 'node:fs/promises'
import { extname, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageFile, PageFiles } from '../../handlers/index.ts'

/** Where the build puts the page, seen from the compiled file and from its source. */
const FOLDERS = ['../../web/', '../../dist/web/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.zip': 'application/zip',
}

/** The page as it was built. What is not among its files when the service starts is never read. Without a build there is none. */
export async function createPageFiles(): Promise<PageFiles> {
  for (const folder of FOLDERS) {
    const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
    if (!names.includes('index.html')) continue
    const known = new Set(names.map((name) => name.replaceAll(sep, posix.sep)).filter((name) => extname(name) in TYPES))
    return { get: (path) => (known.has(path) ? readPageFile(`${folder}${path}`) : undefined) }
  }
  return new Map()
}

async function readPageFile(file: string): Promise<PageFile> {
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const bytes = await readFile(file)
  return { type, body: type.startsWith('text/html') ? bytes.toString('utf8') : new Uint8Array(bytes) }
}
