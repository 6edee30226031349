import type { Report } from '../../../core/index.ts'
import { say } from '../words/index.ts'

type Service = Report['results']['cap']['services'][number]
type Entity = NonNullable<Service['entities']>[number]

/** Who may do what with an entity, as short as it is said in a picture. */
export function wordRights({ read, change, filtered = false }: Entity): string {
  const [readers, writers] = [wordUsers(read), wordUsers(change)]
  if (readers === writers && !filtered) return say('rightBoth', { who: readers })
  const reading = say(filtered ? 'rightReadSome' : 'rightRead', { who: readers })
  return `${reading}; ${say('rightChange', { who: writers })}`
}

function wordUsers(roles: readonly string[]): string {
  if (roles.length === 0) return say('nobody')
  if (roles.includes('any')) return say('anybody')
  return roles.map((role) => (role === 'authenticated-user' ? say('anyUser') : role)).join(', ')
}
