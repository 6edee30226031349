import type { Budget } from '../budget.ts'
import { decodeBase64 } from './base64.ts'
import type { Span } from '../types.ts'
import type { Candidate } from './candidate.ts'
import { gradeAt } from './beside.ts'
import type { Grade } from './grade.ts'
import { mergeOffsets, permitted, type Layer } from './layers.ts'
import { classifyName } from './names.ts'
import { isRandomLooking } from './randomness.ts'
import { isPlaceholder, isReference, isWeak } from './values.ts'

export const KUBERNETES_KEYWORDS: readonly string[] = [
  'kind: secret',
  'kind:\tsecret',
  'kind: "secret"',
  "kind: 'secret'",
  '"kind": "secret"',
  'kind: sealedsecret',
]

const LONGEST_DOCUMENT = 65_536
const SECTION = /^(\s*)"?(data|stringData|encryptedData)"?:\s*(?:\{\s*)?$/
const ENTRY = /^(\s+)["']?([\w.-]{1,120})["']?:[ \t]+["']?([^\s"'|>]{4,4000})["']?,?\s*$/

/** An entry of a Secret: with its credential, or with none, so that no other finder takes base64 or what is sealed for one. */
export interface SecretEntry {
  readonly span: Span
  readonly candidate?: Candidate
}

/** The entries of Secrets of Kubernetes. What a sealed one or SOPS holds is encrypted, and references are no values. */
export function* findKubernetesSecrets(layer: Layer, isSample: boolean, budget: Budget): Generator<SecretEntry> {
  const { text } = layer
  let seenUntil = -1
  for (const hit of permitted(layer, mergeOffsets(KUBERNETES_KEYWORDS.map((keyword) => layer.offsets(keyword))))) {
    budget.step(2)
    if (
      hit < seenUntil ||
      /\w/.test(text[hit - 1] ?? '') ||
      !/^\S+[ \t]["']?(?:Sealed)?Secret["']?[\s,]/.test(text.slice(hit, hit + 24))
    )
      continue
    const start = documentStart(text, hit)
    const end = documentEnd(text, hit)
    seenUntil = end
    budget.step(1 + Math.ceil((end - start) / 16))
    yield* readDocument(layer, start, end, isSample, budget)
  }
}

/** Both within reach alone: a file of one line would be searched whole for each hit. */
function documentStart(text: string, hit: number): number {
  const from = Math.max(hit - LONGEST_DOCUMENT, 0)
  const at = text.slice(from, hit).lastIndexOf('\n---')
  return at === -1 ? from : from + at + 1
}

function documentEnd(text: string, hit: number): number {
  const within = text.slice(hit, hit + LONGEST_DOCUMENT)
  const at = within.indexOf('\n---')
  return hit + (at === -1 ? within.length : at)
}

function* readDocument(layer: Layer, start: number, end: number, isSample: boolean, budget: Budget): Generator<SecretEntry> {
  let section: { readonly indent: number; readonly content: string } | undefined
  let offset = start
  for (const line of layer.text.slice(start, end).split('\n')) {
    const lineStart = offset
    offset += line.length + 1
    const opening = SECTION.exec(line)
    if (opening !== null) {
      section = { indent: opening[1]?.length ?? 0, content: opening[2] ?? '' }
      continue
    }
    if (section === undefined || line.trim() === '') continue
    const entry = ENTRY.exec(line)
    if (line.length - line.trimStart().length <= section.indent) section = undefined
    if (section === undefined || entry === null) continue
    const [, , name = '', raw = ''] = entry
    const from = lineStart + line.lastIndexOf(raw)
    const span = layer.spanOf(from, from + raw.length)
    const value = section.content === 'data' ? valueOf(name, raw) : section.content === 'stringData' ? raw : undefined
    if (value === undefined || !isCredential(name, value)) {
      // a text that is longer than a line of its own may hold credentials in turn
      if (section.content !== 'stringData' && (value === undefined || !/[:=]/.test(value))) yield { span }
      continue
    }
    const grade: Grade = isWeak(value)
      ? { impact: 'takeover', evidence: 'guessed', confidence: 'medium' }
      : { impact: 'takeover', evidence: 'shown', confidence: 'high' }
    const place = { text: layer.text, path: layer.path, start: from, end: from + raw.length, isSample }
    const candidate: Candidate = {
      row: 'k8s-secret',
      rank: 'command',
      value,
      span,
      name,
      ...gradeAt(grade, 'login', place, budget),
      ...(isWeak(value) && { variant: 'weak' }),
    }
    yield { span, candidate }
  }
}

function isCredential(name: string, value: string): boolean {
  if (value.length < 4 || isReference(value) || isPlaceholder(value, name) || value.startsWith('-----BEGIN')) return false
  if (/(?:user|username|id|url|uri|host|port|name|namespace|domain|zone)$/i.test(name)) return false
  return classifyName(name) !== undefined || isRandomLooking(value)
}

/** What an entry holds; a key of random bytes is no text. Undefined: something else in binary. */
function valueOf(name: string, raw: string): string | undefined {
  return textOf(raw) ?? (classifyName(name) !== undefined && isRandomLooking(raw) ? raw : undefined)
}

/** Undefined: no readable text. */
function textOf(base64: string): string | undefined {
  const bytes = decodeBase64(base64)
  if (bytes.length === 0 || !bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return undefined
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
