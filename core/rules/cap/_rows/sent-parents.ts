import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  findPart,
  resolveValue,
  type Assignment,
  type CallValue,
  type Definition,
  type Guard,
  type FunctionFact,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isNothing } from '../../../facts/values.ts'
import { groupBy } from '../../../lists.ts'
import {
  accepts,
  conditionOf,
  grantsEvent,
  isGuarded,
  isImmutable,
  privilegesOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { isOfUi5App, isSentData } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText, Span } from '../../../types.ts'
import { isCheck, mentionsUser } from '../_callers/asked-users.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { baseOf } from '../_handlers/query-chains.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { draftParts } from '../_model/draft-parts.ts'
import { exposureOf } from '../_model/restricted-exposures.ts'
import { ofUsers } from '../_matches.ts'
import { asksPresence, sentElement } from './client-data.ts'
import { readIn } from './owned-queries.ts'

/** A check in front of a change that looks at the row which the client names as the parent, and at the one that the stored row has only where the client names none. */
interface SentParent extends Span {
  /** `order_ID`, of the changed row. */
  readonly element: string
  /** What the client sends: `req.data.order_ID`. */
  readonly client: string
  /** The last part of the name of the checked entity. */
  readonly parent: string
  readonly handled: readonly EventNames[]
}

export const sentParents: Extract<SentParent> = defineExtract({
  name: 'cap-sent-parents',
  keywords: ['SELECT'],
  prefilter: (text) => /\.before\(/.test(text) && /['"`](?:UPDATE|PATCH|SAVE|\*)['"`]/.test(text) && /\.data\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    const queries = scriptQueries(facts, step).filter(({ kind }) => kind === 'read')
    step(facts.guards.length + facts.calls.length + facts.assignments.length)
    const guardsOf = groupBy(facts.guards, (guard) => guard.function)
    const callsOf = groupBy(facts.calls, (call) => call.function)
    const assignedIn = groupBy(facts.assignments, (one) => one.function)
    let stored: ReadonlySet<string> | undefined
    for (const { base, entity, terms } of queries) {
      const [term, another] = terms
      const own = guardsOf.get(base.function) ?? []
      const sent = term !== undefined && another === undefined ? sentFirst(term.value, own, step) : undefined
      if (sent === undefined) continue
      const calls = callsOf.get(base.function) ?? []
      step(own.length + calls.length)
      if (!own.some((guard) => isStateCheck(guard, base)) || own.some((guard) => isLookedAt(guard, sent))) continue
      if (isTakenOut(sent, base, assignedIn.get(base.function) ?? [], text)) continue
      stored ??= checkedOfStored(queries, guardsOf, step)
      if (stored.has(`${entity} ${sent.element}`) || calls.some((call) => isCheckOfStored(call, sent, guardsOf))) continue
      const around = (handled ??= findHandledFunctions(facts)).handlersOf(base).filter(({ phase, events }) => {
        return phase === 'before' && events.some((event) => CHANGES.test(event ?? ''))
      })
      if (around.length > 0) yield { ...sent, parent: entity, handled: around.map(eventNamesOf) }
    }
  },
})

const CHANGES = /^(?:UPDATE|PATCH|SAVE)$/

type Sent = Pick<SentParent, 'element' | 'client' | 'start' | 'end'>

/** `req.data.order_ID ?? row.order_ID`, or a name that is given one of both where the client sends none, or one. */
function sentFirst(value: Value, guards: readonly Guard[], step: (count?: number) => void): Sent | undefined {
  const binding = value.kind === 'reference' ? value.binding : undefined
  const given =
    binding?.definitions.filter((one) => one.path.length === 0 && one.value !== undefined && !isNothing(one.value)) ?? []
  step(given.length)
  const made = given.length > 1 ? undefined : resolveValue(value)
  const values = made === undefined ? given.flatMap((one) => one.value ?? []) : made.kind === 'choice' ? made.options : []
  const [first, second, more] = values
  const client = values.map(sentElement).find((one) => one !== undefined)
  if (first === undefined || second === undefined || more !== undefined || client === undefined) return undefined
  const element = lastName(client)
  const isSent = (one: Value): boolean => sentElement(one) === client
  if (!values.some((one) => isStored(one, element) && readIn(one).length > 0)) return undefined
  const isNamed = (part: Value): boolean => isSent(part) || (part.kind === 'reference' && part.binding === binding)
  const isChosen =
    made === undefined
      ? isByPresence(given, isNamed, guards, step)
      : made.kind === 'choice' &&
        made.isAnd !== true &&
        isSent(first) &&
        (made.test === undefined || isPresence(made.test, isSent))
  const at = values.find(isSent)
  return isChosen && at !== undefined ? { element, client, start: at.start, end: at.end } : undefined
}

/** One of two values is given where the client sends something, or nothing: not for one of several events. */
function isByPresence(
  given: readonly Definition[],
  isNamed: (part: Value) => boolean,
  guards: readonly Guard[],
  step: (count?: number) => void,
): boolean {
  step(guards.length)
  return guards.some(
    ({ test, inside }) =>
      isPresence(test, isNamed) && given.filter(({ start, end }) => inside.start <= start && end <= inside.end).length === 1,
  )
}

/** `id`, `!id`, `id == null`. */
function isPresence(test: Value, isNamed: (part: Value) => boolean): boolean {
  // `!id && req.params[0]`
  return asksPresence(test, isNamed, (choice) =>
    choice.isAnd === true ? choice.options.some((one) => isPresence(one, isNamed)) : isNamed(choice),
  )
}

/** `row.order_ID`. */
function isStored(value: Value, element: string): boolean {
  const made = resolveValue(value)
  return made.kind === 'member' && made.name === element && sentElement(made) === undefined
}

/** Queries that find the parent of the stored row, whose state is checked then: entity and element. */
function checkedOfStored(
  queries: readonly ScriptQuery[],
  guardsOf: GuardsByFunction,
  step: (count?: number) => void,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { base, entity, terms } of queries)
    for (const { value } of terms) {
      const made = resolveValue(value)
      if (made.kind !== 'member' || made.name === undefined || !isStored(made, made.name)) continue
      const own = guardsOf.get(base.function) ?? []
      step(1 + own.length)
      if (own.some((guard) => isStateCheck(guard, base))) found.add(`${entity} ${made.name}`)
    }
  return found
}

type GuardsByFunction = ReadonlyMap<FunctionFact, readonly Guard[]>

/** A function that may refuse gets the parent of the stored row. */
function isCheckOfStored(call: CallValue, { element }: Sent, guardsOf: GuardsByFunction): boolean {
  if (baseOf(call) !== undefined || !call.args.some((given) => isStored(given, element))) return false
  const called = functionOf(call.callee)
  return isCheck(call) || (called !== undefined && guardsOf.get(called)?.some(({ exits }) => exits) === true)
}

/** What the client names is written over or deleted, so the row stays where it is. */
function isTakenOut(
  { element, client }: Sent,
  { function: around }: CallValue,
  assignments: readonly Assignment[],
  text: string,
): boolean {
  const [request = ''] = client.split('.')
  const own = text.slice(around.start, around.end)
  return (
    own.includes(`delete ${request}.data.${element}`) ||
    assignments.some(
      ({ target, value }) => target.name === element && isSentData(target.object) && sentElement(value) === undefined,
    )
  )
}

/** `if (order.status !== 'OPEN') return req.reject(409)`, of the row that a query gives. */
function isStateCheck({ test, exits }: Guard, { start, end }: CallValue): boolean {
  if (!exits || mentionsUser(test)) return false
  const isOfRow = (part: Value): boolean =>
    part.kind === 'member' &&
    findPart(part.object, (one) => (one.kind === 'call' || one.kind === 'tagged') && isBase(one, start, end)) !== undefined
  // what a row may hold, and what fits to another one, the new parent tells
  const isState = (part: Value): boolean => /^(?:string|boolean)$/.test(typeof constantOf(part))
  const isAsked = (part: Value): boolean =>
    part.kind === 'operation' && /^[!=]==?$/.test(part.operator) && part.operands.some(isOfRow) && part.operands.some(isState)
  return findPart(test, isAsked) !== undefined
}

function isBase(call: CallValue, start: number, end: number): boolean {
  const base = baseOf(call)?.call
  return base?.start === start && base.end === end
}

/** `req.data.order_ID !== row.order_ID`, or it leaves where the client names a parent: `if (req.data.order_ID) return req.reject(400)`. */
function isLookedAt({ test, exits }: Guard, sent: Sent): boolean {
  return isCompared(test, sent) || (exits && isNamedIn(test, sent))
}

function isCompared(test: Value, { client, element }: Sent): boolean {
  const isSent = (one: Value): boolean => sentElement(one) === client
  const isOfRow = (one: Value): boolean => one.kind === 'member' && one.name === element && sentElement(one) === undefined
  return (
    findPart(test, (part) => part.kind === 'operation' && part.operands.some(isSent) && part.operands.some(isOfRow)) !== undefined
  )
}

function isNamedIn(test: Value, sent: Sent): boolean {
  if (test.kind === 'choice') return test.options.some((one) => isNamedIn(one, sent))
  if (test.kind !== 'operation') return sentElement(test) === sent.client
  const [first, second] = test.operands
  if (first === undefined || second === undefined) return false
  if (test.operator === 'in') return constantOf(first) === sent.element && isSentData(second)
  return /^!==?$/.test(test.operator) && isNothing(second) && sentElement(first) === sent.client
}

/** Such checks of entities whose rows clients may hang on another parent. Needs `sentParents`. */
export function* sentParentMatches(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { file, value } of root.scripts.get(sentParents)) {
    const { element, client, parent, handled, start, end } = value
    const association = element.replace(/_\w{1,20}$/, '')
    const isOpen = (member: CapMember): boolean =>
      (member.name === element || member.name === association) && !member.key && !isGuarded(member) && !isImmutable(member)
    for (const one of handled)
      for (const service of root.eventOf({ file, ...one }).services) {
        root.step(service.elements.length)
        const entity = service.elements.find(
          (own) =>
            own.kind === 'entity' &&
            accepts(own, 'UPDATE') &&
            [...projectedNames(root, own.qualified)].some((name) => one.entities?.includes(name)),
        )
        // what a draft is a part of, and what a condition of the stored row asks for, CAP checks
        if (entity === undefined || isOfDraft(entity, service, root) || isLimited(entity, association)) continue
        if (!entity.members().some((member) => isOpen(member) && isWhole(member, entity, root))) continue
        yield {
          at: { file, span: { start, end } },
          args: { element: quoteWord(element), client, parent: quoteWord(parent), entity: `${service.name}.${entity.name}` },
          variant: 'parent',
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, entity, reach, ['UPDATE'])),
          groupKey: `${file} ${start} parent`,
        }
      }
  }
}

function isOfDraft(entity: CapElement, service: CapService, root: CapRoot): boolean {
  const parts = draftParts(service, root)
  return parts.size > 0 && root.projected(entity.qualified).some((name) => parts.has(name))
}

/** `where: order.state = 'OPEN'` of @restrict: it holds for the stored row. */
function isLimited({ annotations }: CapElement, association: string): boolean {
  const asksFor = (condition: ReturnType<typeof conditionOf>): boolean =>
    condition !== undefined && typeof condition !== 'string' && condition.text.includes(`${association}.`)
  const changing = privilegesOf(annotations.get('restrict')?.value).filter((one) => grantsEvent(one, 'UPDATE'))
  return changing.length > 0 && changing.every(({ where }) => asksFor(where === undefined ? undefined : conditionOf(where)))
}

/** It leads to what is composed of such rows: of what a row only refers to, the one that it shall refer to counts. */
function isWhole({ target }: CapMember, entity: CapElement, root: CapRoot): boolean {
  if (target === undefined) return false
  const own = new Set(root.projected(entity.qualified))
  const links = root.projected(target).flatMap((name) => [...root.membersOf(name).values()])
  root.step(links.length)
  return links.some((link) => link.type === 'Composition' && root.projected(link.target ?? '').some((name) => own.has(name)))
}

/** The words of `cap/unchecked-row-written` for it. */
export const PARENT_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Check of the parent that the client names',
    message:
      'Before a change of {entity} the handler checks the row of {parent} that {client} names, and the one that the stored row belongs to only if the client sends none.',
    why: 'A user sends {element} of another row that passes the check, and so changes a row whose own parent is locked, or moves it away from there.',
    fix: 'Read {element} of the stored row first, and check that row of {parent} in any case. If the request names another one, check that one too, or reject the request.',
  },
  fr: {
    title: 'Contrôle du parent que désigne le client',
    message:
      'Avant une modification de {entity}, le gestionnaire contrôle la ligne de {parent} que désigne {client}, et celle dont dépend la ligne enregistrée seulement si le client n’en envoie pas.',
    why: 'Un utilisateur envoie {element} d’une autre ligne qui passe le contrôle, et modifie ainsi une ligne dont le propre parent est verrouillé, ou l’en détache.',
    fix: 'Lisez d’abord {element} de la ligne enregistrée, et contrôlez cette ligne de {parent} dans tous les cas. Si la requête en désigne une autre, contrôlez-la aussi, ou rejetez la requête.',
  },
}
