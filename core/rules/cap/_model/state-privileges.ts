import {
  conditionOf,
  elementPaths,
  entityWords,
  grantsEvent,
  isAdministrative,
  isOrdinary,
  privilegesOf,
  PSEUDO_ROLES,
  toWords,
  type CapElement,
  type CapMember,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Exposure } from '../../../types.ts'

/** Roles that change rows in one state of an element alone, and may not call the action that decides it. */
export interface StagedWriters {
  readonly roles: readonly string[]
}

/**
 * Whether `@restrict` itself says that the element is a state: a privilege to change rows has a condition on it, and those who have this privilege may not call the action.
 * Facts: capire, "Authorization": the condition is about the stored row, not about what the request sends; a bound action needs a privilege of its entity that names it, or has its own.
 */
export function stagedWriters({ entity, member }: ExposedMember, action: CapElement | undefined): StagedWriters | undefined {
  if (action?.entity !== entity.name || action.annotations.has('restrict') || action.annotations.has('requires')) return undefined
  const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
  const name = lastName(action.name)
  const calling = new Set(privileges.flatMap((one) => (grantsEvent(one, name) ? (one.to ?? ['any']) : [])))
  const changing = privileges.filter((one) => grantsEvent(one, 'UPDATE'))
  const staged = changing.filter(({ where }) => {
    const condition = where && conditionOf(where)
    return (
      typeof condition === 'object' &&
      elementPaths(condition).some(({ path }) => path === member.name || path.startsWith(`${member.name}_`))
    )
  })
  const roles = [...new Set(staged.flatMap(({ to }) => to ?? []))].filter((role) => !isAdministrative(role))
  return calling.has('any') || roles.length === 0 || roles.some((role) => calling.has(role)) ? undefined : { roles }
}

/** A handler that asks for roles lets in those whom the model names, and so all who have the role of all. */
export function exposureOfStaged(exposure: Exposure, { roles }: StagedWriters): Exposure {
  return exposure.reach === 'privileged' && roles.some(isOrdinary) ? { ...exposure, reach: 'user' } : exposure
}

/**
 * What somebody says of a decision decides nothing. A reason may: an item is rejected by its reason, and blocked by one; a note may be a document (credit, delivery, promissory
 * note), and a short text or one of listed values is a code. Fact: SAP S/4HANA, reasons for rejection and for a block of items of orders are codes of 2 to 4 characters.
 */
export function isRemark({ name, type, length = Infinity, isEnum, annotations }: CapMember): boolean {
  return (
    /^(?:Large)?String$/.test(type ?? '') &&
    length > LONGEST_CODE &&
    !isEnum &&
    !annotations.has('assert.range') &&
    REMARK.test(toWords(name))
  )
}

const LONGEST_CODE = 10
const REMARK =
  /(?:^| )(?:comments?|remarks?|justification|explanation|feedback)(?: texts?)?$|^(?:(?:approval|approver|decision|inspection|inspector|internal|manager|review|reviewer) )?notes?(?: texts?)?$/

/** How far the processing of a document has come, by the element or by the action that sets it: whoever says so decides nothing. A virus scan does. */
export function isProgress({ entity, member }: ExposedMember, action = ''): boolean {
  const words = toWords(member.name)
  return (
    PROCESSES.test(toWords(lastName(action))) ||
    (!DECIDES.test(lastName(action)) &&
      (PROGRESS.test(words) || (words === 'processing status' && DOCUMENTS.test(entityWords(entity.name)))))
  )
}

const PROGRESS =
  /^(?:pars(?:e|ing)|upload|index(?:ing|ation)?|embeddings?|vectori[sz]ation|ingestion|chunking|extraction|ocr|transcription|sync(?:hroni[sz]ation)?) (?:status|state|stage|phase)(?: code)?$/
const DOCUMENTS = /(?:^| )(?:documents?|files?|uploads?|attachments?|chunks?)$/
const PROCESSES =
  /^(?:(?:start|run|trigger|retry|restart|finish) )?(?:re ?)?(?:parse|parsing|index|indexing|embed|embedding|vectori[sz](?:e|ing)|ingest|ingestion|chunk|chunking|transcribe|sync|synchroni[sz]e)(?: |$)/

/** Actions that decide about a row. */
const DECIDES = /^(?:approve|reject|accept|decline|release|deny|grant|certify|authori[sz]e)/i

/**
 * Somebody who writes the entity may not call the action that decides about its rows: whatever trust the name of the role speaks of, the model leaves the decision to others.
 * Facts: capire, "Authorization": a bound action needs a privilege of its entity that names it, or has a restriction of its own. `isState`: the action sets what rows are refused for.
 */
export function isLeftToOthers(
  { entity }: ExposedMember,
  action: CapElement | undefined,
  writers: readonly string[],
  isState = false,
): boolean {
  if (action?.entity !== entity.name || !entity.annotations.has('restrict')) return false
  if (!isState && !DECIDES.test(lastName(action.name))) return false
  const isOwn = action.annotations.has('restrict') || action.annotations.has('requires')
  const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
  const name = lastName(action.name)
  const granted = privileges.flatMap((one) => (grantsEvent(one, name) ? (one.to ?? ['any']) : []))
  const calling = new Set(isOwn ? action.access?.roles : granted)
  if (calling.size === 0 || [...calling].some((role) => PSEUDO_ROLES.has(role))) return false
  // who maintains or operates something is no administrator
  return writers.some(
    (role) => !calling.has(role) && (!isAdministrative(role) || /^\w{0,20}(?:maintainer|operator)s?$/i.test(role)),
  )
}
