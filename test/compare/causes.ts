import type { FindingLine, ProjectLine } from './lines.ts'

/** Differences that are judged together: findings of one rule that changed in the same way at sinks of the same shape. */
export interface Cause {
  readonly rule: string
  /** `gone`, `new`, `HIGH -> LOW`, `confidence high -> low`, `path`, `id`. */
  readonly change: string
  readonly shape: string
  /** Where, project first; for a path what it was and what it is. */
  readonly places: readonly string[]
}

export interface Comparison {
  /** Most frequent first. */
  readonly causes: readonly Cause[]
  /** Projects with the same findings and notices, and another report. */
  readonly otherwiseDifferent: readonly string[]
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
}

/** Compares two runs, project by project. */
export function compareRuns(before: ReadonlyMap<string, ProjectLine>, after: ReadonlyMap<string, ProjectLine>): Comparison {
  const causes = new Map<string, Cause & { readonly places: string[] }>()
  const otherwiseDifferent: string[] = []
  for (const [name, old] of before) {
    const now = after.get(name)
    if (now === undefined) continue
    const found = [...differencesOf(old, now)]
    if (found.length === 0 && old.digest !== now.digest) otherwiseDifferent.push(name)
    for (const { rule, change, shape, place } of found) {
      const key = JSON.stringify([rule, change, shape])
      const cause = causes.get(key) ?? { rule, change, shape, places: [] }
      cause.places.push(`${name} | ${place}`)
      causes.set(key, cause)
    }
  }
  return {
    causes: [...causes.values()].sort((one, other) => other.places.length - one.places.length || byName(one, other)),
    otherwiseDifferent,
    onlyBefore: [...before.keys()].filter((name) => !after.has(name)),
    onlyAfter: [...after.keys()].filter((name) => !before.has(name)),
  }
}

function byName(one: Cause, other: Cause): number {
  return `${one.rule} ${one.change}` < `${other.rule} ${other.change}` ? -1 : 1
}

interface Difference {
  readonly rule: string
  readonly change: string
  readonly shape: string
  readonly place: string
}

function* differencesOf(before: ProjectLine, after: ProjectLine): Generator<Difference> {
  if (before.refused !== after.refused)
    yield { rule: '(project)', change: `refused ${before.refused ?? 'no'} -> ${after.refused ?? 'no'}`, shape: '', place: '' }
  const gone = without(before.findings, after.findings)
  const added = without(after.findings, before.findings)
  for (const old of gone) {
    const { rule, shape } = old
    const index = added.findIndex((other) => placeOf(other) === placeOf(old))
    const [now] = index < 0 ? [] : added.splice(index, 1)
    if (now === undefined) yield { rule, change: `gone ${old.severity}`, shape, place: placeOf(old) }
    else yield { rule, shape, ...changeOf(old, now) }
  }
  for (const now of added) yield { rule: now.rule, change: `new ${now.severity}`, shape: now.shape, place: placeOf(now) }
  for (const notice of without(before.notices, after.notices))
    yield { rule: notice[3], change: 'notice gone', shape: `${notice[0]} ${notice[1]}`, place: notice[2] }
  for (const notice of without(after.notices, before.notices))
    yield { rule: notice[3], change: 'notice new', shape: `${notice[0]} ${notice[1]}`, place: notice[2] }
}

/** The most telling of what differs in a finding that stayed where it was. */
function changeOf(old: FindingLine, now: FindingLine): Pick<Difference, 'change' | 'place'> {
  const place = placeOf(old)
  if (old.severity !== now.severity) return { change: `${old.severity} -> ${now.severity}`, place }
  if (old.confidence !== now.confidence) return { change: `confidence ${old.confidence} -> ${now.confidence}`, place }
  if (old.path.join('\n') !== now.path.join('\n'))
    return {
      change: 'path',
      place: [place, ...old.path.map((one) => `- ${one}`), ...now.path.map((one) => `+ ${one}`)].join('\n      '),
    }
  return { change: old.id === now.id ? 'words' : 'id', place }
}

/** Those of one list that the other lacks; equal ones are counted. */
function without<Line>(list: readonly Line[], other: readonly Line[]): Line[] {
  const counts = new Map<string, number>()
  for (const line of other) counts.set(JSON.stringify(line), (counts.get(JSON.stringify(line)) ?? 0) + 1)
  return list.filter((line) => {
    const left = counts.get(JSON.stringify(line)) ?? 0
    counts.set(JSON.stringify(line), left - 1)
    return left <= 0
  })
}

function placeOf({ rule, file, line, column }: FindingLine): string {
  return `${rule} ${file}${line === 0 ? '' : `:${line}:${column}`}`
}

/** Lines for a terminal, a cause at a time, with at most so many places each. */
export function* wordComparison(comparison: Comparison, mostPlaces: number): Generator<string> {
  const { causes, otherwiseDifferent, onlyBefore, onlyAfter } = comparison
  for (const { rule, change, shape, places } of causes) {
    yield `${places.length} x ${rule} | ${change} | ${shape}`
    for (const place of places.slice(0, mostPlaces)) yield `    ${place}`
    if (places.length > mostPlaces) yield `    … ${places.length - mostPlaces} more (--all)`
  }
  for (const name of onlyBefore) yield `only before: ${name}`
  for (const name of onlyAfter) yield `only after: ${name}`
  for (const name of otherwiseDifferent) yield `same findings and notices, different report: ${name}`
  const differences = causes.reduce((sum, { places }) => sum + places.length, 0)
  yield JSON.stringify({
    causes: causes.length,
    differences,
    otherwiseDifferent: otherwiseDifferent.length,
    onlyBefore: onlyBefore.length,
    onlyAfter: onlyAfter.length,
  })
}
