import { classifyHost } from '../../../secrets/index.ts'
import type { CapElement, CapRoot, Configuration } from '../../../model/cap/index.ts'
import { stringOf } from '../../../parse/data.ts'
import { hostOf } from '../../../parse/lock/index.ts'

/** What stands behind elements that show rows of other systems alone: one that asks for no login, or one whose login the project does not tell. */
export type Remote = 'open' | 'untold'

/** What the credentials of a remote service hold where it asks for no login. Fact: capire, "Consuming Services" (`credentials.url`, `path`, `requestTimeout`). */
const WITHOUT_LOGIN: ReadonlySet<string> = new Set(['url', 'path', 'requestTimeout'])
/** Where the project itself says as whom it asks. */
const LOGIN = /user|passw|secret|token|key|headers/i

/**
 * What stands behind elements all of which show rows of other systems; undefined: others do, or a login that the project holds. At public addresses that the server asks
 * without any login callers may ask, too. A destination keeps its login elsewhere: it may be that of the caller.
 */
export function remoteBehind(root: CapRoot, elements: readonly CapElement[]): Remote | undefined {
  const remotes = root.services.filter(({ exposure }) => exposure === 'external').map(({ name }) => name)
  const used = new Set<string>()
  for (const { kind, source } of elements) {
    root.step(1 + remotes.length)
    const remote = remotes.find((name) => kind === 'entity' && source?.name.startsWith(`${name}.`))
    if (remote === undefined) return undefined
    used.add(remote)
  }
  const configurations = root.productive()
  const settings = [...used].flatMap((name) => configurations.map((one) => ({ name, one })))
  if (settings.some(({ name, one }) => one.keys('requires', name, 'credentials').some((key) => LOGIN.test(key)))) return undefined
  return settings.length > 0 && settings.every(({ name, one }) => isOpen(name, one)) ? 'open' : 'untold'
}

function isOpen(name: string, configuration: Configuration): boolean {
  const address = stringOf(configuration.value('requires', name, 'credentials', 'url')?.node) ?? ''
  const host = address.includes('@') ? undefined : hostOf(address)
  return (
    host !== undefined &&
    classifyHost(host) === 'public' &&
    configuration.keys('requires', name, 'credentials').every((key) => WITHOUT_LOGIN.has(key))
  )
}
