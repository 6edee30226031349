import { declaredRoles, isGivenWithout } from '../../../model/authorization/index.ts'
import {
  accepts,
  eventsCheckedInCode,
  isAdministrative,
  privilegesOf,
  servedServices,
  toWords,
  uncheckedInCode,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import { isWholeStory, rolesOfUsers } from '../_callers/scopes.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'
import { oncePer } from '../../../once.ts'
import { lastName } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'
import { EVENTS, isCodeList, isReadOnlyBySource, writeRights } from './entity-rights.ts'

/** An entity that users write with a role for reading. */
export interface ReaderWrites {
  readonly service: CapService
  readonly element: CapElement
  /** What they send, and no handler asks who does. */
  readonly events: readonly WriteEvent[]
  readonly readers: readonly string[]
  /** The roles for writing that the project has beside these. */
  readonly writers: readonly string[]
  /** Descriptors give the role for reading without the one for writing. */
  readonly isShown: boolean
}

/** A role is for reading by its last or first word: `OrderRead`, `Order.Display`, `ViewOrders`. */
const READS: ReadonlySet<string> = new Set('read reader readonly display displayer view viewer'.split(' '))
/** Likewise for writing. */
const WRITES: ReadonlySet<string> = new Set(
  'write writer edit editor change changer create creator update updater modify maintain maintainer manage manager admin administrator contributor'.split(
    ' ',
  ),
)

/** What a role is about, by its name, if its last or first word is one of these. A bare `Reader` or `Viewer` is not: readers of a library borrow and review. */
function stemOf(role: string, verbs: ReadonlySet<string>): string | undefined {
  const words = toWords(role.replaceAll(/[.:_-]/g, ' '))
    .split(' ')
    .filter(Boolean)
  if (words.length < 2) return undefined
  if (verbs.has(words.at(-1) ?? '')) return words.slice(0, -1).join(' ')
  return verbs.has(words[0] ?? '') ? words.slice(1).join(' ') : undefined
}

/**
 * Entities that a role for reading may write, because the annotation that lets it in is for all events, in a project with a role for writing of the same name.
 * Facts: capire, "Authorization": `@requires` of an entity, or `grant: '*'`, is for reading and writing alike. Needs the extracts `entityHandlers` and `roleChecks`.
 */
export function readerWrites(root: CapRoot, project: Pick<Project, 'once'>): readonly ReaderWrites[] {
  return project.once(createWriteReader)(root)
}

function createWriteReader(project: Project): (root: CapRoot) => readonly ReaderWrites[] {
  return oncePer((root) => [...findReaderWrites(root, project)])
}

function* findReaderWrites(root: CapRoot, project: Pick<Project, 'securityOf'>): Generator<ReaderWrites> {
  if (root.test) return
  let known: ReadingRoles | undefined
  for (const service of servedServices(root))
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity' || (element.access ?? service.access).kind !== 'roles') continue
      const accepted = EVENTS.filter((event) => accepts(element, event))
      const roles = accepted.length === 0 ? [] : lumpedRoles(service, element)
      if (!roles.some((role) => stemOf(role, READS) !== undefined) || isKept(service, element)) continue
      known ??= createReadingRoles(root, project)
      const found = roles.flatMap((role) => known?.(role) ?? [])
      if (found.length === 0 || isCodeList(element) || areAllChecked(root, service, element)) continue
      const handlers = handlersFor(root, service, element)
      const events = unaskedOf(
        accepted,
        handlers.filter(({ writes }) => writes),
      )
      if (events.length === 0 || isReadOnlyBySource(element, root, handlers)) continue
      yield {
        service,
        element,
        events,
        readers: found.map(({ role }) => role),
        writers: [...new Set(found.flatMap(({ writers }) => writers))],
        isShown: found.some(({ isGiven }) => isGiven),
      }
    }
}

/** The roles that one annotation lets in for all that can be done with all rows. A grant that names events, or has a condition, says that somebody thought of it. */
function lumpedRoles(service: CapService, element: CapElement): readonly string[] {
  const restrict = element.annotations.get('restrict')
  if (restrict === undefined) return writersOf(element, service)
  return privilegesOf(restrict.value).flatMap(({ grants, to, where }) =>
    grants.includes('*') && where === undefined ? (to ?? writersOf(element, service)) : [],
  )
}

/** The entities among these that nobody else may write but administrators: what one of their elements decides is a part of it. */
export function writtenByReadersAlone(root: CapRoot, project: Pick<Project, 'once'>): ReadonlySet<CapElement> {
  const found = readerWrites(root, project).filter(
    ({ element, service, events, readers }) =>
      events.includes('UPDATE') && writersOf(element, service).every((role) => readers.includes(role) || isAdministrative(role)),
  )
  return new Set(found.map(({ element }) => element))
}

/** Code asks for a role whatever is sent; what it asks for single events the handlers tell. */
function areAllChecked(root: CapRoot, service: CapService, element: CapElement): boolean {
  const isForSome = eventsCheckedInCode(root, service, element) !== undefined
  return !isForSome && uncheckedInCode(root, service, [element], 'change').length === 0
}

/** Nobody writes it, or the service lets only others in. */
function isKept({ access }: CapService, element: CapElement): boolean {
  if (writeRights(element).by === 'nobody') return true
  return (
    element.access !== undefined && access.kind === 'roles' && !access.roles.some((role) => stemOf(role, READS) !== undefined)
  )
}

interface ReadingRole {
  readonly role: string
  readonly writers: readonly string[]
  readonly isGiven: boolean
}

type ReadingRoles = (role: string) => ReadingRole | undefined

/** Roles for reading beside which the project has one for writing, and that somebody has alone. */
function createReadingRoles(root: CapRoot, project: Pick<Project, 'securityOf'>): ReadingRoles {
  const roles = rolesOfUsers(root, project)
  const instances = project.securityOf(root).filter(({ service }) => service === 'xsuaa')
  const declared = declaredRoles(instances)
  const administrators = roles.filter((role) => isAdministrative(role))
  return (role) => {
    const stem = stemOf(role, READS)
    const writers = stem === undefined ? [] : roles.filter((one) => stemOf(one, WRITES) === stem)
    if (writers.length === 0) return undefined
    const isDeclared = declared.scopes.has(role) || declared.scopes.has(lastName(role))
    const isAlone = isGivenWithout(role, [...writers, ...administrators], instances)
    // whoever reads writes as well, by each template
    if (isDeclared && !isAlone) return undefined
    return { role, writers, isGiven: isDeclared && isAlone && isWholeStory(instances) }
  }
}
