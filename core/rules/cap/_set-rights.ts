import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findOrigin, type Value } from '../../facts/index.ts'
import { servedServices, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { createAskedReader } from './_asked-users.ts'
import { sentElement } from './_client-data.ts'
import { findHandledFunctions } from './_handled-functions.ts'
import { scriptQueries } from './_owned-queries.ts'

/** A handler that sets the role or the password of the user whom the client names. */
export interface SetRight extends Span {
  readonly column: string
  /** What the client sends for it. */
  readonly client: string
  /** Whose it is: `req.data.userID`. */
  readonly whose: string
  readonly isPassword: boolean
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
}

const PASSWORD = /^(?:user_?)?(?:password|passwd|pwd|pass)(?:_?hash)?$|^(?:hashed|new)_?password$/i
const ROLE = /^(?:user_?)?roles?(?:_(?:id|code))?$|^is_?admin$|^permissions$|^authorities$/i
/** Tables of people who log in. */
const ACCOUNTS = /user|account|member|employee|staff|login|person|customer/i
/** What names a row, and proves nothing. */
const NAMES_ROW = /^(?:\w{0,20}_?(?:id|uuid)|user_?name|login|\w{0,10}_?e?mail)$/i
/** The function asks for a proof of the user: the old password, a code that was sent, a role. */
const PROVES =
  /compare|verif|\btoken\b|\botp\b|resetCode|reset_?token|(?:old|current)_?pass|\.is\(|hasRole|isAdmin|checkRole|authori[sz]e|getDay|securityAnswer/i

export const setRights: Extract<SetRight> = defineExtract({
  name: 'cap-set-rights',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) =>
    /pass|pwd|role|admin|permissions|authorities/i.test(text) && /\breq(?:uest)?\.data\b|\}\s{0,4}=\s{0,4}req/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    const isUserAsked = createAskedReader(facts)
    for (const { base, kind, entity, terms, given } of scriptQueries(facts, step)) {
      step(terms.length + given.length)
      const whose = terms.map(({ value }) => sentElement(value))[0]
      const isNamed = terms.length > 0 && terms.every(({ column }) => NAMES_ROW.test(column))
      if (kind !== 'update' || !isNamed || whose === undefined || isUserAsked(base)) continue
      handled ??= findHandledFunctions(facts)
      const handler = handled.handlerOf(base)
      const { fact } = handler ?? {}
      if (handler === undefined || handler.phase !== 'on' || fact === undefined || PROVES.test(text.slice(fact.start, fact.end)))
        continue
      for (const { column, value, field } of given) {
        const isPassword = PASSWORD.test(column)
        const client = isPassword || (ROLE.test(column) && ACCOUNTS.test(entity)) ? sentIn(value, step) : undefined
        if (client === undefined) continue
        const { service, events, entities } = handler
        yield {
          ...(field ?? { start: value.start, end: value.end }),
          column,
          client,
          whose,
          isPassword,
          service: service.name,
          isConnected: service.kind === 'connected',
          events: events.flatMap((name) => name ?? []),
          entities,
        }
      }
    }
  },
})

/** `req.data.password`, `await bcrypt.hash(req.data.password, 10)`. */
function sentIn(value: Value, step: (count?: number) => void): string | undefined {
  const part = findOrigin(value, (one) => {
    step()
    return sentElement(one) === undefined ? undefined : 'source'
  })
  return part && sentElement(part)
}

/** Some users alone, or nobody. */
const CLOSED: ReadonlySet<string> = new Set(['roles', 'none'])

/** The operations that a handler is for and that all users may call. */
export function openOperations(
  root: CapRoot,
  file: string,
  right: SetRight,
): readonly { service: CapService; operation: CapElement }[] {
  const { services } = root.eventOf({ ...right, file })
  return servedServices(root)
    .filter((service) => services.includes(service))
    .flatMap((service) =>
      service.elements.flatMap((operation) => {
        root.step()
        const name = operation.name.slice(operation.name.lastIndexOf('.') + 1)
        const { kind } = operation.access ?? service.access
        return operation.kind !== 'entity' && !CLOSED.has(kind) && right.events.includes(name) ? [{ service, operation }] : []
      }),
    )
}
