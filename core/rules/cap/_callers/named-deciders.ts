import { createCodeReader, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { CRUD_EVENT, entityWords, isPeople, type HandlerFunction } from '../../../model/cap/index.ts'
import type { GradeFacts, RuleText, Span } from '../../../types.ts'
import { findHandledFunctions, type HandledFunctions } from '../_handlers/handled-functions.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { clientData } from '../_rows/client-data.ts'
import { REFUSES } from '../_rows/decided-states.ts'
import { fieldPairs, isKeyed } from '../_rows/column-pairs.ts'
import { isCallerAsked, looksAtCaller } from './looks-at-callers.ts'

/** The row of who decides, which a handler finds by what the client sends. */
interface NamedDecider extends Span {
  readonly column: string
  readonly client: string
  readonly variant: 'decider'
  readonly grade?: GradeFacts
}

/** Who decides, by the name of a part of the request and of an entity. */
const DECIDER =
  /^(?:manager|approver|reviewer|supervisor|(?:approved|decided|reviewed)_?by)(?:_?(?:id|uuid|email|mail|name|key))?$/i
const DECIDERS = /(?:^| )(?:managers?|approvers?|reviewers?|supervisors?)$/
/** The client sends the decision as well. */
const DECISION =
  /\.\s{0,4}(?:decision|verdict|approved|isApproved)\b|[{,]\s{0,20}(?:decision|verdict|approved|isApproved)\s{0,4}[,:}]/
/** A request for an approval names who is asked. */
const ASKS_FOR_ONE = /submit|request|assign|forward|delegat|escalat|notif|create/i

/** `SELECT.one.from(Managers).where({ name: req.data.managerName })` in a handler that takes a decision from the request, and never asks who calls. */
export function* namedDeciders(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<NamedDecider> {
  let handled: HandledFunctions | undefined
  const decides = createCodeReader(text, (code) => DECISION.test(code))
  for (const call of facts.calls) {
    step()
    const name = lastNameOf(call.callee) ?? ''
    if (name !== 'where' && !isKeyed(call, name)) continue
    for (const { column, value, start, end } of call.args.flatMap((given) => fieldPairs(given, step))) {
      const found = clientData(value)
      if (found === undefined || found.part !== 'data' || !DECIDER.test(found.name) || !isOfDeciders(call)) continue
      const handler = (handled ??= findHandledFunctions(facts)).handlerOf(call)
      if (handler?.fact === undefined || !mayDecide(handler) || !decides(handler.fact)) continue
      if (handled.handlers.some((one) => isInFront(one, handler, text))) continue
      step(handled.handlers.length)
      if (isCallerAsked(found, call, facts, text, step)) continue
      // the handler of an operation is all that runs; what follows one in front of a write is not known
      const grade: GradeFacts = handler.phase === 'on' ? { evidence: 'shown' } : {}
      yield { start, end, column, client: found.client, variant: 'decider', grade }
    }
  }
}

/** A query for a person, or for one of those who decide. */
function isOfDeciders(call: Parameters<typeof baseOf>[0]): boolean {
  const base = baseOf(call)
  const words = base?.kind === 'read' ? entityWords(entityOf(base.call.args[0]) ?? '') : ''
  return isPeople(words) || DECIDERS.test(words)
}

function mayDecide({ phase, events }: HandlerFunction): boolean {
  return phase !== 'after' && events.some((event) => event !== undefined && (CRUD_EVENT.test(event) || !ASKS_FOR_ONE.test(event)))
}

/** A handler in front of another one refuses requests by who calls, or is of another file. */
function isInFront({ phase, events, entities, fact }: HandlerFunction, handler: HandlerFunction, text: string): boolean {
  const isOfEvent = events.some((name) => name === '*' || handler.events.includes(name))
  const isOfEntity = entities?.some((name) => handler.entities?.includes(name) ?? true) ?? true
  if (phase !== 'before' || !isOfEvent || !isOfEntity) return false
  return fact === undefined || (looksAtCaller({ function: fact }, text) && REFUSES.test(text.slice(fact.start, fact.end)))
}

/** The words of `cap/user-id-from-client` for it. */
export const DECIDER_WORDS: Readonly<Record<'en' | 'fr', Partial<RuleText>>> = {
  en: {
    title: 'Decision in the name of a person from the request',
    message: 'The handler finds who decides by {column} = {value}, which the client sends, and not by the authenticated user.',
    why: 'A user can send the name of any person who may decide, and so approve or reject in that name, also their own requests.',
    fix: 'Find the row of who decides by req.user.id instead of {value}, and reject the request (403) if there is none. If some users may act for others, check their role first and keep both names.',
  },
  fr: {
    title: 'Décision au nom d’une personne prise dans la requête',
    message:
      'Le gestionnaire trouve la personne qui décide par {column} = {value}, envoyé par le client, et non par l’utilisateur authentifié.',
    why: 'Un utilisateur peut envoyer le nom de toute personne qui peut décider, et ainsi approuver ou refuser en ce nom, y compris ses propres demandes.',
    fix: 'Cherchez la ligne de la personne qui décide par req.user.id au lieu de {value}, et rejetez la requête (403) si elle n’existe pas. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et conservez les deux noms.',
  },
}
