import { isGuarded, writersOf, type ExposedMember } from '../../../model/cap/index.ts'
import { append } from '../../../lists.ts'
import type { Match, Place } from '../../../types.ts'

const MAX_PLACES = 10

/** Findings at elements, with the entities of services in other files that let clients write them as further places. */
export function* withExposures(
  matches: Iterable<Match>,
  members: Iterable<ExposedMember>,
  isTrusted: (role: string) => boolean,
): Generator<Match> {
  const found = [...matches]
  const wanted = new Set(found.map(({ at }) => keyOf(at)))
  const exposing = new Map<string, Place[]>()
  for (const { service, entity, member, isWritten } of wanted.size === 0 ? [] : members) {
    const key = keyOf(member.place)
    if (!wanted.has(key) || !isWritten || isGuarded(member) || entity.place.file === member.place.file) continue
    if (!writersOf(entity, service).every(isTrusted)) append(exposing, key, entity.place)
  }
  for (const match of found) {
    const places = match.alsoAt === undefined ? exposing.get(keyOf(match.at)) : undefined
    yield places === undefined ? match : { ...match, alsoAt: places.slice(0, MAX_PLACES) }
  }
}

function keyOf({ file, span }: Place): string {
  return `${file} ${span?.start}`
}
