import { withinSteps, type Budget } from '../budget.ts'
import type { MaskedValue, OpenContent, OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { ARGUMENT_KEYWORDS, findArguments } from './arguments.ts'
import { findAssignments, type Assignment } from './assignments.ts'
import type { Candidate } from './candidate.ts'
import { findInColumns } from './columns.ts'
import { COMMAND_KEYWORDS, findCommandPasswords } from './commands.ts'
import { dialectOf, type Dialect } from './dialect.ts'
import { toCandidate, type ShapedToken } from './find-tokens.ts'
import { isTranslation } from './grade.ts'
import { findHeaderCredentials, HEADER_KEYWORDS } from './headers.ts'
import { judgeAssignment, type JudgedFile } from './judge.ts'
import { findFilledInputs, INPUT_KEYWORDS } from './inputs.ts'
import { createKeywordTest } from './keyed-table.ts'
import { findKubernetesSecrets, KUBERNETES_KEYWORDS } from './kubernetes.ts'
import { findInRecords } from './records.ts'
import { readEscapes } from './escapes.ts'
import { countLook, type Layer } from './layers.ts'
import { NAME_KEYWORDS } from './names.ts'
import { createComparedReader } from './no-value.ts'
import { findPasswordLines } from './password-files.ts'
import { findPathKeys, PATH_KEYWORDS } from './path-keys.ts'
import type { PrivateKey } from './private-keys.ts'
import { createSpanSet, resolveCandidates } from './resolve.ts'
import type { CredentialUrl } from './urls.ts'

/** An escape of an ASCII sign, as in JSON and scripts. */
const ESCAPE_KEYWORD = '\\u00'
/** JSON in an attribute of a page, or in an address. */
const ESCAPED_JSON: readonly string[] = ['&quot;:&quot;', '&quot;: &quot;', '&#34;:&#34;', '%22:%22', '%22%3A%22']
export const ESCAPE_KEYWORDS: readonly string[] = [ESCAPE_KEYWORD, ...ESCAPED_JSON]

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
  /** A line had more to read than its steps allow. */
  isLineCut(): boolean
}

const hasKubernetes = createKeywordTest(KUBERNETES_KEYWORDS)
const hasCommand = createKeywordTest(COMMAND_KEYWORDS)
const hasHeader = createKeywordTest(HEADER_KEYWORDS)
const hasInput = createKeywordTest(INPUT_KEYWORDS)
const hasName = createKeywordTest(NAME_KEYWORDS)
const hasArgument = createKeywordTest(ARGUMENT_KEYWORDS)
const hasPathKey = createKeywordTest(PATH_KEYWORDS)

/** Runs all finders over a file, the most specific first, so that steps that end cost the others. */
export function findCredentials(file: OpenFile<OpenContent>, readings: Readings): FinderResult {
  const { budget, path, kind } = file
  const { isSample } = readings
  const candidates: Candidate[] = []
  const masked: MaskedValue[] = []
  const claimed: Span[] = []
  // what was found so far is told; the rest is a notice
  const isWhole = withinSteps(() => {
    for (const token of readings.shaped()) {
      const candidate = toCandidate(token, { path, text: file.text, isSample }, budget)
      // of a row with a rule of its own
      if (candidate === undefined) claimed.push(token.token.span)
      else candidates.push(candidate)
    }
    const tokens = createSpanSet(candidates.map(({ span }) => span))
    // one by one: a call has no room for a hundred thousand arguments
    for (const { span } of readings.privateKeys()) claimed.push(span)
    // a token in a URL is told as the token that it is
    for (const url of readings.urls()) if (!tokens.overlaps(passwordSpan(url))) claimed.push(passwordSpan(url))
    const judged: JudgedFile = {
      path,
      text: file.text,
      kind,
      isSample,
      isGenericSilent: isTranslation(path) || readings.isMinified,
    }
    const dialect = dialectOf(path, kind, file.text)
    const [own, ...decoded] = readings.layers()
    for (const layer of [...(own === undefined ? [] : [own]), ...decoded, ...readEscapedNames(file, own)]) {
      if (layer !== own && !layer.permits(0)) continue
      const entries = hasKubernetes(layer) ? [...findKubernetesSecrets(layer, isSample, budget)] : []
      for (const { candidate } of entries) if (candidate !== undefined) candidates.push(candidate)
      const encoded = createSpanSet(entries.map(({ span }) => span))
      if (hasCommand(layer)) for (const candidate of findCommandPasswords(layer, isSample, budget)) candidates.push(candidate)
      if (hasHeader(layer)) for (const candidate of findHeaderCredentials(layer, isSample, budget)) candidates.push(candidate)
      const judgedText = { text: layer.text, isUncompared: createComparedReader(layer.text, budget) }
      for (const assignment of findNamed(layer, dialect, judged, budget)) {
        const judgement = judgeAssignment(assignment, judgedText, judged, budget)
        if (judgement === undefined) continue
        const span = layer.spanOf(assignment.start, assignment.end)
        if (encoded.overlaps(span)) continue
        if ('mask' in judgement) masked.push({ span, value: judgement.mask })
        else candidates.push({ ...judgement.candidate, span })
      }
    }
  })
  return { byRow: groupByRow(resolveCandidates(candidates, claimed)), masked, isCut: !isWhole || readings.isLineCut() }
}

/** An escape of a letter of ASCII, which nobody needs who writes a name. */
const ESCAPED_LETTER = /\\u00(?:[46][1-9a-f]|[57][0-9a])/i
const LONGEST_ESCAPED = 65_536

/** Where escapes hide a name for the first time. */
function firstEscapedName(own: Layer, budget: Budget): number | undefined {
  const places = ESCAPED_JSON.flatMap((keyword) => own.offsets(keyword).slice(0, 1))
  if (own.offsets(ESCAPE_KEYWORD).length > 0) {
    countLook(budget, own.text.length)
    const letter = own.text.search(ESCAPED_LETTER)
    if (letter !== -1) places.push(letter)
  }
  return places.length === 0 ? undefined : Math.min(...places)
}

/** The file with its escapes read, where they hide a name. */
function readEscapedNames({ hits, budget, path }: OpenFile<OpenContent>, own: Layer | undefined): readonly Layer[] {
  if (own === undefined || isTranslation(path) || !ESCAPE_KEYWORDS.some((keyword) => hits.has(keyword))) return []
  const first = firstEscapedName(own, budget)
  if (first === undefined) return []
  const from = Math.max(0, first - LONGEST_ESCAPED / 2)
  countLook(budget, LONGEST_ESCAPED)
  const layer = readEscapes(own, from, from + LONGEST_ESCAPED)
  return layer === undefined ? [] : [layer]
}

/** Values that a name, a position or a line of a file of passwords gives away. */
function* findNamed(
  layer: Layer,
  dialect: Dialect,
  { path, isGenericSilent }: JudgedFile,
  budget: Budget,
): Generator<Assignment> {
  if (hasInput(layer)) yield* findFilledInputs(layer, budget)
  if (hasName(layer)) yield* findAssignments(layer, dialect, budget)
  yield* findInColumns(layer, path, budget)
  if (!isGenericSilent && hasName(layer)) yield* findInRecords(layer, path, budget)
  if (dialect === 'none') return
  if (hasPathKey(layer)) yield* findPathKeys(layer, budget)
  if (hasArgument(layer)) yield* findArguments(layer, budget)
  yield* findPasswordLines(layer, path, budget)
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
