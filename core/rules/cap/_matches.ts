import { quoteWord } from '../../quote.ts'
import type { ExposedMember, Restriction } from '../../model/cap/index.ts'
import type { Match, Severity } from '../../types.ts'

/** Names for a message: the first five, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown}, … (+${names.length - 5})` : shown
}

/** The same of entities, actions and events, whose names are often plain words. */
export function listElements(names: readonly string[]): string {
  return listNames(names.map(quoteWord))
}

/** How an element or a service is named in a message. */
export function nameOf({ service, element }: Pick<Restriction, 'service' | 'element'>): string {
  return element === undefined ? service.name : `${service.name}.${element.name}`
}

/** How an element is named in a message. */
export function memberName({ name, member }: ExposedMember): string {
  return `${name}.${member.name}`
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
