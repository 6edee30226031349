import { signal } from '@preact/signals'
import type { DecidedFinding, DecisionText } from '../../../core/index.ts'
import { ask, toFault } from './api.ts'
import { addressOf, projects } from './projects.ts'
import { recall, remember } from './settings.ts'

/** Who decides: asked for once, and kept by the browser. */
export const signer = signal(recall('by') ?? '')

/** A finding, and the tag of the decision that was seen. */
export interface Seen {
  readonly id: string
  readonly etag?: string
}

/** Findings that are decided on in one request. */
const AT_ONCE = 500

/** Two names are no segment of an address: these projects go by their key. */
async function decisionsPath(name: string): Promise<string> {
  if (name !== '.' && name !== '..') return `${addressOf(name)}/decisions`
  await projects.load()
  const key = projects.state.peek().value?.find((row) => row.name === name)?.key ?? ''
  return `${addressOf(`key:${key}`)}/decisions`
}

export async function decide(project: string, findings: readonly Seen[], text: DecisionText): Promise<void> {
  signer.value = text.by ?? ''
  remember('by', signer.value)
  const path = await decisionsPath(project)
  const headers = { 'content-type': 'application/json' }
  for (let start = 0; start < findings.length; start += AT_ONCE) {
    const body = JSON.stringify({ ...text, findings: findings.slice(start, start + AT_ONCE) })
    await ask(path, { method: 'PUT', headers, body })
  }
}

export async function withdraw(project: string, { id, etag = '' }: Seen): Promise<void> {
  const by = signer.peek() === '' ? '' : `?by=${encodeURIComponent(signer.peek())}`
  await ask(`${await decisionsPath(project)}/${id}${by}`, { method: 'DELETE', headers: { 'if-match': `"${etag}"` } })
}

export async function fetchDecisions(project: string): Promise<readonly DecidedFinding[]> {
  return (await ask(await decisionsPath(project))).json()
}

/** What was decided as entries of `parapet.config.json`, as text. */
export async function fetchConfig(project: string): Promise<string> {
  return JSON.stringify(await (await ask(`${await decisionsPath(project)}/config`)).json(), null, 2)
}

/** What holds now of what somebody else decided meanwhile; undefined where something else went wrong. */
export function readChanged(error: unknown): readonly DecidedFinding[] | undefined {
  const fault = toFault(error)
  return fault.kind === 'problem' && fault.problem.code === 'decision-changed' ? (fault.problem.findings ?? []) : undefined
}
