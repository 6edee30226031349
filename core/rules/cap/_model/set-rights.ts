import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findOrigin, type Binding, type FunctionFact, type Value } from '../../../facts/index.ts'
import { nameWithOwner } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { servedServices, uncheckedInCode, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { isDeployedCode, isLoginPassword } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createAskedReader } from '../_callers/asked-users.ts'
import { sentElement } from '../_rows/client-data.ts'
import { findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'

/** A handler that sets the role or the password of the user whom the client names. */
export interface SetRight extends Span {
  readonly column: string
  /** What the client sends for it. */
  readonly client: string
  /** Whose it is: `req.data.userID`. */
  readonly whose: string
  readonly isPassword: boolean
  /** Of a password that the handler makes up and answers; `client` is empty. */
  readonly isGenerated: boolean
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
}

const NEW = ['new']
/** A key, or the password where it is that of a user. */
const KEY_OR_PASSWORD = /^clave(?:_?(?:de_?)?(?:acceso|usuario))?$/i
const ROLE = /^(?:user_?)?roles?(?:_(?:id|code))?$|^is_?admin$|^permissions$|^authorities$/i
/** Tables of people who log in. */
const ACCOUNTS = /user|account|member|employee|staff|login|person|customer|usuario|empleado|cliente|benutzer/i
/** What names a row, and proves nothing. */
const NAMES_ROW = /^(?:\w{0,20}_?(?:id|uuid)|user_?name|login|\w{0,10}_?e?mail)$/i
/** The function asks for a proof of the user: the old password, a code that was sent, a role. */
const PROVES =
  /compare|verif|\btoken\b|\botp\b|resetCode|reset_?token|(?:old|current)_?pass|\.is\(|hasRole|isAdmin|checkRole|authori[sz]e|getDay|securityAnswer/i

export const setRights: Extract<SetRight> = defineExtract({
  name: 'cap-set-rights',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) =>
    /pass|pwd|clave|contrase|senha|kennwort|role|admin|permissions|authorities/i.test(text) &&
    /\b(?:req|oReq)(?:uest)?\.data\b|\}\s{0,4}=\s{0,4}req/.test(text),
  isFor: isDeployedCode,
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
        const isOfUser = ACCOUNTS.test(entity)
        const isPassword = isLoginPassword(column, NEW) || (isOfUser && KEY_OR_PASSWORD.test(column))
        const client = isPassword || (ROLE.test(column) && isOfUser) ? sentIn(value, step) : undefined
        const isGenerated = client === undefined && isPassword && isMadeUpAndAnswered(value, fact, step)
        if (client === undefined && !isGenerated) continue
        const { service, events, entities } = handler
        yield {
          ...(field ?? { start: value.start, end: value.end }),
          column,
          client: client ?? '',
          whose,
          isPassword,
          isGenerated,
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

/** `const word = randomWord(5)`, hashed or not, that is a part of what the handler gives back: who calls it has the new password. */
function isMadeUpAndAnswered(value: Value, { returns }: FunctionFact, step: (count?: number) => void): boolean {
  const made = new Set<Binding>()
  findOrigin(value, (one) => {
    step()
    const binding = 'binding' in one ? one.binding : undefined
    if (binding?.definitions.some((given) => given.value !== undefined && isRandom(given.value))) made.add(binding)
    return undefined
  })
  const isAnswered = (given: Value): boolean =>
    findOrigin(given, (one) => {
      step()
      if ('binding' in one && one.binding !== undefined && made.has(one.binding)) return 'source'
      return 'callee' in one && lastNameOf(one.callee) !== 'stringify' ? 'clean' : undefined
    }) !== undefined
  return made.size > 0 && returns.some(isAnswered)
}

function isRandom(value: Value): boolean {
  return (
    findOrigin(value, (one) => ('callee' in one && MAKES_UP.test(nameWithOwner(one.callee)) ? 'source' : undefined)) !== undefined
  )
}

const MAKES_UP = /random|generat|\bgen_?pass|make_?pass|nanoid|uuid/i

/** Some users alone, or nobody. */
const CLOSED: ReadonlySet<string> = new Set(['roles', 'none'])

/** An operation that a handler is for, that all users may call and whose callers no code refuses. Needs the extracts of `uncheckedInCode`. */
export function openOperation(
  root: CapRoot,
  file: string,
  right: EventNames,
): { readonly service: CapService; readonly operation: CapElement } | undefined {
  return openOperations(root, file, right).find(
    ({ service, operation }) => uncheckedInCode(root, service, [operation]).length > 0,
  )
}

/** The operations that a handler is for and that all users may call. */
function openOperations(
  root: CapRoot,
  file: string,
  right: EventNames,
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
