import { createKeywordIndex, type KeywordHits, type KeywordIndex } from './keywords/index.ts'
import { DESCRIPTOR_KEYWORDS } from './project/kind-by-text.ts'
import { MARKER_KEYWORDS } from './report/markers.ts'
import type { Rule } from './rules/rule.ts'
import type { FileSubjects, SubjectName } from './rules/subjects.ts'

const FILE_SUBJECTS: Readonly<Record<keyof FileSubjects, true>> = {
  credentials: true,
  script: true,
  data: true,
  xml: true,
  html: true,
  cds: true,
  sqlscript: true,
  csv: true,
}

/** Rules made ready: built once per app and per worker, never kept in a module. */
export interface Engine {
  readonly rules: ReadonlyMap<string, Rule>
  readonly keywords: KeywordIndex
  /** The rules on a subject, in a fixed order. */
  on(name: SubjectName): readonly Rule[]
  /** Rules on models that say which scripts keep their facts for the phase *check*. */
  readonly keepers: readonly Rule[]
}

/** Whether a rule has anything to say about a text: one of its keywords stands there, and it looks as it should. */
export function isHeard(rule: Rule, hits: KeywordHits, text: string): boolean {
  if (rule.keywords !== undefined && !rule.keywords.some((keyword) => hits.has(keyword))) return false
  return rule.looks?.(text) ?? true
}

/** Builds the keyword automaton and the tables over rules. Throws where two rules share an id. */
export function createEngine(rules: readonly Rule[]): Engine {
  const ordered = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1))
  const byId = new Map(ordered.map((rule) => [rule.id, rule]))
  if (byId.size !== ordered.length) throw new Error('two rules share an id')
  const bySubject = new Map<SubjectName, Rule[]>()
  for (const rule of ordered) {
    for (const name of rule.on) {
      const known = bySubject.get(name)
      if (known === undefined) bySubject.set(name, [rule])
      else known.push(rule)
    }
  }
  const joining = ordered.filter((rule) => rule.on.some((name) => !Object.hasOwn(FILE_SUBJECTS, name)))
  return {
    rules: byId,
    keywords: createKeywordIndex([
      ...new Set([...ordered.flatMap((rule) => rule.keywords ?? []), ...MARKER_KEYWORDS, ...DESCRIPTOR_KEYWORDS]),
    ]),
    on: (name) => bySubject.get(name) ?? [],
    keepers: joining.filter(({ keywords }) => keywords !== undefined),
  }
}
