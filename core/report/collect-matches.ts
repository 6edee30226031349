import { hashText } from './hash-text.ts'
import { MAX_FINDINGS, MAX_FINDINGS_PER_RULE_AND_FILE, MAX_FINDINGS_PER_RULE_AND_LOCK, MAX_OCCURRENCES } from '../limits.ts'
import { SEVERITIES } from '../scales.ts'
import type { Notice, PendingMatch, Place, Severity } from '../types.ts'

/**
 * Matches as rules yield them, of equal ones of a rule the one that says most, and never many more than a report shows, of each rule in each file and in all: the most severe,
 * then the first ones. A rule that yields a million matches of a hostile file, or of thousands of them, must not fill the memory.
 */
export interface MatchCollector {
  add(match: PendingMatch): void
  /** What is left, in the order in which it came, and how many were left out. */
  take(): {
    readonly matches: readonly PendingMatch[]
    readonly notices: readonly Notice[]
    /** Matches for which a report has no room, whatever becomes of the others. */
    readonly left: number
  }
}

/** All that a report shows: findings and their other places. */
const MOST = MAX_FINDINGS + MAX_OCCURRENCES
/** How many are kept until the ones too many are sorted out. */
const MOST_BETWEEN = MOST * 1.25

/** The matches of one rule in one file. */
interface Own {
  readonly ruleId: string
  readonly file: string
  readonly most: number
  kept: Numbered[]
  readonly keys: Set<string>
  /** What was left out, by its hash. */
  readonly gone: Set<number>
  worst: Numbered | undefined
}

interface Numbered {
  readonly index: number
  readonly rank: number
  readonly start: number
  readonly key: string
  readonly pending: PendingMatch
}

/** How many findings of one rule a report shows of a file. A lock file is the inventory of a whole project. */
export function mostMatches(isLock: boolean): number {
  return isLock ? MAX_FINDINGS_PER_RULE_AND_LOCK : MAX_FINDINGS_PER_RULE_AND_FILE
}

export function createMatchCollector(
  severityOf: (pending: PendingMatch) => Severity,
  isLock: (file: string) => boolean,
): MatchCollector {
  const byRule = new Map<string, Map<string, Own>>()
  let count = 0
  let size = 0
  /** Of all rules and files: the last one that is kept, and what was left out, by its hash. */
  let last: Numbered | undefined
  const left = new Set<number>()

  const ownOf = (ruleId: string, file: string): Own => {
    const byFile = byRule.get(ruleId) ?? new Map<string, Own>()
    byRule.set(ruleId, byFile)
    const own = byFile.get(file) ?? {
      ruleId,
      file,
      most: mostMatches(isLock(file)),
      kept: [],
      keys: new Set(),
      gone: new Set(),
      worst: undefined,
    }
    byFile.set(file, own)
    return own
  }

  const all = (): Own[] => [...byRule.values()].flatMap((byFile) => [...byFile.values()])

  const pruneAll = (): void => {
    const owns = all()
    const ordered = owns
      .flatMap(({ kept }) => kept.filter(isCounted))
      .sort(compareInAll)
      .slice(0, MOST)
    last = ordered[MOST - 1] ?? last
    size = ordered.length
    for (const own of owns) {
      const cut = own.kept.filter((one) => isCounted(one) && last !== undefined && compareInAll(one, last) > 0)
      if (cut.length === 0) continue
      for (const { key } of cut) {
        own.keys.delete(key)
        left.add(hashText(`${own.ruleId} ${key}`))
      }
      const gone = new Set(cut)
      own.kept = own.kept.filter((one) => !gone.has(one))
    }
  }

  return {
    add(pending) {
      const { ruleId, match } = pending
      const own = ownOf(ruleId, match.at.file)
      const key = placeKey(match.at, match.key)
      const rank = SEVERITIES.indexOf(severityOf(pending))
      if (own.keys.has(key)) {
        keepBetter(own, key, rank, pending)
        return
      }
      const numbered = { index: count++, rank, start: match.at.span?.start ?? -1, key, pending }
      // a credential is masked wherever it stands, and its rules yield a few hundred at most
      const isSecret = match.secret !== undefined
      if (!isSecret && own.worst !== undefined && compareMatches(numbered, own.worst) > 0) {
        own.gone.add(hashText(key))
        return
      }
      if (!isSecret && last !== undefined && compareInAll(numbered, last) > 0) {
        left.add(hashText(`${ruleId} ${key}`))
        return
      }
      own.keys.add(key)
      own.kept.push(numbered)
      if (isSecret) return
      size++
      if (own.kept.length > own.most * 2) size -= prune(own)
      if (size > MOST_BETWEEN) pruneAll()
    },
    take() {
      const cut = all().filter(({ gone }) => gone.size > 0)
      cut.forEach(prune)
      if (left.size > 0) pruneAll()
      const kept = all()
        .flatMap((own) => own.kept)
        .sort((a, b) => a.index - b.index)
      return {
        matches: kept.map(({ pending }) => pending),
        notices: cut.map(({ ruleId, file, gone }) => cappedNotice(ruleId, file, gone.size)),
        left: left.size,
      }
    },
  }
}

/** Of two equal matches the one that shows the way of the data, then the more severe: rules on models come before the data flow. */
function keepBetter(own: Own, key: string, rank: number, pending: PendingMatch): void {
  const at = own.kept.findIndex((one) => one.key === key)
  const known = own.kept[at]
  if (known === undefined) return
  const [hasFlow, hadFlow] = [pending.match.flow !== undefined, known.pending.match.flow !== undefined]
  if (hasFlow === hadFlow ? rank < known.rank : hasFlow) own.kept[at] = { ...known, rank, pending }
}

/** Gives how many went. */
function prune(own: Own): number {
  const before = own.kept.length
  const ordered = own.kept.sort(compareMatches)
  for (const { key } of ordered.slice(own.most)) {
    own.keys.delete(key)
    own.gone.add(hashText(key))
  }
  own.kept = ordered.slice(0, own.most)
  own.worst = own.kept[own.most - 1]
  return before - own.kept.length
}

function isCounted({ pending }: Numbered): boolean {
  return pending.match.secret === undefined
}

function compareInAll(a: Numbered, b: Numbered): number {
  return a.rank - b.rank || a.index - b.index
}

function compareMatches(a: Numbered, b: Numbered): number {
  return a.rank - b.rank || a.start - b.start || a.index - b.index
}

/** What tells the matches of one rule apart. */
export function placeKey({ file, span }: Place, key = ''): string {
  return `${span === undefined ? file : `${file}:${span.start}:${span.end}`} ${key}`
}

export function cappedNotice(ruleId: string, file: string, count: number): Notice {
  return { code: 'findings-capped', reason: 'rule-and-file', file, ruleId, args: { count: String(count) }, partial: true }
}
