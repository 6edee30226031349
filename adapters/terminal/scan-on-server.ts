import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import * as z from 'zod'
import { DEFAULT_LIMITS, Refusal, type Locale, type Localized, type Report } from '../../core/index.ts'
import { readReport } from '../../handlers/index.ts'
import { openDirectory } from '../node/directory.ts'
import type { Settings } from '../node/settings.ts'
import type { Arguments } from './arguments.ts'
import { realPathOf } from './path-not-found.ts'
import type { ScannedPath } from './scan-path.ts'
import { findRevision, findSource, type Revision } from './source-url.ts'
import { CommandFault, UsageFault } from './usage.ts'

/** Where a scan is handed to, and what is said of it. */
export interface ServerRequest {
  readonly url: string
  /** Never an argument: those of a process can be read by others. */
  readonly token?: string
  readonly locale: Locale
  readonly revision: Revision
  readonly sourceUrl?: string
}

/** What is said of a folder or a ZIP: what Git knows of it, or the command line instead. The token comes from the environment alone. */
export async function describeRequest(target: string, isFolder: boolean, args: Arguments, url: string): Promise<ServerRequest> {
  const revision = isFolder ? await findRevision(target) : {}
  const sourceUrl = args.sourceUrl ?? (isFolder ? await findSource(target) : undefined)
  const token = tokenOf(process.env)
  return {
    url,
    locale: args.locale,
    revision: {
      ...revision,
      ...(args.branch !== undefined && { branch: args.branch }),
      ...(args.release !== undefined && { release: args.release }),
    },
    ...(token !== undefined && { token }),
    ...(sourceUrl !== undefined && { sourceUrl }),
  }
}

/** The token of the service that scans. */
export function tokenOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment['PARAPET_TOKEN'] || undefined
}

/** Packs a folder, or takes a ZIP, and has a service scan it: its report says what is new. Throws refusals and UsageFaults. */
export async function scanOnServer(target: string, settings: Settings, request: ServerRequest): Promise<ScannedPath> {
  const address = toAddress(request)
  const path = await realPathOf(target)
  const text = await send(address, await packForm(path, settings, request), request)
  const parsed: Report | undefined = readReport(new TextEncoder().encode(text))
  if (parsed === undefined)
    throw new CommandFault({
      en: `${address.origin} answers with no report of this version`,
      fr: `${address.origin} ne répond par aucun rapport de cette version`,
    })
  return { text, parsed }
}

/** What is uploaded of a folder or a ZIP, by its real path. Throws refusals. */
export async function packForm(path: string, settings: Settings, request: ServerRequest): Promise<FormData> {
  const isFolder = (await stat(path)).isDirectory()
  const bytes = isFolder ? packFolder(path, settings) : new Uint8Array(await readFile(path))
  const form = new FormData()
  const { branch, commit, release } = request.revision
  const fields = {
    projectName: basename(path).replace(/\.(?:zip|mtar)$/i, ''),
    branch,
    commit,
    release,
    // a Git remote may be http; a service takes no other
    sourceUrl: request.sourceUrl?.startsWith('https://') === true ? request.sourceUrl : undefined,
  }
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.append(field, value)
  form.append('project', new Blob([bytes]), 'project.zip')
  return form
}

/** Where a service takes uploads. Throws a UsageFault where the address is none, or would tell the token. */
export function toAddress({ url, token }: Pick<ServerRequest, 'url' | 'token'>): URL {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new UsageFault({
      en: '--server takes an address that begins with https:// or http://',
      fr: '--server attend une adresse qui commence par https:// ou http://',
    })
  const address = new URL('api/scan/upload', base)
  if (address.username !== '' || address.password !== '')
    throw new UsageFault({
      en: '--server takes no credentials: put the token into PARAPET_TOKEN',
      fr: '--server n’admet pas d’identifiants : mettez le jeton dans PARAPET_TOKEN',
    })
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(address.hostname)
  if (token !== undefined && address.protocol === 'http:' && !isLocal)
    throw new UsageFault({
      en: 'PARAPET_TOKEN is sent by https:// alone: everybody on the way could read it',
      fr: 'PARAPET_TOKEN n’est envoyé que par https:// : tout le monde en chemin pourrait le lire',
    })
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

async function send(address: URL, form: FormData, request: ServerRequest): Promise<string> {
  const headers = headersOf(request)
  const answer = await fetch(address, { method: 'POST', body: form, headers, redirect: 'error' }).catch(() => {
    throw new CommandFault({ en: `${address.origin} does not answer`, fr: `${address.origin} ne répond pas` })
  })
  const text = await answer.text()
  if (answer.status === 201) return text
  const problem = readProblem(text)
  if (answer.status === 401) throw new CommandFault(refusedToken(address.origin, request.token))
  const reason = problem === undefined ? `status ${answer.status}` : `${problem.detail} (${problem.code})`
  throw new CommandFault({
    en: `${address.origin} refuses the scan: ${reason}`,
    fr: `${address.origin} refuse l’analyse : ${reason}`,
  })
}

/** The hint of the service is about headers of HTTP, which nobody sets on a command line. */
export function refusedToken(origin: string, token: string | undefined): Localized<string> {
  return token === undefined
    ? {
        en: `${origin} asks for a token: set PARAPET_TOKEN in the environment (unauthorized)`,
        fr: `${origin} demande un jeton : définissez PARAPET_TOKEN dans l’environnement (unauthorized)`,
      }
    : {
        en: `${origin} refuses the token of PARAPET_TOKEN (unauthorized)`,
        fr: `${origin} refuse le jeton de PARAPET_TOKEN (unauthorized)`,
      }
}

/** The language and the token that each request has. */
export function headersOf({ locale, token }: Pick<ServerRequest, 'locale' | 'token'>): Record<string, string> {
  return { 'accept-language': locale, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
}

const problemDocument = z.looseObject({ code: z.string(), detail: z.string() })

/** Why a service refuses, as it says itself. */
export function readProblem(text: string): { readonly code: string; readonly detail: string } | undefined {
  try {
    return problemDocument.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
