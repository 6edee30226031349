import { readFile, realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import { DEFAULT_LIMITS, Refusal, type Locale, type Report } from '../../core/index.ts'
import { readReport } from '../../handlers/index.ts'
import { openDirectory } from '../node/directory.ts'
import type { Settings } from '../node/settings.ts'
import type { ScannedPath } from './scan-path.ts'
import type { Revision } from './source-url.ts'
import { UsageFault } from './usage.ts'

/** Where a scan is handed to, and what is said of it. */
export interface ServerRequest {
  readonly url: string
  /** Never an argument: those of a process can be read by others. */
  readonly token?: string
  readonly locale: Locale
  readonly revision: Revision
  readonly sourceUrl?: string
}

/** Packs a folder, or takes a ZIP, and has a service scan it: its report says what is new. Throws refusals and UsageFaults. */
export async function scanOnServer(target: string, settings: Settings, request: ServerRequest): Promise<ScannedPath> {
  const address = toAddress(request)
  const path = await realpath(target).catch(() => undefined)
  const found = path && (await stat(path))
  if (path === undefined || !found) throw new Refusal('directory-not-found')
  const name = basename(path)
  const bytes = found.isDirectory() ? packFolder(path, settings) : new Uint8Array(await readFile(path))
  const form = new FormData()
  const { branch, commit, release } = request.revision
  const fields = {
    projectName: name.replace(/\.(?:zip|mtar)$/i, ''),
    branch,
    commit,
    release,
    // a service takes no other
    sourceUrl: request.sourceUrl?.startsWith('https://') === true ? request.sourceUrl : undefined,
  }
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.append(field, value)
  form.append('project', new Blob([bytes]), 'project.zip')
  const text = await send(address, form, request)
  const parsed: Report | undefined = readReport(new TextEncoder().encode(text))
  if (parsed === undefined) throw new UsageFault(`${address.origin} answers with no report of this version`)
  return { text, parsed }
}

function toAddress({ url, token }: ServerRequest): URL {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new UsageFault('--server takes an address that begins with https:// or http://')
  const address = new URL('api/scan/upload', base)
  if (address.username !== '' || address.password !== '')
    throw new UsageFault('--server takes no credentials: put the token into PARAPET_TOKEN')
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(address.hostname)
  if (token !== undefined && address.protocol === 'http:' && !isLocal)
    throw new UsageFault('PARAPET_TOKEN is sent by https:// alone: everybody on the way could read it')
  return address
}

/** What a scan of the folder would read, as an archive. */
function packFolder(path: string, settings: Settings): Uint8Array<ArrayBuffer> {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits }
  const files: Zippable = {}
  let size = 0
  for (const entry of openDirectory(path, limits).entries) {
    const bytes = entry.read()
    if (bytes === undefined) continue
    size += bytes.byteLength
    if (size > limits.inflated) throw new Refusal('archive-too-large', { reason: 'inflated', limit: limits.inflated })
    files[entry.path] = bytes
  }
  if (size === 0) throw new Refusal('project-empty')
  // the fastest: it goes over a network once
  return new Uint8Array(zipSync(files, { level: 1 }))
}

async function send(address: URL, form: FormData, { token, locale }: ServerRequest): Promise<string> {
  const headers = { 'accept-language': locale, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(address, { method: 'POST', body: form, headers, redirect: 'error' }).catch(() => {
    throw new UsageFault(`${address.origin} does not answer`)
  })
  const text = await answer.text()
  if (answer.status === 201) return text
  throw new UsageFault(`${address.origin} refuses the scan: ${describeProblem(text) ?? `status ${answer.status}`}`)
}

function describeProblem(text: string): string | undefined {
  try {
    const problem: unknown = JSON.parse(text)
    if (typeof problem !== 'object' || problem === null || !('detail' in problem) || !('code' in problem)) return undefined
    return `${String(problem.detail)} (${String(problem.code)})`
  } catch {
    return undefined
  }
}
