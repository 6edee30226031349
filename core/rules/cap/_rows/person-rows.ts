import { resolveValue, type Value } from '../../../facts/index.ts'
import {
  entityWords,
  servedServices,
  toWords,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'

/** Entities whose rows are those who use an app. Customers and contacts are most often data about others. */
const USERS =
  /(?:^| )(?:users?|user ?accounts?|user ?profiles?|employees?|team ?members?|members?|staff|workers?|students?|colleagues?|consultants?)$/

/** What a row does with or for the person that it names. */
const OWNS =
  /^(?:owner|user|employee|assignee|assigned ?(?:to|user)|approver|requester|requestor|submitter|applicant|author|creator|reporter|recipient|receiver|sender|holder|member|student|worker|colleague|consultant|reviewer|responsible)(?: ?id)?$/

/** What a user of an app has alone: who reads the rows of others learns what was said or chosen in private. */
const PRIVATE =
  /^(?:\w{1,20} )?(?:conversations?|chats?|chat (?:sessions?|histor(?:y|ies)|threads?|messages?)|prompts?|carts?|baskets?|wish ?lists?|favou?rites?|bookmarks?|pay ?slips?|salary ?slips?|notifications?)$/
const PRIVATE_OWNER = /^(?:user|owner|employee)(?: ?(?:id|name|e ?mail))?$/

const KEYS: ReadonlySet<string | undefined> = new Set(['String', 'UUID', 'Integer', 'Integer64'])

/**
 * The element that tells which user of the app a row belongs to: an association to one row of the project's own entity of users, or the key of one beside such an
 * entity. What the runtime fills, `createdBy`, tells nothing: nearly every entity has it.
 */
export function personOf({ qualified, source }: CapElement, root: CapRoot): string | undefined {
  // the users themselves are data of administrators
  if (USERS.test(entityWords(source?.name ?? qualified))) return undefined
  const named = [...root.membersOf(qualified).values()].filter((member) => OWNS.test(toWords(member.name)) && !member.calculated)
  return (named.find((member) => leadsToUser(member, root)) ?? named.find((member) => KEYS.has(member.type) && hasUsers(root)))
    ?.name
}

/** What people write to each other or about each other. */
const FREE_TEXT = /(?:^| )(?:messages?|comments?|feedback|remarks?|thanks|greeting|evaluation|assessment)(?: ?text)?$/
/** What somebody has written is most often for all to read. */
const WRITER = /^(?:author|creator|reviewer|reporter)/i
const TEXTS: ReadonlySet<string | undefined> = new Set(['String', 'LargeString'])

/** The element with free text in rows that belong to persons, `message` beside the association `employee` to the project's own entity of users. */
function personalTextOf(element: CapElement, root: CapRoot): { readonly person: string; readonly text: string } | undefined {
  const person = element.kind === 'entity' ? personOf(element, root) : undefined
  if (person === undefined || WRITER.test(person)) return undefined
  const shown = element.members()
  // a projection may leave the person out
  if (!shown.some((member) => member.name === person && leadsToUser(member, root))) return undefined
  const text = shown.find(({ name, type, isEnum }) => TEXTS.has(type) && !isEnum && FREE_TEXT.test(toWords(name)))
  return text && { person, text: text.name }
}

/** What users read mostly is for all of them; not what persons were told, where other services of the project ask for a role. */
export function personalRows(
  service: CapService,
  open: readonly CapElement[],
  root: CapRoot,
): Readonly<Record<'entity' | 'person' | 'text', string>> | undefined {
  const asksElsewhere = servedServices(root).some(
    (other) => other !== service && [other, ...other.elements].some(({ access }) => access?.kind === 'roles'),
  )
  for (const element of asksElsewhere ? open : []) {
    const found = personalTextOf(element, root)
    if (found !== undefined) return { entity: element.name, ...found }
  }
  return undefined
}

/** The same for what is private by its kind, such as conversations, whether or not the project keeps its users. */
export function privateOwner({ qualified, source }: Pick<CapElement, 'qualified' | 'source'>, root: CapRoot): string | undefined {
  if (!PRIVATE.test(entityWords(source?.name ?? qualified))) return undefined
  const members = [...root.membersOf(qualified).values()]
  const named = members.filter((member) => PRIVATE_OWNER.test(toWords(member.name)) && !member.calculated)
  return named.find((member) => KEYS.has(member.type) || leadsToUser(member, root))?.name
}

/** What nobody but the user of a request makes, for that user alone. */
const MADE_ALONE =
  /^(?:(?:ai|bot|assistant|agent|copilot|my|user) )?(?:conversations?|chats?|chat (?:sessions?|conversations?|histor(?:y|ies)|threads?)|(?:shopping )?carts?|baskets?|wish ?lists?)$/
/** Others take part in it, or the project has another word for whose it is. */
const SHARED_WITH =
  /(?:^| )(?:participants?|members?|recipients?|receivers?|senders?|collaborators?|agents?|contacts?|customers?|business ?partners?|suppliers?|teams?|groups?|shared|public|phone|channel)(?: |$)/

/**
 * The same where nothing but `createdBy` tells it: CAP writes the user there who began a conversation or filled a basket.
 * Fact: capire, "Common Types and Aspects" (`managed`).
 */
export function makerOf({ qualified, source }: Pick<CapElement, 'qualified' | 'source'>, root: CapRoot): string | undefined {
  const name = source?.name ?? qualified
  if (!MADE_ALONE.test(entityWords(name)) || root.lookUp(name, 'createdBy') !== 'found') return undefined
  const members = [...root.membersOf(name).values()]
  return members.some((member) => SHARED_WITH.test(toWords(member.name).toLowerCase())) ? undefined : 'createdBy'
}

/**
 * The elements of the entity behind a table of SQL that lead to one row of the project's own users each: `provider` of `shop.Offer` for `SHOP_OFFER`.
 * Fact: capire, "Databases" (names of tables are qualified names with underscores).
 */
export function personsOfTable(table: string, root: CapRoot): readonly string[] {
  const name = table.replaceAll('.', '_').toLowerCase()
  const entity = root.entities.find((one) => one.replaceAll('.', '_').toLowerCase() === name)
  if (entity === undefined || USERS.test(entityWords(entity))) return []
  return [...root.membersOf(entity).values()].flatMap((member) =>
    !BY_RUNTIME.test(member.name) && leadsToUser(member, root) ? member.name : [],
  )
}

/** Nearly every entity has them. */
const BY_RUNTIME = /^(?:created|modified)By$/

/** Rows that say which user has which role, and nothing of any other thing: a member of a team has a role there, which the team may know. */
export function assignsRoles({ qualified }: CapElement, root: CapRoot): boolean {
  const members = [...root.membersOf(qualified).values()].filter(({ name }) => !BY_RUNTIME.test(name))
  const linked = members.filter(({ target }) => target !== undefined)
  const isRole = ({ target = '', toMany }: CapMember): boolean =>
    !toMany && ROLES.test(entityWords(root.projected(target).at(-1) ?? target))
  return (
    linked.some((member) => leadsToUser(member, root)) &&
    linked.some(isRole) &&
    linked.every((member) => leadsToUser(member, root) || isRole(member))
  )
}

const ROLES = /(?:^| )(?:(?:user|application|app) ?)?roles?$/

function leadsToUser({ target, type, toMany }: CapMember, root: CapRoot): boolean {
  if (target === undefined || type !== 'Association' || toMany) return false
  return USERS.test(entityWords(root.projected(target).at(-1) ?? target))
}

/** All users who log in, or those with a role that is called like them: a planner may plan for others. */
export function isForPlainUsers({ access }: CapService): boolean {
  return access.kind !== 'roles' || access.roles.some(isOfUsers)
}

/** The entity of the people who use an app. */
export function areUsers({ qualified, source }: CapElement): boolean {
  return USERS.test(entityWords(source?.name ?? qualified))
}

/** The rows that a handler or a condition gives to whom `owner` names are those of the app's own users: `user_ID`, of an association to these. */
export function isOwnedByPerson(element: CapElement, owner: string, root: CapRoot): boolean {
  const named = root.membersOf(element.qualified).get(owner.replace(/_\w{1,20}$/, ''))
  return !areUsers(element) && named !== undefined && leadsToUser(named, root)
}

/** A role that is called like the users of an app: `ChatUser`. */
export function isOfUsers(role: string): boolean {
  return USERS.test(toWords(role))
}

/** The project keeps its users in an entity of its own. */
function hasUsers(root: CapRoot): boolean {
  return root.services.some(({ elements }) =>
    elements.some(({ kind, source, qualified }) => kind === 'entity' && USERS.test(entityWords(source?.name ?? qualified))),
  )
}

/** `DEPARTMENT_ID: employee.dep` of `ZDEPARTMENT`: what a row of the user refers to is looked up by its own key, and belongs to nobody by that. */
export function isLookup({ column, value }: { readonly column: string; readonly value: Value }, entity: string): boolean {
  const own = lowerLetters(column.replace(/_?(?:id|uuid|key|number|no|code)$/i, ''))
  const rows = lowerLetters(entity.replace(/_?(?:VH|F4|List|Master)$/i, '')).replace(/^z(?=[^aeiou])/, '')
  if (resolveValue(value).kind !== 'member' || own.length < 4 || OF_PERSONS.test(own)) return false
  return [own, `${own}s`, `${own}es`, own.replace(/y$/, 'ies')].includes(rows)
}

/** Rows of persons are looked up by who they are. */
const OF_PERSONS = /emp|user|person|customer|member|student|patient|account|profile|owner|supplier|vendor|driver|worker/

function lowerLetters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
