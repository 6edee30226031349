import { lastNameOf } from '../../../facts/literals.ts'
import {
  constantOf,
  fieldOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type Guard,
  type Value,
} from '../../../facts/index.ts'
import { mentionsUser } from './asked-users.ts'
import { clientData, type ClientData } from '../_rows/client-data.ts'
import { isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'

/** What the client sends, and where the code takes it for the user. */
export interface ReplacedUser extends ClientData {
  readonly at?: Span
}

/**
 * `let author = req.user.id; if (authorId) author = authorId`, `authorId || req.user.id`: the authenticated user, unless the client names another one, and no condition on
 * the way asks for the rights of the user or compares what the client sends with them.
 */
export function replacedUser(
  call: CallValue,
  value: Value,
  guards: readonly Guard[],
  step: (count?: number) => void,
): ReplacedUser | undefined {
  step(guards.length)
  const named = preferredTo(value) ?? assignedOver(value)
  if (named === undefined) return undefined
  for (const { sent, at } of named) {
    const isSent = (part: Value): boolean => clientData(part)?.client === sent.client
    const asks = ({ test, inside }: Guard): boolean =>
      mentionsUser(test) && (isWithin(at, inside) || findPart(test, (part) => isSent(part) || tellsRight(part)) !== undefined)
    if (!guards.some((guard) => (isOnTheWay(guard, call.start) || isOnTheWay(guard, at.start)) && asks(guard)))
      return { ...sent, ...(named.length === 1 && at.isChoice && { at }) }
  }
  return undefined
}

interface NamedUser {
  readonly sent: ClientData
  readonly at: Span & { readonly isChoice: boolean }
}

/** `authorId || req.user.id`, `authorId ? authorId : req.user.id`: the user is what is left where the client sends none. */
function preferredTo(value: Value): readonly NamedUser[] | undefined {
  const choice = resolveValue(value)
  if (!('options' in choice) || choice.isAnd === true || (choice.test !== undefined && mentionsUser(choice.test)))
    return undefined
  const [first, ...others] = choice.options
  const sent = first && clientData(first)
  if (first === undefined || sent === undefined || !others.some(mentionsUser)) return undefined
  return [{ sent, at: { start: first.start, end: first.end, isChoice: true } }]
}

/** The authenticated user by one definition, what the client sends by another. */
function assignedOver(value: Value): readonly NamedUser[] | undefined {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (definitions.length < 2 || !definitions.some((one) => one.value !== undefined && mentionsUser(one.value))) return undefined
  return definitions.flatMap((one) => {
    const sent = one.kind === 'assign' && one.value !== undefined ? clientData(one.value) : undefined
    return sent === undefined ? [] : [{ sent, at: { start: one.start, end: one.end, isChoice: false } }]
  })
}

/** `req.user.is('Admin')`, `req.user.role`. */
function tellsRight(part: Value): boolean {
  const name = part.kind === 'call' ? lastNameOf(part.callee) : part.kind === 'member' ? part.name : undefined
  return name !== undefined && /^(?:is|has|can)(?:[A-Z]|$)|admin|role|scope|permission/i.test(name)
}

const SENDS = /^(?:post|emit|executeHttpRequest)$/

/** A call that sends a message or a request to another system: `service.send({ method, path, data })`, `axios.post(url, data)`; `response.send(row)` answers the client. */
export function sendsOn({ args: [first] }: CallValue, name: string): boolean {
  if (name !== 'send') return SENDS.test(name)
  return first !== undefined && (constantOf(first) !== undefined || fieldOf(resolveValue(first), 'data') !== undefined)
}
