import { hashText } from './hash-text.ts'
import { MAX_FINDINGS_PER_RULE_AND_FILE, MAX_FINDINGS_PER_RULE_AND_LOCK } from '../limits.ts'
import type { Rule } from '../rules/rule.ts'
import { SEVERITIES } from '../scales.ts'
import type { Notice, PendingMatch, Place } from '../types.ts'

/**
 * Matches as rules yield them, equal ones of a rule once, and of each rule in each file never many more than a report shows: the most severe, then the
 * first ones. A rule that yields a million matches of a hostile file must not fill the memory.
 */
export interface MatchCollector {
  add(match: PendingMatch): void
  /** What is left, in the order in which it came, and how many were left out. */
  take(): { readonly matches: readonly PendingMatch[]; readonly notices: readonly Notice[] }
}

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
  rules: ReadonlyMap<string, Pick<Rule, 'severity'>>,
  isLock: (file: string) => boolean,
): MatchCollector {
  const byRule = new Map<string, Map<string, Own>>()
  let count = 0

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

  return {
    add(pending) {
      const { ruleId, match } = pending
      const own = ownOf(ruleId, match.at.file)
      const key = placeKey(match.at, match.key)
      if (own.keys.has(key)) return
      const rank = SEVERITIES.indexOf(match.severity ?? rules.get(ruleId)?.severity ?? 'INFO')
      const numbered = { index: count++, rank, start: match.at.span?.start ?? -1, key, pending }
      // a credential is masked wherever it stands, and its rules yield a few hundred at most
      const isSecret = match.secret !== undefined
      if (!isSecret && own.worst !== undefined && compareMatches(numbered, own.worst) > 0) {
        own.gone.add(hashText(key))
        return
      }
      own.keys.add(key)
      own.kept.push(numbered)
      if (!isSecret && own.kept.length > own.most * 2) prune(own)
    },
    take() {
      const all = [...byRule.values()].flatMap((byFile) => [...byFile.values()])
      const cut = all.filter(({ gone }) => gone.size > 0)
      cut.forEach(prune)
      const kept = all.flatMap((own) => own.kept).sort((a, b) => a.index - b.index)
      return {
        matches: kept.map(({ pending }) => pending),
        notices: cut.map(({ ruleId, file, gone }) => cappedNotice(ruleId, file, gone.size)),
      }
    },
  }
}

function prune(own: Own): void {
  const ordered = own.kept.sort(compareMatches)
  for (const { key } of ordered.slice(own.most)) {
    own.keys.delete(key)
    own.gone.add(hashText(key))
  }
  own.kept = ordered.slice(0, own.most)
  own.worst = own.kept[own.most - 1]
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
