import { toWords, type CapRoot } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { OwnedQuery } from './owned-queries.ts'

/**
 * Tells whether rows of an entity that a handler is called for lead to those that its query changes: an association of either to the other one, or a column of the
 * changed row that is named like the other entity, `stay_ID`. Names are the last parts of qualified ones.
 */
export function createNextReader(root: CapRoot): (query: Pick<OwnedQuery, 'entity' | 'column'>, handled: string) => boolean {
  let known: ReadonlyMap<string, ReadonlySet<string>> | undefined
  return ({ entity, column }, handled) => {
    if (isNamedLike(column, handled)) return true
    known ??= namesIn(root)
    const from = known.get(handled) ?? new Set<string>()
    const to = new Set(known.get(entity))
    // what no service shows lies where the other one does
    for (const name of from) to.add(`${name.slice(0, name.length - lastName(name).length)}${entity}`)
    return leads(from, to, root) || leads(to, from, root)
  }
}

function leads(from: ReadonlySet<string>, to: ReadonlySet<string>, root: CapRoot): boolean {
  return [...from].some((name) =>
    [...root.membersOf(name).values()].some(({ target }) => {
      root.step()
      return target !== undefined && [target, ...root.projected(target)].some((one) => to.has(one))
    }),
  )
}

/** The qualified names of the entities of services and of what they project on, by the last part of any of them. */
function namesIn(root: CapRoot): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { elements } of root.services)
    for (const { kind, qualified } of elements) {
      root.step()
      if (kind !== 'entity') continue
      const names = [qualified, ...root.projected(qualified)]
      for (const key of new Set(names.map(lastName))) {
        const known = found.get(key) ?? new Set()
        for (const name of names) known.add(name)
        found.set(key, known)
      }
    }
  return found
}

/** `stay_ID` of `Stays` and of `GuestStay`. */
function isNamedLike(column: string, entity: string): boolean {
  const named = column.replace(REFERS, '')
  return named !== column && named !== '' && ` ${singular(entity)}`.endsWith(` ${singular(named)}`)
}

function singular(name: string): string {
  return toWords(name).replace(/ies$/, 'y').replace(/s$/, '')
}

const REFERS = /_?(?:ID|id|Id|UUID|Uuid|uuid|key|Key)$/
