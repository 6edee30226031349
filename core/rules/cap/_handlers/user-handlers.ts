import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findHandlers, type CapElement, type CapRoot, type CapService, HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { createAccountReader } from '../_callers/account-checks.ts'
import { createPreparingReader } from './preparing-handlers.ts'

/** A handler of an entity that looks at the user, or may do so in another file. */
export interface UserHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
}

/** Handlers that run before or instead of what clients ask an entity for, and look at who asks. */
export const userHandlers: Extract<UserHandler> = defineExtract({
  name: 'cap-user-handlers',
  keywords: ['.on(', '.before(', '@EntityHandler(', ...HANDLER_PACKAGES],
  prefilter: (text) => /\b(?:user|\.\/|\.\.\/)|@EntityHandler\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const prepares = createPreparingReader(facts, text, step)
    const isAccountCheck = createAccountReader(facts, text, step)
    const found = findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, isTargeted, fact, service } = handler
      const isEarly = phase === 'before' || phase === 'on' || phase === 'prepend'
      // what is registered without an entity for a name of its own is an operation
      if (!isEarly || (!isTargeted && !events.some((name) => name === undefined || CRUD.test(name)))) return []
      const isAware = fact === undefined ? isTargeted : USER.test(text.slice(fact.start, fact.end))
      return isAware && !prepares(handler) && (fact === undefined || !isAccountCheck(fact))
        ? [{ service: service.name, isConnected: service.kind === 'connected', entities }]
        : []
    })
    return [...decorated(text), ...found]
  },
})

/** The classes of entities whose methods decorators register (cds-ts-dispatcher): one that changes rows may look at the user in what it calls, also in what stands beside it. */
function decorated(text: string): readonly UserHandler[] {
  const entities = new Set([...text.matchAll(/@EntityHandler\(\s{0,20}(\w{1,100})/g)].flatMap(([, entity]) => entity ?? []))
  const isAware = entities.size > 0 && (USER.test(text) || /@(?:Before|On|Prepend)(?:Update|Delete|All)\w{0,20}\(/.test(text))
  return isAware ? [{ service: undefined, isConnected: false, entities: [...entities] }] : []
}

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|\*)$/
const USER = /\b(?:user|tokenInfo|authInfo|owner\w*|authoriz\w*|permission\w*)\b/i

/** What handlers may call a definition by: the last parts of its name and of those that it projects on. */
export function projectedNames(root: CapRoot, qualified: string): ReadonlySet<string> {
  return new Set(root.projected(qualified).map(lastName))
}

/**
 * Whether code may limit what users get of an entity of a service. Needs the extract `userHandlers`.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: a handler runs where the request names its entity in its service, and not for other projections of the same rows.
 */
export function mayBeLimitedInCode(root: CapRoot, service: CapService, { qualified }: CapElement): boolean {
  const names = projectedNames(root, qualified)
  const own = lastName(qualified)
  const others = new Set(service.elements.flatMap((one) => (one.kind === 'entity' ? lastName(one.qualified) : [])))
  return root.scripts.get(userHandlers).some(({ file, value }) => {
    const { services, isCertain } = root.eventOf({ file, ...value, events: [] })
    if (isCertain && !services.includes(service)) return false
    // by the name of the table, where that is no other entity of the service
    return value.entities?.some((name) => names.has(name) && (name === own || !isCertain || !others.has(name))) ?? true
  })
}
