import { Refusal } from '../errors.ts'
import type { ExclusiveStorage } from '../exclusive.ts'
import type { Log } from '../log.ts'
import { createDecisionLog } from './decision-log.ts'
import {
  dayOf,
  isExpired,
  type Awaited,
  type DecidedFinding,
  type DecideOutcome,
  type Decision,
  type DecisionRecord,
  type DecisionText,
  type FormerDecision,
} from './decision-types.ts'

/** Writers of other processes that may be first one after the other. */
const MOST_TURNS = 200

/** What is known of the decisions of a project at one time. */
export interface KnownDecisions {
  /** Another one where anything of it would be told otherwise. */
  readonly tag: string
  readonly decided: ReadonlySet<string>
  find(id: string): Decision | undefined
  list(): readonly DecidedFinding[]
}

export interface Decisions {
  read(project: string): Promise<KnownDecisions>
  /** How many were ever written, by the keys of projects. */
  count(): Promise<ReadonlyMap<string, number>>
  /** Decides on all of these or on none; without a text takes back what was decided. */
  decide(project: string, findings: readonly Awaited[], text: DecisionText | undefined, by?: string): Promise<DecideOutcome>
  erase(project: string): Promise<void>
}

/** What was decided about a finding, oldest first, each with its number in the log. */
type Story = readonly (readonly [number, DecisionRecord])[]

export function createDecisions(storage: ExclusiveStorage, log: Log, now: () => Date): Decisions {
  const records = createDecisionLog(storage, log)
  /** What is made of a log, as far as it was read. */
  const stories = new Map<string, { readonly of: readonly DecisionRecord[]; length: number; readonly byId: Map<string, Story> }>()
  const turns = new Map<string, Promise<unknown>>()

  function toStories(project: string, all: readonly DecisionRecord[]): ReadonlyMap<string, Story> {
    const known = stories.get(project)
    const kept = known?.of === all ? known : { of: all, length: 0, byId: new Map<string, Story>() }
    for (; kept.length < all.length; kept.length++) {
      const record = all[kept.length]
      for (const id of record?.ids ?? [])
        if (record !== undefined) kept.byId.set(id, [...(kept.byId.get(id) ?? []), [kept.length + 1, record]])
    }
    stories.set(project, kept)
    return kept.byId
  }

  async function read(project: string): Promise<KnownDecisions> {
    const all = await records.read(project)
    const byId = toStories(project, all)
    const today = dayOf(now())
    return {
      tag: `${all.length} ${all.at(-1)?.at ?? ''} ${today}`,
      decided: new Set([...byId].flatMap(([id, story]) => (story.at(-1)?.[1].state === 'withdrawn' ? [] : [id]))),
      find: (id) => toDecision(byId.get(id), today),
      list: () => [...byId].map(([id, story]) => tellStory(id, story, today)),
    }
  }

  async function decideInTurn(project: string, findings: readonly Awaited[], record: DecisionRecord): Promise<DecideOutcome> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const { find } = await read(project)
      const today = dayOf(now())
      const tell = (ids: readonly string[]): DecidedFinding[] =>
        ids.map((id) => tellStory(id, stories.get(project)?.byId.get(id) ?? [], today))
      const changed = findings.filter(({ id, etag }) => find(id)?.etag !== etag)
      if (changed.length > 0) return { kind: 'changed', findings: tell(changed.map(({ id }) => id)) }
      if (!(await records.append(project, record))) continue
      await read(project)
      return { kind: 'decided', findings: tell(record.ids) }
    }
    throw new Refusal('busy', { retryAfter: 1 })
  }

  return {
    read,
    count: records.count,
    erase: (project) => {
      stories.delete(project)
      return records.erase(project)
    },
    /** One after the other in a process: they would all try the same number. */
    async decide(project, findings, text, by) {
      const ids = findings.map(({ id }) => id)
      const said = text ?? { state: 'withdrawn' as const, reason: '', ...(by !== undefined && { by }) }
      const run = (): Promise<DecideOutcome> => decideInTurn(project, findings, { ...said, at: now().toISOString(), ids })
      const turn = (turns.get(project) ?? Promise.resolve()).then(run, run)
      turns.set(project, turn)
      try {
        return await turn
      } finally {
        if (turns.get(project) === turn) turns.delete(project)
      }
    },
  }
}

function toDecision(story: Story | undefined, today: string): Decision | undefined {
  const [number, record] = story?.at(-1) ?? []
  if (number === undefined || record === undefined) return undefined
  const { ids: _, state, ...text } = record
  if (state === 'withdrawn') return undefined
  return { ...text, state, expired: isExpired(text.until, today), etag: toTag(number, record.at) }
}

function tellStory(findingId: string, story: Story, today: string): DecidedFinding {
  const decision = toDecision(story, today)
  const before = decision === undefined ? story : story.slice(0, -1)
  const former = before.map(([, record]): FormerDecision => {
    const { ids: _, ...text } = record
    return text
  })
  return { findingId, ...(decision !== undefined && { decision }), history: former.reverse() }
}

/** The number alone would mean another one where a project was deleted and begun again. */
const toTag = (number: number, at: string): string => `${number.toString(36)}-${Date.parse(at).toString(36)}`
