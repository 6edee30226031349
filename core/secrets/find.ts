import { StopSignal } from '../budget.ts'
import type { MaskedValue, OpenContent, OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { findAssignments } from './assignments.ts'
import type { Candidate } from './candidate.ts'
import { findCommandPasswords } from './commands.ts'
import { dialectOf } from './dialect.ts'
import { toCandidate, type ShapedToken } from './find-tokens.ts'
import { isTranslation } from './grade.ts'
import { findHeaderCredentials } from './headers.ts'
import { judgeAssignment, type JudgedFile } from './judge.ts'
import { findKubernetesSecrets } from './kubernetes.ts'
import type { Layer } from './layers.ts'
import type { PrivateKey } from './private-keys.ts'
import { resolveCandidates } from './resolve.ts'
import type { CredentialUrl } from './urls.ts'

/** What all finders found in a file, one candidate for each place. */
export interface FinderResult {
  /** By the row of the token table. */
  readonly byRow: ReadonlyMap<string, readonly Candidate[]>
  /** Under the bar of a finding: masked all the same. */
  readonly masked: readonly MaskedValue[]
  /** The steps ended before the file. */
  readonly isCut: boolean
}

/** What has been read of a file already, for the finders to share. */
export interface Readings {
  readonly isSample: boolean
  readonly isMinified: boolean
  layers(): readonly Layer[]
  shaped(): readonly ShapedToken[]
  privateKeys(): readonly PrivateKey[]
  urls(): readonly CredentialUrl[]
}

/** Runs all finders over a file, the most specific first, so that steps that end cost the others. */
export function findCredentials(file: OpenFile<OpenContent>, readings: Readings): FinderResult {
  const { budget, path, kind } = file
  const { isSample } = readings
  const candidates: Candidate[] = []
  const masked: MaskedValue[] = []
  const claimed: Span[] = []
  let isCut = false
  try {
    for (const token of readings.shaped()) {
      const candidate = toCandidate(token, isSample)
      // of a row with a rule of its own
      if (candidate === undefined) claimed.push(token.token.span)
      else candidates.push(candidate)
    }
    // one by one: a call has no room for a hundred thousand arguments
    for (const { span } of readings.privateKeys()) claimed.push(span)
    for (const url of readings.urls()) claimed.push(passwordSpan(url))
    const judged: JudgedFile = { path, kind, isSample, isGenericSilent: isTranslation(path) || readings.isMinified }
    const dialect = dialectOf(path, kind)
    for (const layer of readings.layers()) {
      for (const find of [findKubernetesSecrets, findCommandPasswords, findHeaderCredentials])
        for (const candidate of find(layer, isSample, budget)) candidates.push(candidate)
      for (const assignment of findAssignments(layer, dialect, budget)) {
        const judgement = judgeAssignment(assignment, layer.text, judged)
        if (judgement === undefined) continue
        budget.step(20)
        const span = layer.spanOf(assignment.start, assignment.end)
        if ('mask' in judgement) masked.push({ span, value: judgement.mask })
        else candidates.push({ ...judgement.candidate, span })
      }
    }
  } catch (error) {
    // what was found so far is told; the rest is a notice
    if (!(error instanceof StopSignal) || error.reason !== 'steps') throw error
    isCut = true
  }
  return { byRow: groupByRow(resolveCandidates(candidates, claimed)), masked, isCut }
}

function passwordSpan({ spanOf, passwordStart, password }: CredentialUrl): Span {
  return spanOf(passwordStart, passwordStart + password.length)
}

function groupByRow(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const known = groups.get(candidate.row)
    if (known === undefined) groups.set(candidate.row, [candidate])
    else known.push(candidate)
  }
  return groups
}
