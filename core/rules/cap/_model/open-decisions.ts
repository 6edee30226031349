import {
  doUsersWrite,
  exposedEntities,
  isAdministrative,
  PSEUDO_ROLES,
  toWords,
  type CapMember,
  type CapRoot,
  type CapService,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'

/** How far a row has come, in words. */
const STATE = /^(?:\w{1,30} )?(?:status|state|decision|approval)(?: code)?$/
/** What somebody else decides, and what a row is until then. */
const DECIDED = /^(?:approved|rejected|declined|denied|accepted|confirmed|completed|paid|granted|released)$/
/** Work that somebody does: that it is completed, whoever does it says. */
const WORK = /^(?:in progress|in work|started|running|ongoing|to ?do|on hold|doing)$/
const WAITING =
  /^(?:pending|open|new|draft|submitted|requested|waiting|in review|created|placed|ordered|in progress|under review|in approval|awaiting approval|pending approval)$/
/** Who is invited accepts. */
const GRANTED = /^(?:approved|granted)$/
const REFUSED = /^(?:rejected|declined|denied|refused)$/
const FOR_ADMINISTRATORS =
  /(?:^| )(?:admin|administration|administrator|back ?office|manager|management|approval|approver)(?: |$)/

/**
 * A listed state with a decision among its values, in a service for users, where a service of its own keeps the same rows for those who decide. That no handler looks at the
 * element is left to ask.
 */
export function isOpenDecision(root: CapRoot, { member, entity, service, source, isWritten }: ExposedMember): boolean {
  const { symbols } = member
  if (symbols === undefined || !isWritten || !STATE.test(toWords(member.name))) return false
  const words = symbols.map((name) => toWords(name).toLowerCase())
  if (!words.some((one) => DECIDED.test(one)) || !words.some((one) => WAITING.test(one))) return false
  if (words.some((one) => WORK.test(one)) && !words.some((one) => one !== 'completed' && DECIDED.test(one))) return false
  if (isForDeciders(service) || isCalledForDeciders(service) || !doUsersWrite(entity, service)) return false
  const all = [...exposedEntities(root)]
  root.step(all.length)
  return all.some(
    (other) => other.service !== service && other.isWritten && other.source.name === source.name && isForDeciders(other.service),
  )
}

/** By its roles, or by its name where these are of the project: all users may call one whose access says nothing of them, whatever it is called. */
function isForDeciders(service: CapService): boolean {
  const { access } = service
  if (access.kind !== 'roles' || access.roles.some((role) => PSEUDO_ROLES.has(role))) return false
  return access.roles.every(isAdministrative) || isCalledForDeciders(service)
}

function isCalledForDeciders({ name }: CapService): boolean {
  return FOR_ADMINISTRATORS.test(toWords(lastName(name)).toLowerCase())
}

/** A listed state that waits for somebody who grants or refuses it; whether a task is done, its owner says. */
export function awaitsDecision({ name, symbols }: CapMember): boolean {
  if (symbols === undefined || !STATE.test(toWords(name))) return false
  const words = symbols.map((symbol) => toWords(symbol).toLowerCase())
  return [GRANTED, REFUSED, WAITING].every((form) => words.some((word) => form.test(word)))
}
