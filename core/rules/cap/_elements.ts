import {
  privilegesOf,
  wordsOf,
  type CapAnnotation,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { Match, Place, Severity } from '../../types.ts'

/** Names for a message: the first five, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown}, … (+${names.length - 5})` : shown
}

/** Services that somebody outside can reach, in what is no test. */
export function servedServices({ test, services }: CapRoot): readonly CapService[] {
  return test ? [] : services.filter(({ exposure }) => exposure === 'served')
}

/** Elements for which nothing but their service decides. */
export function openElements({ elements }: CapService): readonly CapElement[] {
  return elements.filter(({ access }) => access === undefined)
}

type Annotations = ReadonlyMap<string, CapAnnotation>

/** `@requires` or `@restrict` stand at a service and name no role at all; `null` takes them back on purpose. */
export function isEmptyRestriction(annotations: Annotations): boolean {
  return ['requires', 'restrict'].some((name) => emptyRestriction(annotations, name) !== undefined)
}

/** The annotation of a service that names no role. */
export function emptyRestriction(annotations: Annotations, name: string): CapAnnotation | undefined {
  const annotation = annotations.get(name)
  if (annotation === undefined || (annotation.value.kind !== 'array' && annotation.value.kind !== 'string')) return undefined
  const roles = name === 'requires' ? wordsOf(annotation.value) : privilegesOf(annotation.value).flatMap(({ to }) => to ?? [])
  return roles.length === 0 ? annotation : undefined
}

/** A service's or an element's `@restrict` or `@requires`; what several inherit comes once for each. */
export interface Restriction {
  readonly name: 'requires' | 'restrict'
  readonly annotation: CapAnnotation
  readonly service: CapService
  /** Undefined: the service itself. */
  readonly element?: CapElement
}

export function* restrictionsOf(root: CapRoot): Generator<Restriction> {
  for (const service of servedServices(root)) {
    for (const element of [undefined, ...service.elements]) {
      for (const name of ['requires', 'restrict'] as const) {
        const annotation = (element ?? service).annotations.get(name)
        if (annotation !== undefined) yield { name, annotation, service, ...(element !== undefined && { element }) }
      }
    }
  }
}

const RANKS: readonly Severity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

/** One match for each place, the most severe: several services may inherit one annotation. `severity` has to be set. */
export function worstAtPlaces(matches: Iterable<Match>): Iterable<Match> {
  const rank = ({ severity }: Match): number => RANKS.indexOf(severity ?? 'INFO')
  const worst = new Map<string, Match>()
  for (const match of matches) {
    const key = `${match.at.file} ${match.at.span?.start}`
    const known = worst.get(key)
    if (known === undefined || rank(match) > rank(known)) worst.set(key, match)
  }
  return worst.values()
}

/** Where a part of an annotation stands. */
export function placeIn({ place }: CapAnnotation, { start, end }: { readonly start: number; readonly end: number }): Place {
  return { file: place.file, span: { start, end } }
}

/** How an element or a service is named in a message. */
export function nameOf({ service, element }: Pick<Restriction, 'service' | 'element'>): string {
  return element === undefined ? service.name : `${service.name}.${element.name}`
}
