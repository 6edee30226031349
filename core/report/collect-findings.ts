import { hashText } from './hash-text.ts'
import { MAX_FINDINGS, MAX_OCCURRENCES, MAX_OCCURRENCES_PER_FINDING } from '../limits.ts'
import type { ConfiguredSuppression } from '../project/config.ts'
import type { Finding, LeftOut, Notice } from '../types.ts'
import { compareFindings, type Ordered } from './compare-findings.ts'
import { createRuleNames, type NamedRule } from './unknown-rules.ts'
import { indexSuppressions, type RuleRelations } from './find-suppressions.ts'
import { ruleAndFile, toNumber, withoutYielding } from './yielding.ts'

/** What is told and what the project hides, each sorted by severity, then place. */
export interface SortedFindings {
  readonly shown: readonly Finding[]
  readonly hidden: readonly Finding[]
  readonly notices: readonly Notice[]
}

/** What is known of a finding before it gets its id and its snippet, which cost the most. */
export type FindingSketch = Ordered & Pick<Finding, 'group' | 'suppressed'>

/**
 * Findings as they are made: equal ones joined with occurrences, the project's suppressions applied, and never more of them kept than a report shows.
 * What is kept depends on the findings and, for the places of one finding, on their order; never on who runs the scan.
 */
export interface FindingCollector {
  /** Whether a finding is worth to be finished and added. False: there is no room for it, and it was counted. */
  offer(sketch: FindingSketch): boolean
  add(findings: readonly Finding[]): void
  /** What was counted instead of being added. */
  declined(): LeftOut
  /** What an earlier run left out. */
  leaveOut(more: LeftOut): void
  /** What is kept and what is left out so far, without the project's suppressions: a later run goes on from there. */
  kept(): { readonly findings: readonly Finding[]; readonly leftOut: LeftOut }
  /** `grade` gives each its final severity; undefined: it is no finding. */
  sorted(grade?: (finding: Finding) => Finding | undefined): SortedFindings
}

export interface CollectorSettings {
  readonly suppressions?: readonly ConfiguredSuppression[]
  readonly rules?: RuleRelations
  /** Findings that are kept, shown and hidden each. */
  readonly most?: number
}

/** A finding, its other places, and how many more of those there are. */
interface Entry {
  best: Finding
  readonly others: Ordered[]
  uncounted: number
  /** What hides it: the project's own suppressions, or a comment beside it. */
  by: readonly ConfiguredSuppression[]
  pool: Pool
}

interface Pool {
  size: number
  left: number
  /** What is worse has no chance any more. */
  worst: Ordered | undefined
}

export function createFindingCollector(settings: CollectorSettings = {}): FindingCollector {
  const { suppressions = [], rules = new Map(), most = MAX_FINDINGS } = settings
  const index = indexSuppressions(suppressions, rules)
  const used = new Set<ConfiguredSuppression>()
  const entries = new Map<string, Entry>()
  const shown: Pool = { size: 0, left: 0, worst: undefined }
  const hidden: Pool = { size: 0, left: 0, worst: undefined }
  /** Groups that were left out, by their hash, with the number of their places and the best of these, which decides what hides them. */
  const gone = new Map<number, { best: Ordered; places: number; pool: Pool }>()
  /** Places that were left out of rules that look at a file and at the flows through it, by rule and file: they come twice, and are one finding each. */
  const goneAt = new Map<string, number[]>()
  const declined = { findings: 0, suppressed: 0, places: 0 }
  let others = 0
  let places = 0

  const poolOf = ({ suppressed }: Pick<Finding, 'suppressed'>, by: readonly ConfiguredSuppression[]): Pool =>
    suppressed === undefined && by.length === 0 ? shown : hidden
  const hasRoom = (entry: Entry): boolean => entry.others.length < MAX_OCCURRENCES_PER_FINDING && others < MAX_OCCURRENCES

  const addPlace = (entry: Entry, place: Ordered): void => {
    if (hasRoom(entry)) {
      entry.others.push(toOrdered(place))
      others++
    } else entry.uncounted++
  }

  const comesTwice = (ruleId: string): boolean => {
    const checks = rules.get(ruleId)?.checks
    return checks?.flow !== undefined && Object.keys(checks).length > 1
  }

  /** Gives whether it had not been counted yet. */
  const leave = (key: string, best: FindingSketch, pool: Pool, count = 1): boolean => {
    if (best.group !== undefined) {
      const hash = hashText(key)
      const known = gone.get(hash)
      if (known !== undefined) {
        known.places += count
        if (compareFindings(best, known.best) < 0) {
          known.pool.left--
          pool.left++
          Object.assign(known, { best: toOrdered(best), pool })
        }
        return false
      }
      gone.set(hash, { best: toOrdered(best), places: count, pool })
    } else if (comesTwice(best.ruleId)) {
      const beside = goneAt.get(ruleAndFile(best)) ?? []
      if (beside.includes(toNumber(best))) return false
      beside.push(toNumber(best))
      goneAt.set(ruleAndFile(best), beside)
    }
    pool.left++
    return true
  }

  /** Whether there is no room for it: it is worse than all that is kept, or another place of what was left out. */
  const isOut = (key: string, sketch: FindingSketch, pool: Pool): boolean => {
    if (pool.worst !== undefined && compareFindings(sketch, pool.worst) > 0) return true
    const known = sketch.group === undefined ? undefined : gone.get(hashText(key))
    return known !== undefined && compareFindings(sketch, known.best) > 0
  }

  const prune = (pool: Pool): void => {
    const own = [...entries].filter(([, entry]) => entry.pool === pool).sort(([, a], [, b]) => compareFindings(a.best, b.best))
    for (const [key, entry] of own.slice(most)) {
      entries.delete(key)
      others -= entry.others.length
      for (const one of entry.by) used.add(one)
      leave(key, entry.best, pool, 1 + entry.others.length + entry.uncounted)
    }
    pool.size = Math.min(own.length, most)
    pool.worst = own[most - 1]?.[1].best ?? pool.worst
  }

  const place = (key: string, best: Finding): void => {
    const by = best.suppressed === undefined ? index.find(best) : []
    const pool = poolOf(best, by)
    if (isOut(key, best, pool)) {
      for (const one of by) used.add(one)
      leave(key, best, pool)
      return
    }
    const known = best.group === undefined ? undefined : gone.get(hashText(key))
    if (known !== undefined) {
      known.pool.left--
      gone.delete(hashText(key))
    }
    const beside = best.group === undefined ? goneAt.get(ruleAndFile(best)) : undefined
    if (beside?.includes(toNumber(best)) === true) {
      pool.left--
      beside.splice(beside.indexOf(toNumber(best)), 1)
    }
    const entry: Entry = { best, others: [], uncounted: known?.places ?? 0, by, pool }
    entries.set(key, entry)
    for (const at of best.occurrences ?? []) addPlace(entry, { severity: best.severity, ruleId: best.ruleId, at })
    if (++pool.size > most * 2) prune(pool)
  }

  const join = (entry: Entry, finding: Finding): void => {
    const { best } = entry
    // what a rule sees in a file alone gives way to what it knows to flow to the same place
    if (isSameFinding(finding, best) && (finding.flow === undefined) !== (best.flow === undefined)) {
      if (finding.flow !== undefined) replace(entry, finding)
      return
    }
    if (compareFindings(finding, best) >= 0) return addPlace(entry, finding)
    addPlace(entry, best)
    replace(entry, finding)
  }

  const replace = (entry: Entry, finding: Finding): void => {
    entry.best = finding
    entry.by = finding.suppressed === undefined ? index.find(finding) : []
    entry.pool.size--
    entry.pool = poolOf(finding, entry.by)
    entry.pool.size++
  }

  const listOf = (pool: Pool): Entry[] => {
    if (pool.size > most) prune(pool)
    return [...entries.values()].filter((entry) => entry.pool === pool).sort((a, b) => compareFindings(a.best, b.best))
  }

  const countPlaces = (list: readonly Entry[]): number => list.reduce((sum, { uncounted }) => sum + uncounted, places)

  return {
    offer(sketch) {
      const { group, suppressed } = sketch
      const entry = group === undefined ? undefined : entries.get(keyOf(sketch))
      if (entry !== undefined) {
        if (hasRoom(entry) || compareFindings(sketch, entry.best) < 0) return true
        entry.uncounted++
        declined.places++
        return false
      }
      const pool = poolOf(sketch, suppressed === undefined ? index.find(sketch) : [])
      const key = keyOf(sketch)
      if (!isOut(key, sketch, pool)) return true
      if (!leave(key, sketch, pool)) return false
      if (pool === shown) declined.findings++
      else declined.suppressed++
      return false
    },
    add(findings) {
      for (const finding of findings) {
        const key = keyOf(finding)
        const entry = entries.get(key)
        if (entry === undefined) place(key, finding)
        else join(entry, finding)
      }
    },
    declined: () => ({ ...declined }),
    leaveOut(more) {
      shown.left += more.findings
      hidden.left += more.suppressed
      places += more.places
    },
    kept() {
      const list = [...listOf(shown), ...listOf(hidden)]
      const leftOut = { findings: shown.left, suppressed: hidden.left, places: countPlaces(list) }
      return { findings: list.map(toFinding), leftOut }
    },
    sorted(grade = (finding) => finding) {
      const graded = (pool: Pool): Entry[] => {
        const entries = listOf(pool).flatMap((entry) => {
          const best = grade(entry.best)
          return best === undefined ? [] : [{ ...entry, best }]
        })
        return joinBoilerplate(entries.sort((a, b) => compareFindings(a.best, b.best)))
      }
      const [told = [], untold = []] = withoutYielding([graded(shown), graded(hidden)], rules)
      for (const { by } of untold) for (const one of by) used.add(one)
      const ruleOf = createRuleNames(rules)
      return {
        shown: told.map(toFinding),
        hidden: untold.map((entry) => ({ ...toFinding(entry), suppressed: entry.best.suppressed ?? entry.by[0]?.reason ?? '' })),
        notices: [
          ...(index.isSpent ? [configNotice('config-too-costly')] : []),
          ...suppressions
            .filter((one) => !used.has(index.firstEqual(one)))
            .map((one) => tellUnused(one, index.partial.has(index.firstEqual(one)), ruleOf)),
          ...capNotice('report', shown.left),
          ...capNotice('suppressed', hidden.left),
          ...capNotice('occurrences', countPlaces([...told, ...untold])),
        ],
      }
    },
  }
}

/** Nothing more: a snippet of each of them would fill the memory. */
function toOrdered({ severity, ruleId, at, id }: Ordered): Ordered {
  return { severity, ruleId, at, ...(id !== undefined && { id }) }
}

/** The same rule at the very same place, in two phases of a scan. */
function isSameFinding(a: Finding, b: Finding): boolean {
  return a.id === b.id && a.at.line === b.at.line && a.at.column === b.at.column && a.at.file === b.at.file
}

/** What is hidden inline hides its own place, not the value's other places. */
function keyOf({ id, group, suppressed }: Pick<FindingSketch, 'id' | 'group' | 'suppressed'>): string {
  return group === undefined ? (id ?? '') : `${group} ${suppressed ?? ''}`
}

function toFinding({ best, others }: Entry): Finding {
  if (others.length === 0) return best
  const occurrences = [...others]
    .sort(compareFindings)
    .map(({ at: { file, line } }) => (line === undefined ? { file } : { file, line }))
  return { ...best, occurrences }
}

function capNotice(reason: string, count: number): readonly Notice[] {
  return count === 0 ? [] : [{ code: 'findings-capped', reason, args: { count: String(count) }, partial: true }]
}

function tellUnused(one: ConfiguredSuppression, isPartial: boolean, ruleOf: (name: string) => NamedRule): Notice {
  const { id, rule = '', place = 'suppress' } = one
  const { exists, meant } = ruleOf(rule)
  const name = id ?? rule
  if (exists) return configNotice(isPartial ? 'config-partial' : 'config-unused', { name })
  if (meant === undefined) return configNotice('config-unknown-rule', { name: rule, place: `${place}.rule` })
  return configNotice('config-misspelt', { name: rule, place: `${place}.rule`, meant })
}

function configNotice(reason: string, args?: Notice['args']): Notice {
  return {
    code: 'suppressions-ignored',
    reason,
    file: 'parapet.config.json',
    ...(args !== undefined && { args }),
    partial: false,
  }
}

/** What a rule finds in files of generators is one finding, however many apps of a project have such a file. */
function joinBoilerplate(entries: readonly Entry[]): Entry[] {
  const byRule = new Map<string, Entry>()
  return entries.flatMap((entry) => {
    const { best, others } = entry
    if (best.grade?.usage !== 'boilerplate') return [entry]
    const first = byRule.get(best.ruleId)
    if (first === undefined) {
      const own = { ...entry, others: [...others] }
      byRule.set(best.ruleId, own)
      return [own]
    }
    for (const place of [toOrdered(best), ...others])
      if (first.others.length < MAX_OCCURRENCES_PER_FINDING) first.others.push(place)
      else first.uncounted++
    return []
  })
}
