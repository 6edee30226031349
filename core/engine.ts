import { FLOW_KEYWORDS } from './flow/index.ts'
import { createKeywordIndex, type KeywordHits, type KeywordIndex } from './keywords/index.ts'
import { createKeywordSelector, type KeywordSelector } from './keywords/selector.ts'
import { ADDRESS_KEYWORDS, DESCRIPTOR_KEYWORDS } from './project/kind-by-text.ts'
import { BOILERPLATE_KEYWORDS } from './project/boilerplate.ts'
import { MARKER_KEYWORDS } from './report/markers.ts'
import { needsScriptFacts, withoutWords, type Extract } from './extracts/extract.ts'
import { MODEL_EXTRACTS } from './model/extracts.ts'
import type { Rule } from './rules/rule.ts'
import type { ModelSubjects, SubjectName } from './rules/subjects.ts'

/** Rules made ready: built once per app and per worker, never kept in a module. */
export interface Engine {
  readonly rules: ReadonlyMap<string, Rule>
  readonly keywords: KeywordIndex
  /** The rules on a subject, in a fixed order. */
  on(name: SubjectName): readonly Rule[]
  /** Of the rules on a subject those that ask for a word of the file, or for none. */
  concerned(name: SubjectName, hits: KeywordHits): readonly Rule[]
  /** What models and rules that join files ask of scripts. */
  readonly extracts: readonly Extract[]
  /** Of these the ones that no word has to ask for. */
  readonly wordless: readonly Extract[]
  /** Of these the ones that ask for a word of the file, or for none; `code`: those that ask for facts look for theirs there. */
  extractsOn(hits: KeywordHits, code: KeywordHits): readonly Extract[]
}

/** Subjects that are made of all files, in the order in which they are checked. */
export const MODEL_SUBJECTS: readonly (keyof ModelSubjects)[] = [
  'flow',
  'ui5-app',
  'cap-root',
  'approuter',
  'packages',
  'deployment',
  'project',
]

const SUBJECTS: readonly SubjectName[] = [
  'credentials',
  'script',
  'server-script',
  'browser-script',
  'data',
  'xml',
  'html',
  'cds',
  'sqlscript',
  'csv',
  ...MODEL_SUBJECTS,
]

/** What a rule looks at, in the order in which subjects are checked. */
export function subjectsOf({ checks }: Rule): readonly SubjectName[] {
  return SUBJECTS.filter((name) => checks[name] !== undefined)
}

/** Builds the keyword automaton and the tables over rules. Throws where two rules share an id, or two extracts a name. */
export function createEngine(rules: readonly Rule[]): Engine {
  const ordered = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1))
  const byId = new Map(ordered.map((rule) => [rule.id, rule]))
  if (byId.size !== ordered.length) throw new Error('two rules share an id')
  const bySubject = new Map<SubjectName, Rule[]>()
  for (const rule of ordered) {
    for (const name of subjectsOf(rule)) {
      const known = bySubject.get(name)
      if (known === undefined) bySubject.set(name, [rule])
      else known.push(rule)
    }
  }
  const selectors = new Map(
    [...bySubject].map(([name, own]): [SubjectName, KeywordSelector<Rule>] => [name, createKeywordSelector(own)]),
  )
  const extracts = [...new Set([...MODEL_EXTRACTS, ...ordered.flatMap((rule) => rule.extracts ?? [])])]
  if (new Set(extracts.map(({ name }) => name)).size !== extracts.length) throw new Error('two extracts share a name')
  const ofText = createKeywordSelector(extracts.filter((extract) => !needsScriptFacts(extract)))
  const ofFacts = createKeywordSelector(extracts.filter(needsScriptFacts))
  return {
    rules: byId,
    keywords: createKeywordIndex([
      ...new Set([
        // many share one list
        ...[...new Set([...ordered, ...extracts].flatMap(({ keywords = [], words = [] }) => [keywords, words]))].flat(),
        ...MARKER_KEYWORDS,
        ...BOILERPLATE_KEYWORDS,
        ...DESCRIPTOR_KEYWORDS,
        ...ADDRESS_KEYWORDS,
        ...FLOW_KEYWORDS,
      ]),
    ]),
    on: (name) => bySubject.get(name) ?? [],
    concerned: (name, hits) => selectors.get(name)?.(hits) ?? [],
    extracts,
    wordless: withoutWords(extracts),
    extractsOn: (hits, code) => [...ofText(hits), ...ofFacts(code)],
  }
}
