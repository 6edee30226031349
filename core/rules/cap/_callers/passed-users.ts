import type { Binding, CallValue, FunctionFact, ScriptFacts, Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { entityWords, handlerFunction, isPeople } from '../../../model/cap/index.ts'
import type { RuleText, Span } from '../../../types.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { BOOKED, insertedInto } from '../_rows/booked-rows.ts'
import { clientData } from '../_rows/client-data.ts'
import { fieldPairs, isKeyed } from '../_rows/column-pairs.ts'
import { CALLER, isCallerAsked, isWholeRequest } from './looks-at-callers.ts'

/** The ID of a user that the client sends and a handler hands to a function of the file, which finds or makes rows by it. */
interface PassedUser extends Span {
  readonly column: string
  readonly client: string
  readonly variant: 'passed'
}

/** Columns that say whose row it is; who made or changed one is noted for nearly every row. */
const OWNER = /^(?:owner|user|employee|requester|requestor|account_?owner|member)(?:_?(?:id|name|mail|email))?$/i
const USER_KEY = /(?:^|_)(?:user|employee|owner|requester|requestor|account)(?:_?(?:id|uuid|e?mail|name|key))?$/i
/** Functions for which others are chosen on purpose. */
const FOR_OTHERS = /notif|assign|invit|delegat|transfer|share|grant|revoke|member|approv|exist/i

/** `await this._loadPlan(userId)` with `userId` of `req.data`, where the method runs `SELECT.from(Plans).where({ user_ID: userId })`: it knows nobody else to compare with. */
export function* passedUsers(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<PassedUser> {
  const owners = ownerParameters(facts, step)
  if (owners.size === 0) return
  for (const call of facts.calls) {
    step(1 + call.args.length)
    const { callee, args } = call
    if (args.length === 0 || args.some(isWholeRequest) || FOR_OTHERS.test(lastNameOf(callee) ?? '')) continue
    const called = mayBeOwn(callee) ? handlerFunction(callee, facts) : undefined
    const parameters = called === undefined || called === call.function ? undefined : owners.get(called)
    if (called === undefined || parameters === undefined || CALLER.test(text.slice(called.start, called.end))) continue
    for (const [index, argument] of args.entries()) {
      const found = parameters.has(called.parameters[index]) ? clientData(argument) : undefined
      if (found === undefined || !USER_KEY.test(found.name)) continue
      if (isCallerAsked(found, call, facts, text, step)) continue
      yield { ...sentAt(argument, found.client), column: lastNameOf(callee) ?? '', client: found.client, variant: 'passed' }
    }
  }
}

/** A function of the file by its name, or a method of `this`. */
function mayBeOwn(callee: Value): boolean {
  return callee.kind === 'reference' || (callee.kind === 'member' && callee.object.kind === 'this')
}

/** Where the handler reads what the client sends: one place for all functions that get it. */
function sentAt(argument: Value, client: string): Span {
  const definitions = argument.kind === 'reference' ? (argument.binding?.definitions ?? []) : []
  const sent = definitions.find(({ value }) => value !== undefined && clientData(value)?.client === client)
  const { start, end } = sent?.value ?? argument
  return { start, end }
}

/** Parameters that a function compares with the owner of rows, or writes as that. */
function ownerParameters(
  { calls }: ScriptFacts,
  step: (count?: number) => void,
): ReadonlyMap<FunctionFact, ReadonlySet<Binding | undefined>> {
  const found = new Map<FunctionFact, Set<Binding | undefined>>()
  for (const call of calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    const isNew = name === 'entries' && BOOKED.test(insertedInto(call))
    if (!isNew && !isFilter(call, name)) continue
    for (const { column, value } of pairsOf(call, step)) {
      const binding = value.kind === 'reference' ? value.binding : undefined
      if (binding?.kind !== 'parameter' || !OWNER.test(column)) continue
      const own = found.get(binding.function) ?? new Set()
      found.set(binding.function, own.add(binding))
    }
  }
  return found
}

/** Rows of persons are looked up by who they are. */
function isFilter(call: CallValue, name: string): boolean {
  if (name !== 'where' && !isKeyed(call, name)) return false
  const entity = entityOf(baseOf(call)?.call.args[0])
  return entity === undefined || !isPeople(entityWords(entity))
}

function pairsOf({ args }: CallValue, step: (count?: number) => void): ReturnType<typeof fieldPairs> {
  return args.flatMap((given) => fieldPairs(given, step))
}

export const PASSED_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Rows of a user selected by a user ID from the request',
    message: '{column} reads or writes rows of the user {value}, which the client sends, and not of the authenticated user.',
    why: 'A user can send the ID of another user, and so read or change the rows of that user; that the ID is optional does not help.',
    fix: 'Pass the ID of the authenticated user to {column} instead of {value}: req.user.id, or what you look up by it. If some users may act for others, check their role first and reject the request (403) otherwise.',
  },
  fr: {
    title: 'Lignes d’un utilisateur choisies par un identifiant de la requête',
    message:
      '{column} lit ou écrit des lignes de l’utilisateur {value}, envoyé par le client, et non de l’utilisateur authentifié.',
    why: 'Un utilisateur peut envoyer l’identifiant d’un autre et ainsi lire ou modifier les lignes de celui-ci ; que l’identifiant soit facultatif n’y change rien.',
    fix: 'Passez à {column} l’identifiant de l’utilisateur authentifié au lieu de {value} : req.user.id, ou ce que vous cherchez d’après lui. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et rejetez la requête (403) sinon.',
  },
}
