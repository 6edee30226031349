import { lastNameOf } from '../../facts/literals.ts'
import { findPart, isOnTheWay, type CallValue, type Guard, type Value } from '../../facts/index.ts'
import { mentionsUser } from './_asked-users.ts'
import { clientData, type ClientData } from './_client-data.ts'
import { isWithin } from '../../facts/span-index.ts'

/**
 * `let author = req.user.id; if (authorId) author = authorId`: the authenticated user, unless the client names another one, and no condition on the way asks for the rights
 * of the user or compares what the client sends with them.
 */
export function replacedUser(
  call: CallValue,
  value: Value,
  guards: readonly Guard[],
  step: (count?: number) => void,
): ClientData | undefined {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (definitions.length < 2 || !definitions.some((one) => one.value !== undefined && mentionsUser(one.value))) return undefined
  step(guards.length)
  for (const definition of definitions) {
    const sent = definition.kind === 'assign' && definition.value !== undefined ? clientData(definition.value) : undefined
    if (sent === undefined) continue
    const isSent = (part: Value): boolean => clientData(part)?.client === sent.client
    const asks = ({ test, inside }: Guard): boolean =>
      mentionsUser(test) &&
      (isWithin(definition, inside) || findPart(test, (part) => isSent(part) || tellsRight(part)) !== undefined)
    if (!guards.some((guard) => (isOnTheWay(guard, call.start) || isOnTheWay(guard, definition.start)) && asks(guard)))
      return sent
  }
  return undefined
}

/** `req.user.is('Admin')`, `req.user.role`. */
function tellsRight(part: Value): boolean {
  const name = part.kind === 'call' ? lastNameOf(part.callee) : part.kind === 'member' ? part.name : undefined
  return name !== undefined && /^(?:is|has|can)(?:[A-Z]|$)|admin|role|scope|permission/i.test(name)
}
