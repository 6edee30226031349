import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, resolveValue, type CallValue, type Guard, type Value } from '../../../facts/index.ts'
import { accepts, isGuarded, type CapElement, type CapMember, type CapRoot } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText, Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { baseOf } from '../_handlers/query-chains.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { exposureOf } from '../_model/restricted-exposures.ts'
import { ofUsers } from '../_matches.ts'
import { sentElement } from './client-data.ts'
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
  *collect({ facts, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const { base, kind, entity, terms } of scriptQueries(facts, step)) {
      const [term, another] = terms
      const sent = kind === 'read' && term !== undefined && another === undefined ? sentFirst(term.value, step) : undefined
      if (sent === undefined) continue
      step(facts.guards.length)
      const own = facts.guards.filter((guard) => guard.function === base.function)
      if (!own.some((guard) => isStateCheck(guard, base)) || own.some(({ test }) => isCompared(test, sent))) continue
      const around = (handled ??= findHandledFunctions(facts)).handlersOf(base).filter(({ phase, events }) => {
        return phase === 'before' && events.some((event) => CHANGES.test(event ?? ''))
      })
      if (around.length > 0) yield { ...sent, parent: entity, handled: around.map(eventNamesOf) }
    }
  },
})

const CHANGES = /^(?:UPDATE|PATCH|SAVE)$/

type Sent = Pick<SentParent, 'element' | 'client' | 'start' | 'end'>

/** `req.data.order_ID ?? row.order_ID`, or a name that is given the second one later, where it has no value. */
function sentFirst(value: Value, step: (count?: number) => void): Sent | undefined {
  const binding = value.kind === 'reference' ? value.binding : undefined
  const given = binding?.definitions.flatMap((one) => (one.path.length === 0 ? (one.value ?? []) : [])) ?? []
  step(given.length)
  const made = given.length > 1 ? undefined : resolveValue(value)
  const [first, ...others] = made === undefined ? given : made.kind === 'choice' ? made.options : []
  const client = first === undefined ? undefined : sentElement(first)
  if (first === undefined || client === undefined) return undefined
  const element = lastName(client)
  const isStored = (one: Value): boolean => one.kind === 'member' && one.name === element && readIn(one.object).length > 0
  return others.some(isStored) ? { element, client, start: first.start, end: first.end } : undefined
}

/** `if (order.status !== 'OPEN') return req.reject(409)`, of the row that a query gives. */
function isStateCheck({ test, exits }: Guard, { start, end }: CallValue): boolean {
  if (!exits || mentionsUser(test)) return false
  const isOfRow = (part: Value): boolean =>
    part.kind === 'member' &&
    findPart(part.object, (one) => (one.kind === 'call' || one.kind === 'tagged') && isBase(one, start, end)) !== undefined
  return (
    findPart(test, (part) => part.kind === 'operation' && /^[!=]==?$/.test(part.operator) && part.operands.some(isOfRow)) !==
    undefined
  )
}

function isBase(call: CallValue, start: number, end: number): boolean {
  const base = baseOf(call)?.call
  return base?.start === start && base.end === end
}

/** `req.data.order_ID !== row.order_ID`. */
function isCompared(test: Value, { client, element }: Sent): boolean {
  const isSent = (one: Value): boolean => sentElement(one) === client
  const isStored = (one: Value): boolean => one.kind === 'member' && one.name === element && sentElement(one) === undefined
  return (
    findPart(test, (part) => part.kind === 'operation' && part.operands.some(isSent) && part.operands.some(isStored)) !==
    undefined
  )
}

/** Such checks of entities whose rows clients may hang on another parent. Needs `sentParents`. */
export function* sentParentMatches(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { file, value } of root.scripts.get(sentParents)) {
    const { element, client, parent, handled, start, end } = value
    const association = element.replace(/_\w{1,20}$/, '')
    const isOpen = (member: CapMember): boolean =>
      (member.name === element || member.name === association) && !member.key && !isGuarded(member)
    for (const one of handled)
      for (const service of root.eventOf({ file, ...one }).services) {
        root.step(service.elements.length)
        const entity = service.elements.find(
          (own) =>
            own.kind === 'entity' &&
            accepts(own, 'UPDATE') &&
            [...projectedNames(root, own.qualified)].some((name) => one.entities?.includes(name)),
        )
        if (entity === undefined || !entity.members().some((member) => isOpen(member) && isWhole(member, entity, root))) continue
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
