import { inEachLanguage, listNames } from '../../arguments.ts'
import { quoteWord } from '../../quote.ts'
import { AUTHENTICATED_ROLES, type ExposedMember, type Restriction } from '../../model/cap/index.ts'
import type { Exposure, Match } from '../../types.ts'
import { claimOf, provisionalSeverity } from '../../grade/index.ts'
import { SEVERITIES } from '../../scales.ts'

/** Entities, actions and events for a message: their names are often plain words. */
export function listElements(names: readonly string[]): string {
  return listNames(names.map(quoteWord))
}

/** Roles as a model writes them: 'Clerk', 'Manager'. */
export function listRoles(roles: readonly string[]): string {
  return listNames(roles.map((role) => `'${role}'`))
}

/** As `@requires` is written: `'Manager'`, `['Manager', 'Buyer']`. */
export function requiringRoles(roles: readonly string[]): string {
  const [first = '', ...others] = roles.map((role) => `'${role}'`)
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`
}

/**
 * Those who have one of some roles, in the plural: of the pseudo roles what they stand for. Where the exposure of the finding is given, they are those whom it names: what the
 * annotation gives to all, a check of the service or of its code may leave to some.
 */
export function usersWith(roles: readonly string[], exposure?: Exposure): string {
  const isForAll = roles.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role))
  if (isForAll && exposure?.reach === 'privileged')
    return inEachLanguage({
      en: 'users who pass the checks of the service',
      fr: 'les utilisateurs admis par les contrôles du service',
    })
  if (roles.includes('any') && exposure?.reach === 'user') return inEachLanguage({ en: 'all users', fr: 'tous les utilisateurs' })
  if (roles.includes('any')) return inEachLanguage({ en: 'unauthenticated users', fr: 'les utilisateurs non authentifiés' })
  if (roles.includes('authenticated-user'))
    return inEachLanguage({ en: 'all authenticated users', fr: 'tous les utilisateurs authentifiés' })
  // a list within a phrase cannot have a wording of its own: the text joins it, `{users:or}`
  const names = roles.map((role) => `'${role}'`).join(', ')
  return inEachLanguage({ en: `users with the role ${names}`, fr: `les utilisateurs dotés du rôle ${names}` })
}

/** Who reaches a place with a login: that callers may need none is a fault of its own. */
export function ofUsers(exposure: Exposure): Exposure {
  return exposure.reach === 'anyone' ? { ...exposure, reach: 'user' } : exposure
}

/** A part of the code as the subject or object of a sentence: of a call it is what the call returns. */
export function wordPart(part: string, isFirst = false): string {
  if (!/[)\u2026]$/.test(part)) return part
  const of = /^[aeiou]/i.test(part) ? 'd’' : 'de '
  return inEachLanguage({
    en: `${isFirst ? 'The' : 'the'} result of ${part}`,
    fr: `${isFirst ? 'Le' : 'le'} résultat ${of}${part}`,
  })
}

/** How an element or a service is named in a message. */
export function nameOf({ service, element }: Pick<Restriction, 'service' | 'element'>): string {
  return element === undefined ? service.name : `${service.name}.${element.name}`
}

/** How an element is named in a message. */
export function memberName({ name, member }: ExposedMember): string {
  return `${name}.${member.name}`
}

/** One match for each place, the one that is worst by who reaches it and by what it says itself: several services may inherit one annotation. */
export function worstAtPlaces(matches: Iterable<Match>): Iterable<Match> {
  // what the rule says of all of them makes no difference between two
  const rank = (match: Match): number => SEVERITIES.indexOf(provisionalSeverity(claimOf({ impact: 'data' }, match), 'deployed'))
  const worst = new Map<string, Match>()
  for (const match of matches) {
    const key = `${match.at.file} ${match.at.span?.start} ${match.key ?? ''}`
    const known = worst.get(key)
    if (known === undefined || rank(match) < rank(known)) worst.set(key, match)
  }
  return worst.values()
}

/** Where a request was sent to. The router of a platform hands over what is sent to a host of the application alone; that X-Forwarded-Host says the same, nothing checks. */
export const IS_OWN_HOST: RegExp =
  /\bheaders(?:\.host|\[['"]host['"]\])$|\.(?:get|header)\(['"]host['"]\)$|\b(?:req|request|oReq|oRequest)\.(?:hostname|host)$/i
