import { servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText, Span } from '../../../types.ts'
import { ofUsers } from '../_matches.ts'
import { exposureOf } from '../_model/restricted-exposures.ts'
import { getsCaller } from './service-handlers.ts'
import { javaSources } from './sources.ts'

/** People who have rows, by their key; with `OF_SHOPS` also those who buy. */
const USER = /^(?:user|employee|owner|account|member|student|patient|subscriber|tenant_?user)$/
const BUYER = /^(?:customer|client|guest|buyer|shopper|passenger)$/
/** What people fill for themselves: where a model has it, customers call. */
const OF_SHOPS = /(?:cart|basket|wish_?list|favou?rite)(?:_?(?:item|entr(?:y|ie)))?s?$/i
const KEY = /_?(?:id|uuid|number|no|e?mail)$/i

/**
 * Operations of CAP Java that are told whose rows to read or write, in code that never gets hold of the caller.
 * Facts: capire, CAP Java, "Event Handlers" (contexts of operations have a getter for each parameter), "Security" (`UserInfo`).
 */
export function* namedOwners(root: CapRoot, reach: ReachModel): Generator<Match> {
  if (root.test || root.runtime !== 'java' || getsCaller(root)) return
  const operations = operationsOf(root)
  if (operations.size === 0) return
  const isShop = [...root.entities].some((name) => OF_SHOPS.test(lastName(name)))
  for (const { file, tokens } of javaSources(root, /Context\b/)) {
    root.step(tokens.length)
    for (const { operation, body, context } of operationMethods(tokens)) {
      const known = operations.get(operation.toLowerCase())
      const owner = known && ownerIn(body, context, isShop)
      if (known === undefined || owner === undefined) continue
      const { service, element } = known
      yield {
        at: { file, span: owner.span },
        variant: 'java',
        args: { operation: quoteWord(element.name), column: quoteWord(owner.column), value: `${context}.${owner.getter}()` },
        evidence: 'shown',
        groupKey: file,
        // that callers need no login is a finding of the service
        exposure: ofUsers(exposureOf(service, element, reach)),
      }
    }
  }
}

interface Operation {
  readonly service: CapService
  readonly element: CapElement
}

function operationsOf(root: CapRoot): ReadonlyMap<string, Operation> {
  return new Map(
    servedServices(root).flatMap((service) =>
      service.elements.flatMap((element) =>
        element.kind === 'entity' ? [] : [[lastName(element.name).toLowerCase(), { service, element }] as const],
      ),
    ),
  )
}

interface OperationMethod {
  /** `PlaceOrder` of `PlaceOrderContext`. */
  readonly operation: string
  readonly context: string
  readonly body: readonly JavaToken[]
}

/** `void placeOrder(PlaceOrderContext context) {` */
function* operationMethods(tokens: readonly JavaToken[]): Generator<OperationMethod> {
  for (const [at, { kind, text }] of tokens.entries()) {
    const operation = kind === 'word' ? /^([A-Z]\w{1,80})Context$/.exec(text)?.[1] : undefined
    const context = tokens[at + 1]
    if (operation === undefined || context?.kind !== 'word' || !isWritten(tokens, at - 1, '(')) continue
    const open = bodyBehind(tokens, closingOf(tokens, at - 1))
    if (open !== undefined) yield { operation, context: context.text, body: tokens.slice(open, closingOf(tokens, open) + 1) }
  }
}

interface NamedOwner {
  readonly column: string
  readonly getter: string
  readonly span: Span
}

/** The first place where what the client says of a person chooses rows or is written into one. */
function ownerIn(body: readonly JavaToken[], context: string, isShop: boolean): NamedOwner | undefined {
  const names = new Map<string, string>()
  for (const [at, { kind, text, start }] of body.entries()) {
    if (kind !== 'word' || isWritten(body, at - 1, '.')) continue
    const getter = text === context && isWritten(body, at + 1, '.') ? personOf(body[at + 2]?.text ?? '', isShop) : undefined
    const variable = body[at - 2]
    // String customerId = context.getCustomerId();
    if (getter !== undefined && isWritten(body, at - 1, '=') && variable?.kind === 'word') names.set(variable.text, getter)
    const sent = getter ?? names.get(text)
    const column = sent && columnAt(body, at)
    if (sent === undefined || column === undefined || stemOf(column) !== stemOf(sent.slice('get'.length))) continue
    return { column, getter: sent, span: { start, end: body[getter === undefined ? at : at + 2]?.end ?? start } }
  }
  return undefined
}

/** A getter that says by its name whose key the parameter is. */
function personOf(getter: string, isShop: boolean): string | undefined {
  const name = /^get([A-Z]\w{2,40})$/.exec(getter)?.[1] ?? ''
  const stem = stemOf(name)
  return KEY.test(name) && (USER.test(stem) || (isShop && BUYER.test(stem))) ? getter : undefined
}

function stemOf(name: string): string {
  return name.replace(KEY, '').toLowerCase()
}

/** The column that a value is compared with or written into: `c.customer_ID().eq(`, `c.get("customer_ID").eq(`, `.put("customer_ID", `. */
function columnAt(body: readonly JavaToken[], at: number): string | undefined {
  const before = body[at - 2]
  if (isWritten(body, at - 1, ',') && before?.kind === 'string')
    return /^(?:put|data|set)$/.test(body[at - 4]?.text ?? '') ? lastName(before.text) : undefined
  if (!isWritten(body, at - 4, ')', '.', 'eq', '(')) return undefined
  const named = body[at - 5]
  return named?.kind === 'string' ? lastName(named.text) : isWritten(body, at - 5, '(') ? body[at - 6]?.text : undefined
}

export const JAVA_OWNER_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Rows of a user selected by a user ID from the request',
    message:
      'The handler of {operation} uses {value}, which the client sends, as {column} of the rows, and no Java code asks who calls.',
    why: 'A user can send the ID of another user, and so read or change the rows of that user.',
    fix: 'Find the person by the authenticated user (UserInfo: context.getUserInfo().getName()) instead of {value}, and remove the parameter. If some users may act for others, check their role first and throw ErrorStatuses.FORBIDDEN otherwise.',
  },
  fr: {
    title: 'Lignes d’un utilisateur choisies par un identifiant de la requête',
    message:
      'Le gestionnaire de {operation} utilise {value}, envoyé par le client, comme {column} des lignes, et aucun code Java ne demande qui l’appelle.',
    why: 'Un utilisateur peut envoyer l’identifiant d’un autre et ainsi lire ou modifier les lignes de celui-ci.',
    fix: 'Trouvez la personne d’après l’utilisateur authentifié (UserInfo : context.getUserInfo().getName()) au lieu de {value}, et supprimez le paramètre. Si certains peuvent agir pour d’autres, vérifiez d’abord leur rôle et levez ErrorStatuses.FORBIDDEN sinon.',
  },
}
