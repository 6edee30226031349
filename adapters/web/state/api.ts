import { signal } from '@preact/signals'
import type { HistoryEntry, Report } from '../../../core/index.ts'
import type { LimitsAnswer, Problem, RuleAnswer } from '../../../handlers/index.ts'
import { csrfHeaders, isStale } from './csrf.ts'
import { href } from './router.ts'
import { locale } from './settings.ts'

/** Why something could not be had: the server says so, or it does not answer. */
export type Fault =
  | { readonly kind: 'problem'; readonly problem: Problem; readonly report?: Report }
  | { readonly kind: 'offline' }

class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.kind)
    this.fault = fault
  }
}

const TOKEN = 'parapet.token'

/** For this tab: it goes with it. */
export const readToken = (): string | null => sessionStorage.getItem(TOKEN)

/** Whether the dialog that asks for the token is open, and whether one was refused. */
export const tokenDialog = signal<'closed' | 'asked' | 'refused'>('closed')
let waiting: ((given: boolean) => void)[] = []

export function answerToken(token: string | undefined): void {
  if (token !== undefined) sessionStorage.setItem(TOKEN, token)
  tokenDialog.value = 'closed'
  for (const resolve of waiting.splice(0)) resolve(token !== undefined)
}

/** Asks for the token; all that wait for it get the same answer. Resolves false where none is given. */
export function requestToken(): Promise<boolean> {
  tokenDialog.value = readToken() === null ? 'asked' : 'refused'
  return new Promise((resolve) => waiting.push(resolve))
}

export function requestHeaders(accept = 'application/json'): Record<string, string> {
  const token = readToken()
  return { accept, 'accept-language': locale.value, ...(token !== null && { authorization: `Bearer ${token}` }) }
}

const headersOf = ({ headers }: RequestInit): Record<string, string> => Object.fromEntries(new Headers(headers))

export async function ask(path: string, init: RequestInit = {}, again = false): Promise<Response> {
  const headers = { ...requestHeaders(), ...(init.method !== undefined && (await csrfHeaders())), ...headersOf(init) }
  const response = await fetch(href(path), { ...init, headers }).catch(() => undefined)
  if (response === undefined) throw new FaultError({ kind: 'offline' })
  if (response.ok) return response
  if (response.status === 401 && (await requestToken())) return ask(path, init)
  if (isStale(response.status, response.headers.get('x-csrf-token')) && !again) return ask(path, init, true)
  const problem: Problem | undefined = await response.json().catch(() => undefined)
  throw new FaultError(problem?.code === undefined ? { kind: 'offline' } : { kind: 'problem', problem })
}

export const toFault = (error: unknown): Fault => (error instanceof FaultError ? error.fault : { kind: 'offline' })

export async function fetchLimits(): Promise<LimitsAnswer> {
  return (await ask('api/limits')).json()
}

export async function fetchRules(): Promise<readonly RuleAnswer[]> {
  return (await ask('api/rules')).json()
}

/** Newest first; all of them without `limit`. */
export async function fetchHistory(limit?: number): Promise<readonly HistoryEntry[]> {
  return (await ask(`api/scan/history${limit === undefined ? '' : `?limit=${limit}`}`)).json()
}

export async function fetchReport(scanId: string): Promise<Report> {
  return (await ask(`api/scan/${encodeURIComponent(scanId)}`)).json()
}

/** One that is already gone is deleted too. */
export async function deleteScan(scanId: string): Promise<void> {
  await ask(`api/scan/${encodeURIComponent(scanId)}`, { method: 'DELETE' }).catch((error: unknown) => {
    const fault = toFault(error)
    if (fault.kind !== 'problem' || fault.problem.code !== 'scan-not-found') throw error
  })
}

/** The bytes of a file of the page or of an export, which a link could not fetch with the token. */
export async function fetchBlob(path: string): Promise<Blob> {
  return (await ask(path)).blob()
}

export async function fetchAsset<T>(name: string): Promise<T> {
  return (await ask(`assets/${name}`)).json()
}
