import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, valuesOf, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
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
/** The same in the query of an address: `?apikey=…`. */
const LOGIN_IN_QUERY = /[?&][^=&#]{0,60}(?:user|passw|secret|token|key|sig|auth|code)[^=&#]{0,60}=/i
/** Headers by which a request logs in, and the option of clients for it. */
const LOGIN_HEADER = /^(?:authorization|auth|cookie|(?:[\w-]{0,40}[-_])?(?:api-?_?key|token|secret|subscription-key))$/i

/** The services that a script connects to, where it sends a login of its own with some request. */
export const remoteLogins: Extract<readonly string[]> = defineExtract({
  name: 'cap-remote-logins',
  keywords: ['headers', 'auth'],
  prefilter: (text) => text.includes('connect'),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    step(valuesOf(facts).length)
    if (sendsLogin(facts, text)) yield namesConnected(facts)
  },
})

/** `req.headers.authorization`, `retrieveJwt(req)`: whoever calls is who asks. */
const OF_CALLER = /\bheaders\b|jwt|\breq\b/i

function sendsLogin(facts: ScriptFacts, text: string): boolean {
  const isLogin = (name: string | undefined, { start, end }: Value): boolean =>
    LOGIN_HEADER.test(name ?? '') && !OF_CALLER.test(text.slice(start, end))
  return (
    facts.assignments.some(({ target, value }) => lastNameOf(target.object) === 'headers' && isLogin(target.name, value)) ||
    valuesOf(facts).some(({ value }) => value.kind === 'object' && value.fields.some((field) => isLogin(field.key, field.value)))
  )
}

/** `cds.connect.to('Ledger')`. */
function namesConnected({ calls }: ScriptFacts): readonly string[] {
  return calls.flatMap(({ callee, args: [name] }) => {
    const text = callee.kind === 'member' && callee.name === 'to' && name !== undefined ? constantOf(name) : undefined
    return typeof text === 'string' ? [text] : []
  })
}

/**
 * What stands behind elements all of which show rows of other systems; undefined: others do, or a login that the project holds. At public addresses that the server asks
 * without any login callers may ask, too. A destination keeps its login elsewhere: it may be that of the caller. Needs `remoteLogins`.
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
  // without an entry nothing is asked elsewhere: the entities are tables of the own database
  if ([...used].some((name) => configurations.every((one) => one.value('requires', name) === undefined))) return undefined
  if (settings.some(({ name, one }) => holdsLogin(name, one))) return undefined
  const sent = new Set(root.scripts.get(remoteLogins).flatMap(({ value }) => value))
  if ([...used].some((name) => sent.has(name))) return undefined
  return settings.length > 0 && settings.every(({ name, one }) => isOpen(name, one)) ? 'open' : 'untold'
}

function holdsLogin(name: string, configuration: Configuration): boolean {
  return (
    configuration.keys('requires', name, 'credentials').some((key) => LOGIN.test(key)) ||
    LOGIN_IN_QUERY.test(addressOf(name, configuration))
  )
}

function addressOf(name: string, configuration: Configuration): string {
  return stringOf(configuration.value('requires', name, 'credentials', 'url')?.node) ?? ''
}

function isOpen(name: string, configuration: Configuration): boolean {
  const address = addressOf(name, configuration)
  const host = address.includes('@') ? undefined : hostOf(address)
  return (
    host !== undefined &&
    classifyHost(host) === 'public' &&
    configuration.keys('requires', name, 'credentials').every((key) => WITHOUT_LOGIN.has(key))
  )
}
