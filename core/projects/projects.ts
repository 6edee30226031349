import { createStorage } from 'unstorage'
import { Refusal } from '../errors.ts'
import type { ExclusiveStorage } from '../exclusive.ts'
import { logFaults, type Log } from '../log.ts'
import { attempt, hashBytes } from '../stored-scans.ts'
import { findPredecessors, mainBranch } from './branches.ts'
import {
  dayOf,
  type Awaited,
  type DecidedFinding,
  type DecideOutcome,
  type Decision,
  type DecisionText,
} from './decision-types.ts'
import { createDecisions, type KnownDecisions } from './decisions.ts'
import { createKnownLines } from './known-lines.ts'
import { findKnown, readMarks } from './marks.ts'
import { createStoredDigests, type Digest } from './stored-digests.ts'
import { createStoredSettings } from './stored-settings.ts'
import { createStoredLines, keyOfProject } from './stored-lines.ts'
import { findChange, findOpen, isByAnotherVersion, whyNew, type ScanOrder } from './statuses.ts'
import { SEVERITIES } from '../scales.ts'
import type { Severity } from '../types.ts'
import type { FindingStatus, Mark, OpenFinding, Project, ProjectRow, ProjectScan, ProjectSettings, ScanLine } from './types.ts'

type SinceOf = (ruleId: string) => string | undefined

const sinceUnknown: SinceOf = () => undefined

export interface ProjectsOptions {
  readonly log?: Log
  readonly now?: () => Date
  /** The versions of Parapet that rules came with; asked where two versions are compared. */
  readonly loadSince?: () => Promise<SinceOf>
}

/** What the scans of a name space tell over time. Rejects with the refusals `storage-unavailable` and `project-not-found`. */
export interface Projects {
  /** By name. */
  list(): Promise<readonly ProjectRow[]>
  /** `name`: that of the project, or `key:` and its key. */
  find(name: string): Promise<Project>
  /** The statuses of the findings of a scan, by id; undefined where there is no such scan. */
  statusesOf(scanId: string): Promise<ScanStatuses | undefined>
  change(name: string, settings: Partial<ProjectSettings>): Promise<Project>
  /** What was ever decided, by finding. */
  decisions(name: string): Promise<readonly DecidedFinding[]>
  /** Decides on several findings at once, or without a text takes back what was decided. Rejects with the refusal `finding-not-found` too. */
  decide(name: string, findings: readonly Awaited[], text: DecisionText | undefined, by?: string): Promise<DecideOutcome>
  /** Removes all scans of the project, their reports by what is given, and what was said of it. */
  remove(name: string, removeScan: (scanId: string) => Promise<void>): Promise<void>
}

/** Since when the findings of a scan are there. */
export interface ScanStatuses {
  /** Another one where anything of it would be told otherwise. */
  readonly tag: string
  of(id: string, ruleId: string): FindingStatus | undefined
  /** Findings that a decision holds for. */
  readonly decided: number
  /** How many are new and undecided from this severity on. */
  countNew(least: Severity): number
}

/** A decision that ends within so many milliseconds is told. */
const SOON = 30 * 24 * 60 * 60 * 1000

/** Scores that a row tells. */
const TREND = 30

interface Known extends ScanOrder {
  readonly key: string
  readonly kept: ReadonlySet<string>
}

export function createProjects(storage: ExclusiveStorage = createStorage(), options: ProjectsOptions = {}): Projects {
  const { log = logFaults, now = () => new Date(), loadSince = async () => sinceUnknown } = options
  const known = createKnownLines(storage, log)
  const lines = createStoredLines(storage, log)
  const settings = createStoredSettings(storage, log)
  const decisions = createDecisions(storage, log, now)
  const digests = createStoredDigests(storage, log)
  /** What came and went with a scan, by its id and those of all before it. */
  const changes = new Map<string, { readonly of: string; readonly found: number; readonly fixed: number }>()

  async function load(key: string, scanIds: readonly string[], kept: ReadonlySet<string>): Promise<Known> {
    const read = await known.read(key, scanIds)
    return { key, kept, lines: read, predecessors: findPredecessors(read) }
  }

  /** The key of a project that there is, with its scans. */
  async function open(name: string): Promise<Known> {
    const index = await known.find()
    const keys = [await keyOfProject(name), ...(name.startsWith('key:') ? [name.slice(4)] : [])]
    const key = keys.find((one) => index.projects.has(one))
    const order = key === undefined ? undefined : await load(key, index.projects.get(key) ?? [], index.kept)
    if (order === undefined || order.lines.length === 0) throw new Refusal('project-not-found')
    return order
  }

  function countChange(order: Known, position: number): { readonly found: number; readonly fixed: number } {
    const scanId = order.lines[position]?.entry.scanId ?? ''
    const before = order.predecessors[position]
    // what an incomplete one leaves open depends on those before it
    const of = before === undefined ? '' : order.lines.slice(0, before + 1).reduce((ids, { entry }) => ids + entry.scanId, '')
    const earlier = changes.get(scanId)
    if (earlier?.of === of) return earlier
    const { found, fixed } = findChange(order, position)
    const change = { of, found: found.length, fixed }
    changes.set(scanId, change)
    return change
  }

  function toScan(order: Known, position: number): ProjectScan | undefined {
    const line = order.lines[position]
    if (line === undefined) return undefined
    const { scanId, scannedAt, riskScore, riskLevel, summary } = line.entry
    const { found, fixed } = countChange(order, position)
    const before = order.lines[order.predecessors[position] ?? -1]?.entry.scanId
    return {
      scanId,
      scannedAt,
      ...describeRevision(line),
      riskScore,
      riskLevel,
      summary,
      complete: line.complete,
      new: found,
      fixed,
      ...(before !== undefined && { before }),
      kept: order.kept.has(scanId),
    }
  }

  function lastOfMain({ lines: all }: Known): number {
    const branch = mainBranch(all)
    return all.findLastIndex((line) => line.branch === branch)
  }

  /** What the list tells of a project, of which scans it is. */
  async function digest(order: Known): Promise<Digest> {
    const position = lastOfMain(order)
    const line = order.lines[position]
    const scan = toScan(order, position)
    if (line === undefined || scan === undefined) throw new Refusal('project-not-found')
    const { summary, new: found, fixed, kept: _, ...lastScan } = scan
    return {
      of: await nameScans(order.lines.map(({ entry }) => entry.scanId)),
      name: line.entry.projectName,
      lastScan,
      counts: summary,
      new: found,
      fixed,
      scans: order.lines.length,
      trend: order.lines.flatMap(({ branch, entry }) => (branch === line.branch ? [entry.riskScore] : [])).slice(-TREND),
      marks: line.marks,
    }
  }

  async function toRow(key: string, known: Digest, kept: ReadonlySet<string>, decided?: KnownDecisions): Promise<ProjectRow> {
    const { of: _, marks, lastScan, ...rest } = known
    const { title, tags } = await attempt(() => settings.read(key))
    return {
      ...rest,
      key,
      ...(title !== undefined && { title }),
      tags,
      lastScan: { ...lastScan, kept: kept.has(lastScan.scanId) },
      ...countDecided(marks, decided, dayOf(new Date(now().getTime() + SOON))),
    }
  }

  function listOpen(order: Known, decided: KnownDecisions): OpenFinding[] {
    const position = lastOfMain(order)
    const line = order.lines[position]
    if (line === undefined) return []
    const since = findOpen(order, position)
    const before = order.lines[order.predecessors[position] ?? -1]
    return readMarks(line.marks).flatMap((mark) => {
      const { id, severity } = mark
      const status = toStatus(line, before, since.get(id), undefined)
      return status === undefined ? [] : [{ id, severity, ...status, ...describeDecision(findDecision(mark, decided)) }]
    })
  }

  async function toProject(order: Known): Promise<Project> {
    const history = order.lines.flatMap((_, position) => toScan(order, position) ?? []).reverse()
    const decided = await decisions.read(order.key)
    const row = await toRow(order.key, await digest(order), order.kept, decided)
    return { ...row, history, open: listOpen(order, decided) }
  }

  return {
    async list() {
      const [{ projects, kept }, decided] = await Promise.all([known.find(), decisions.count()])
      const stored = await digests.read([...projects.keys()])
      const rows: ProjectRow[] = []
      // one after the other: each reads as many records at once as files may be open
      for (const [key, scanIds] of projects) {
        let told = stored.get(key)
        if (told?.of !== (await nameScans(scanIds))) {
          const order = await load(key, scanIds, kept)
          if (order.lines.length === 0) continue
          told = await digest(order)
          // lines that can't be read now may be read later
          if (order.lines.length === scanIds.length) digests.keep(key, told)
        }
        rows.push(await toRow(key, told, kept, decided.has(key) ? await decisions.read(key) : undefined))
      }
      return rows.sort((one, other) => compareNames(one.name, other.name))
    },

    find: async (name) => toProject(await open(name)),

    async statusesOf(scanId) {
      const { projects, kept } = await known.find()
      const [key = '', scanIds = []] = [...projects].find(([, ids]) => ids.includes(scanId)) ?? []
      const order = await load(key, scanIds, kept)
      const position = order.lines.findIndex(({ entry }) => entry.scanId === scanId)
      const line = order.lines[position]
      if (line === undefined) return undefined
      const since = findOpen(order, position)
      const before = order.lines[order.predecessors[position] ?? -1]
      const sinceOf = isByAnotherVersion(before, line) ? await loadSince() : sinceUnknown
      const reached = await decisions.read(key)
      const marks = readMarks(line.marks)
      const decided = new Map(
        marks.flatMap((mark) => {
          const decision = findDecision(mark, reached)
          return decision === undefined ? [] : [[mark.id, decision] as const]
        }),
      )
      const holds = (id: string): boolean => decided.get(id)?.expired === false
      return {
        tag: await hashText(JSON.stringify([before?.entry.scanId, [...since], reached.tag])),
        of(id, ruleId) {
          const status = toStatus(line, before, since.get(id), sinceOf(ruleId))
          return status && { ...status, ...describeDecision(decided.get(id)) }
        },
        decided: marks.filter(({ id }) => holds(id)).length,
        countNew: (least) =>
          marks.filter(
            ({ id, severity }) =>
              SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least) && since.get(id)?.scanId === scanId && !holds(id),
          ).length,
      }
    },

    async change(name, changed) {
      const order = await open(name)
      await attempt(async () => settings.write(order.key, { ...(await settings.read(order.key)), ...changed }))
      return toProject(order)
    },

    async decisions(name) {
      return (await decisions.read((await open(name)).key)).list()
    },

    async decide(name, findings, text, by) {
      const order = await open(name)
      const { decided } = await decisions.read(order.key)
      const missing = new Set(findings.flatMap(({ id }) => (decided.has(id) ? [] : [id])))
      for (const { marks } of order.lines.toReversed()) {
        if (missing.size === 0) break
        for (const { id } of readMarks(marks)) missing.delete(id)
      }
      if (missing.size > 0) throw new Refusal('finding-not-found')
      return decisions.decide(order.key, findings, text, by)
    },

    async remove(name, removeScan) {
      const order = await open(name)
      for (const { entry } of order.lines) {
        if (order.kept.has(entry.scanId)) await removeScan(entry.scanId)
        await attempt(() => lines.erase(order.key, entry.scanId))
      }
      await decisions.erase(order.key)
      await attempt(() => digests.erase(order.key))
      await attempt(() => settings.erase(order.key))
    },
  }
}

/** That of a finding, also where it was decided under an id that it had before. */
function findDecision(mark: Mark, { decided, find }: KnownDecisions): Decision | undefined {
  const id = findKnown(mark, (one) => decided.has(one))
  return id === undefined ? undefined : find(id)
}

const describeDecision = (decision: Decision | undefined): Pick<FindingStatus, 'decision'> =>
  decision === undefined ? {} : { decision }

/** `soon`: a day until which a decision has to hold, or it is told that it ends. */
function countDecided(marks: string, known: KnownDecisions | undefined, soon: string): Pick<ProjectRow, 'decided' | 'expiring'> {
  if (known === undefined || known.decided.size === 0) return { decided: 0, expiring: 0 }
  const found = readMarks(marks).flatMap((mark) => findDecision(mark, known) ?? [])
  return {
    decided: found.filter(({ expired }) => !expired).length,
    expiring: found.filter(({ until }) => until !== undefined && until <= soon).length,
  }
}

function toStatus(
  line: ScanLine,
  before: ScanLine | undefined,
  firstSeen: FindingStatus['firstSeen'] | undefined,
  since: string | undefined,
): FindingStatus | undefined {
  if (firstSeen === undefined) return undefined
  if (firstSeen.scanId !== line.entry.scanId) return { status: 'open', firstSeen }
  const newBecause = whyNew(line, before, since)
  return { status: 'new', ...(newBecause !== undefined && { newBecause }), firstSeen }
}

function describeRevision({ branch, commit, release }: ScanLine): Pick<ProjectScan, 'branch' | 'commit' | 'release'> {
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(release !== undefined && { release }),
  }
}

/** Another one where lists are made of scans in another way. */
const MAKING = 1

/** Stands for these scans and no others. */
const nameScans = (scanIds: readonly string[]): Promise<string> => hashText(`${MAKING} ${scanIds.join(' ')}`)

async function hashText(text: string): Promise<string> {
  return (await hashBytes(new TextEncoder().encode(text))).slice(0, 16)
}

/** The same everywhere, whatever the language of the machine. */
function compareNames(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  if (first === second) return one < other ? -1 : one > other ? 1 : 0
  return first < second ? -1 : 1
}
