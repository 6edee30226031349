import { signal } from '@preact/signals'
import type { Report, ScanProgress } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { Problem } from '../../../handlers/index.ts'
import { formatSize, say } from '../words/index.ts'
import { requestHeaders, requestToken, type Fault } from './api.ts'
import { csrfHeaders, isStale } from './csrf.ts'
import { createEventReader, type ScanProblem } from './events.ts'
import { limits, recentScans, reportOf } from './load.ts'
import { packFolder, type Chosen } from './folder.ts'
import { readOrigin, type Origin } from './git.ts'
import { go, href } from './router.ts'

export type ScanState =
  | { readonly step: 'idle' }
  | { readonly step: 'packing'; readonly name: string; readonly done: number; readonly total: number }
  | { readonly step: 'sending'; readonly name: string; readonly sent: number; readonly size: number }
  | { readonly step: 'scanning'; readonly name: string; readonly progress?: ScanProgress }
  | { readonly step: 'busy'; readonly name: string; readonly seconds: number }
  | { readonly step: 'cancelled'; readonly name: string }
  | { readonly step: 'failed'; readonly name: string; readonly fault: Fault; readonly isWrongFolder?: boolean }

/** The scan of this tab: there is one at a time. */
export const scan = signal<ScanState>({ step: 'idle' })
/** Reports that the server could not keep: they are gone with the tab. */
export const unkept = signal<ReadonlySet<string>>(new Set())

type Body =
  | { readonly kind: 'file'; readonly file: File; readonly origin?: Origin }
  | { readonly kind: 'directory'; readonly path: string }

/** The folder of the server that is asked for: the form is away while a scan runs. */
export const folderPath = signal('')

let stop: (() => void) | undefined
let last: Body | undefined

/** Why something is not even sent. */
export interface Refused {
  readonly title: string
  readonly detail: string
}
export const refused = signal<Refused | undefined>(undefined)

/** What need not be sent in order to be refused. */
function refuse(file: Pick<File, 'name' | 'size'>): Refused | undefined {
  const name = toVisible(file.name)
  const known = limits.state.peek().value
  if (!/\.zip$/i.test(file.name)) return { title: say('wrongType'), detail: say('wrongTypeDetail', { name }) }
  if (file.size === 0) return { title: say('emptyFile'), detail: say('emptyFileDetail', { name }) }
  if (known !== undefined && file.size > known.upload) {
    return {
      title: say('tooLarge'),
      detail: say('tooLargeDetail', { name, size: formatSize(file.size), limit: formatSize(known.upload) }),
    }
  }
  return undefined
}

/** Scans what was dropped or picked; a folder is packed first. */
export async function scanChosen(chosen: Chosen): Promise<void> {
  if (chosen.kind === 'file') return scanOrRefuse(chosen.file)
  const { name, files, read } = chosen
  if (files.length === 0) return refuseWith(say('emptyFolder'), say('emptyFolderDetail', { name: toVisible(name) }))
  const known = limits.state.peek().value
  if (known !== undefined && files.length > known.entries)
    return refuseWith(say('tooMany'), say('tooManyDetail', { name: toVisible(name), n: files.length, limit: known.entries }))
  stop?.()
  const cancel = new AbortController()
  stop = () => cancel.abort()
  const onProgress = (done: number): void => {
    scan.value = { step: 'packing', name, done, total: files.length }
  }
  onProgress(0)
  try {
    const blob = await packFolder(files, { onProgress, signal: cancel.signal })
    // where Git can't be read, places are texts
    const origin = await readOrigin(read).catch(() => ({}))
    if (!cancel.signal.aborted) scanOrRefuse(new File([blob], `${name}.zip`, { type: 'application/zip' }), origin)
  } catch (error) {
    const path = error instanceof Error ? error.message : ''
    if (cancel.signal.aborted) scan.value = { step: 'cancelled', name }
    else refuseWith(say('folderUnreadable'), say('folderUnreadableDetail', { path: toVisible(path) }))
  }
}

function refuseWith(title: string, detail: string): void {
  dismissScan()
  refused.value = { title, detail }
}

function scanOrRefuse(file: File, origin?: Origin): void {
  const wrong = refuse(file)
  if (wrong === undefined) scanFile(file, origin)
  else refuseWith(wrong.title, wrong.detail)
}

export function scanFile(file: File, origin?: Origin): void {
  void begin({ kind: 'file', file, ...(origin !== undefined && { origin }) })
}

export function scanDirectory(path: string): void {
  void begin({ kind: 'directory', path })
}

/** Sends the last one again; of a folder, the path as it is now. */
export function retryScan(): void {
  if (last?.kind === 'directory') scanDirectory(folderPath.peek() || last.path)
  else if (last !== undefined) void begin(last)
}

/** The server ends the scan of a client that goes away. */
export function cancelScan(): void {
  stop?.()
}

export function dismissScan(): void {
  scan.value = { step: 'idle' }
}

async function begin(body: Body): Promise<void> {
  stop?.()
  refused.value = undefined
  last = body
  const name = body.kind === 'file' ? body.file.name : body.path
  let cancelled = false
  const cancel = new AbortController()
  stop = () => {
    cancelled = true
    cancel.abort()
  }
  let stale = false
  for (;;) {
    const answer = await send(body, name, cancel.signal, await csrfHeaders())
    if (cancelled) {
      scan.value = { step: 'cancelled', name }
      return
    }
    if (answer.kind === 'report') return finish(answer.report)
    if (answer.kind === 'stale' && !stale) {
      stale = true
      continue
    }
    if (answer.kind !== 'problem') {
      scan.value = { step: 'failed', name, fault: { kind: 'offline' } }
      return
    }
    const { problem, report, retryAfter } = answer
    if (problem.status === 401 && (await requestToken())) continue
    if (problem.code === 'busy') {
      await countDown(name, retryAfter, cancel.signal)
      if (!cancelled) continue
      scan.value = { step: 'cancelled', name }
      return
    }
    if (report !== undefined) {
      unkept.value = new Set([...unkept.value, report.scanId])
      return finish(report)
    }
    // what the server refuses of a folder is its path: that has to change
    const isWrongFolder = body.kind === 'directory' && problem.status < 500 && problem.status !== 401
    scan.value = { step: 'failed', name, fault: { kind: 'problem', problem }, isWrongFolder }
    return
  }
}

function finish(report: Report): void {
  stop = undefined
  folderPath.value = ''
  scan.value = { step: 'idle' }
  reportOf(report.scanId).take(report)
  void recentScans.load()
  go(`scans/${report.scanId}`)
}

async function countDown(name: string, from: number, signal: AbortSignal): Promise<void> {
  for (let seconds = from; seconds > 0 && !signal.aborted; seconds--) {
    scan.value = { step: 'busy', name, seconds }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  }
}

type Answer =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly report?: Report; readonly retryAfter: number }
  | { readonly kind: 'offline' | 'stale' }

/** One request. XMLHttpRequest, because fetch does not tell how much of a body was sent. */
function send(body: Body, name: string, signal: AbortSignal, csrf: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let answer: Answer | undefined
    const reader = createEventReader({
      progress(progress) {
        scan.value = { step: 'scanning', name, progress }
      },
      report(report) {
        answer = { kind: 'report', report }
      },
      problem(problem) {
        answer = { kind: 'problem', problem, report: problem.report, retryAfter: 5 }
      },
    })
    const isStream = (): boolean => request.getResponseHeader('content-type')?.startsWith('text/event-stream') === true

    request.open('POST', href(body.kind === 'file' ? 'api/scan/upload' : 'api/scan/directory'))
    const headers = { ...requestHeaders('text/event-stream'), ...csrf }
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value)
    if (body.kind === 'file') {
      scan.value = { step: 'sending', name, sent: 0, size: body.file.size }
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        scan.value = { step: 'sending', name, sent: loaded, size: total }
      })
      request.upload.addEventListener('load', () => {
        scan.value = { step: 'scanning', name }
      })
    } else {
      scan.value = { step: 'scanning', name }
    }
    request.addEventListener('progress', () => isStream() && reader.read(request.responseText))
    request.addEventListener('load', () => {
      if (isStream()) reader.read(request.responseText)
      resolve(answer ?? toAnswer(request))
    })
    request.addEventListener('error', () => resolve(answer ?? { kind: 'offline' }))
    request.addEventListener('abort', () => resolve({ kind: 'offline' }))
    if (signal.aborted) return resolve({ kind: 'offline' })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(toPayload(body, request))
  })
}

function toPayload(body: Body, request: XMLHttpRequest): FormData | string {
  if (body.kind === 'directory') {
    request.setRequestHeader('content-type', 'application/json')
    return JSON.stringify({ dirPath: body.path })
  }
  const form = new FormData()
  for (const [field, value] of Object.entries(body.origin ?? {})) form.append(field, value)
  form.append('project', body.file)
  return form
}

function toAnswer(request: XMLHttpRequest): Answer {
  if (isStale(request.status, request.getResponseHeader('x-csrf-token'))) return { kind: 'stale' }
  try {
    const problem: ScanProblem | undefined = JSON.parse(request.responseText)
    if (problem?.code === undefined) return { kind: 'offline' }
    const wait = Number(request.getResponseHeader('retry-after'))
    return { kind: 'problem', problem, report: problem.report, retryAfter: wait > 0 ? Math.min(wait, 120) : 5 }
  } catch {
    return { kind: 'offline' }
  }
}

// a reload would lose the scan that runs
addEventListener('beforeunload', (event) => {
  if (scan.peek().step === 'packing' || scan.peek().step === 'sending' || scan.peek().step === 'scanning') event.preventDefault()
})
