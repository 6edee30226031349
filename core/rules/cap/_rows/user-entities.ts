import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  entityWords,
  isPeople,
  privilegesOf,
  servedServices,
  toWords,
  type CapMember,
  type CapRoot,
} from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { ownerOf } from './owned-entities.ts'
import { readIn } from './owned-queries.ts'

/** A query that finds rows by who calls. */
interface CallerLookup {
  /** The last part of its name. */
  readonly entity: string
  readonly column: string
}

/** `SELECT.one.from(Users).where({ email: req.user.id })`. */
export const callerLookups: Extract<CallerLookup> = defineExtract({
  name: 'cap-caller-lookups',
  keywords: ['SELECT'],
  prefilter: (text) => /\buser\b|[uU]ser(?:_?(?:[iI]d|ID|[nN]ame))?\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    for (const { kind, entity, terms } of scriptQueries(facts, step)) {
      if (kind !== 'read') continue
      step(terms.length)
      for (const { column, value } of terms) if (mentionsUser(value) && readIn(value).length === 0) yield { entity, column }
    }
  },
})

/** What tells one user from all others, beside the key. */
const IDENTITY = /^(?:(?:user|login|account|employee|work) )?(?:id|name|e ?mail|mail|login|e ?mail address)$/
const USERS =
  /(?:^| )(?:users?|user ?accounts?|user ?profiles?|employees?|team ?members?|members?|staff|workers?|colleagues?|consultants?)$/

/**
 * Which entity holds the users who log in: `known`, its key or what else tells users apart is compared with the user of the request, in queries of handlers or in a
 * restriction; `named`, it is called like that and nothing more. Needs `callerLookups`.
 */
export function createUserEntityReader(root: CapRoot): (target: string) => 'known' | 'named' | undefined {
  const columns = new Map<string, Set<string>>()
  const add = (name: string, column: string): void => {
    columns.set(name, (columns.get(name) ?? new Set()).add(column))
  }
  for (const { value } of root.scripts.get(callerLookups)) add(value.entity, value.column)
  for (const { elements } of servedServices(root))
    for (const { kind, qualified, annotations } of elements) {
      root.step()
      const owners = kind === 'entity' ? privilegesOf(annotations.get('restrict')?.value).map(ownerOf) : []
      for (const owner of owners) if (owner !== undefined) add(lastName(qualified), owner)
    }
  return (target) => {
    const names = root.projected(target)
    const members = root.membersOf(target)
    const isKnown = names.some((name) =>
      [...(columns.get(lastName(name)) ?? [])].some((column) => tellsApart(column, members, name)),
    )
    if (isKnown) return 'known'
    return USERS.test(entityWords(names.at(-1) ?? target)) ? 'named' : undefined
  }
}

/** It is the only key, or an identity of persons. */
function tellsApart(column: string, members: ReadonlyMap<string, CapMember>, name: string): boolean {
  const keys = [...members.values()].filter(({ key }) => key)
  // a key that is given as it is, `SELECT.one.from(Users, req.user.id)`, is read as ID
  if (keys.length === 1 && (keys[0]?.name === column || (column === 'ID' && !members.has(column)))) return true
  return members.has(column) && IDENTITY.test(toWords(column)) && isPeople(entityWords(name))
}
