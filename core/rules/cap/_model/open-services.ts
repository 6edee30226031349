import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import {
  authStrategyOf,
  createAnswers,
  type Answers,
  effectiveConfiguration,
  isForDevelopment,
  isOrdinary,
  openElements,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { Application } from '../../../model/deployment/index.ts'
import type { NpmProject } from '../../../model/npm/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match } from '../../../types.ts'
import { rolesAmong } from './entity-rights.ts'

/** What a match says of the elements of a service that nothing restricts; the impact is `data`. */
export type OpenGrade = Pick<Match, 'exposure' | 'reach' | 'evidence' | 'circumstance' | 'impact'>

/** What grades of the services of one root ask. */
export interface OpenRoot {
  readonly root: CapRoot
  readonly reach: ReachModel
  readonly answers: Answers
}

/**
 * Nobody without a login has a right to write, or to see what the model calls personal. Whether other data is public is not in the project, nor whether all users
 * who log in may write what no role protects; what they read they mostly may see.
 */
export function gradeOpen(service: CapService, open: readonly CapElement[], { root, reach, answers }: OpenRoot): OpenGrade {
  const exposure = reach.ofService(service)
  // what is left of it is meant for everybody
  if (answers.isForm(service)) return { exposure, impact: 'bounded' }
  const isWritten = open.some(({ writable }) => writable)
  // declared by its author: the data may be meant for everybody, but not that everybody changes it
  if (service.access.kind === 'public') {
    if (open.some(({ kind, writable }) => kind === 'entity' && writable)) return { exposure, evidence: 'shown' }
    return { exposure, evidence: 'assumed', ...(!isWritten && { circumstance: 'visible' as const }) }
  }
  if (service.access.kind === 'default-public' && exposure.reach === 'anyone') {
    if (!isWritten && isPublished(open, root)) return { exposure, circumstance: 'visible' }
    return isWritten || open.some(isPersonal) ? { exposure } : { exposure, evidence: 'assumed' }
  }
  return { exposure, ...gradeForUsers(service, open) }
}

/** The same where some login stands in front of it, or may do so. */
export function gradeForUsers({ access }: CapService, open: readonly CapElement[]): Omit<OpenGrade, 'exposure'> {
  const isUnsure = access.kind !== 'default-authenticated' && access.kind !== 'authenticated' && access.kind !== 'roles'
  return {
    ...(isUnsure && { reach: 'user' as const }),
    ...(open.some(({ writable }) => writable) ? { evidence: 'assumed' as const } : { circumstance: 'visible' as const }),
  }
}

/** Of several services that one setting opens, what the worst of them says. */
export function gradeOpened(services: readonly CapService[], root: CapRoot, reach: ReachModel): OpenGrade {
  const answers = createAnswers(root)
  const grades = services.map((service) =>
    gradeOpen(service, answers.of(service, openElements(service)), { root, reach, answers }),
  )
  const rank = ({ exposure, evidence, impact }: OpenGrade): number =>
    (impact === undefined ? 0 : 4) + (exposure?.isDemo === true ? 2 : 0) + (evidence === undefined ? 0 : 1)
  return grades.toSorted((one, other) => rank(one) - rank(other))[0] ?? {}
}

/** Users for development in every profile: that authentication is missing is then a finding of its own (`told`: those with passwords of the configuration are no such finding). */
export function hasMockedUsers(root: CapRoot, told?: 'told'): boolean {
  if (root.runtime === 'java') return false
  const { kind, custom } = authStrategyOf(effectiveConfiguration(root, ['production']))
  return !custom && kind !== undefined && isForDevelopment(kind) && (told === undefined || kind !== 'basic')
}

/**
 * Other parts of the project are deployed; nothing shows that this one is. A project without any descriptor is the application itself, and so is its own root where it
 * depends on what only a deployed application needs: its descriptor is written when it is deployed.
 */
export function isLeftOut(
  { deployed, root }: CapRoot,
  { deployment, npm }: { readonly deployment: { readonly applications: readonly Application[] }; readonly npm: NpmProject },
): boolean {
  if (deployed || deployment.applications.length === 0) return false
  const dependencies = root === '' ? (npm.byFolder.get('')?.dependencies ?? []) : []
  return !dependencies.some(({ name, member }) => member === 'dependencies' && OF_PLATFORM.test(name))
}

/** Verifies tokens of the platform, or speaks to its database. */
const OF_PLATFORM = /^(?:@sap\/xssec|@sap\/hana-client|@cap-js\/hana|hdb)$/

/** `const { user } = req`: what stands on both sides of the name. */
const TAKEN_BEFORE = /[{,]\s{0,20}$/
const TAKEN_BEHIND = /^\s{0,20}[,}:=]/
const NAME = 'user'
const MOST_AROUND = 21

/** `req.user`, `const { user } = req`: in code that a server runs, whatever is done with it. Asked where the word stands: to seek the signs before it in all of a text takes ten times as long. */
function readsUser(text: string, place: number): boolean {
  const end = place + NAME.length
  if (!text.startsWith(NAME, place)) return false
  if (text[place - 1] === '.') return !/^\w/.test(text.slice(end, end + 1))
  return (
    TAKEN_BEFORE.test(text.slice(Math.max(0, place - MOST_AROUND), place)) &&
    TAKEN_BEHIND.test(text.slice(end, end + MOST_AROUND))
  )
}

/** One item for each script that reads the user of a request. */
export const userReads: Extract<true> = defineExtract({
  name: 'cap-user-reads',
  keywords: [NAME],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text, hits) {
    for (const place of hits.places(text, [NAME]))
      if (readsUser(text, place)) {
        yield true
        return
      }
  },
})

/** Who else may get at the rows that a service lets all users change. */
export interface KeptRows {
  /** An entity of another service, by its whole name. */
  readonly entity: string
  readonly roles: readonly string[]
}

/** The same rows need a role in another service, one that by its name not all users have: so not everybody was meant to change them here. */
export function keptElsewhere(service: CapService, open: readonly CapElement[], root: CapRoot): KeptRows | undefined {
  const changed = new Set(
    open.flatMap(({ kind, writable, source }) => (kind === 'entity' && writable ? (source?.name ?? []) : [])),
  )
  if (changed.size === 0) return undefined
  for (const other of servedServices(root)) {
    if (other === service || other.access.kind !== 'roles') continue
    root.step(other.elements.length)
    const same = other.elements.find(({ kind, source }) => kind === 'entity' && source !== undefined && changed.has(source.name))
    const roles = rolesAmong(other.access.roles).filter((role) => !isOrdinary(role))
    if (same !== undefined && roles.length > 0) return { entity: `${other.name}.${same.name}`, roles }
  }
  return undefined
}

/** Another service, which its author declared public, shows the same. */
function isPublished(open: readonly CapElement[], root: CapRoot): boolean {
  const shown = new Set(
    servedServices(root).flatMap((other) =>
      other.access.kind === 'public' ? openElements(other).flatMap(({ source }) => source?.name ?? []) : [],
    ),
  )
  return open.every(({ source }) => source !== undefined && shown.has(source.name))
}

/** As the model says; names are a guess. */
function isPersonal(element: CapElement): boolean {
  return [element, ...element.members()].some(({ annotations }) =>
    [...annotations.keys()].some((name) => name.startsWith('PersonalData.')),
  )
}
