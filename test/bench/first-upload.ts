import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync, type Zippable } from 'fflate'
import { startBuiltServer } from './server.ts'

const PROJECT = fileURLToPath(new URL('../projects/orders', import.meta.url))
/** What a service has before anybody comes. */
const LISTENED_MS = 3000

/** Milliseconds of the first two uploads of a small project to a service that has listened for three seconds. */
export interface FirstUpload {
  readonly first: number
  readonly second: number
}

export async function measureFirstUpload(): Promise<FirstUpload> {
  const server = await startBuiltServer()
  try {
    await new Promise((resolve) => setTimeout(resolve, LISTENED_MS))
    return { first: await upload(server.url), second: await upload(server.url) }
  } finally {
    server.stop()
  }
}

async function upload(url: string): Promise<number> {
  const body = new FormData()
  body.append('project', new Blob([Buffer.from(packProject())]), 'orders.zip')
  const started = performance.now()
  const answer = await fetch(`${url}/api/scan/upload`, { method: 'POST', body })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`the upload was answered with ${answer.status}`)
  return performance.now() - started
}

function packProject(): Uint8Array {
  const entries = readdirSync(PROJECT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files: Zippable = {}
  for (const { parentPath, name } of entries)
    files[relative(PROJECT, join(parentPath, name)).replaceAll('\\', '/')] = new Uint8Array(readFileSync(join(parentPath, name)))
  return zipSync(files)
}
