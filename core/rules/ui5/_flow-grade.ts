import type { FlowHit } from '../../flow/index.ts'
import type { Confidence, GradeFacts, Match } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { doUsersFillRead, doUsersPost } from './_posted-rows.ts'
import { doUsersFill } from './_row-writers.ts'
import { isOfOwnFolder } from './_served-folders.ts'

/** At second hand: a property is set by code of the app, with whatever it shows; the storage, a file and the clipboard somebody else has to fill first. */
const SECOND_HAND: ReadonlySet<FlowHit['origin']> = new Set<FlowHit['origin']>(['property', 'storage', 'imported'])

/** Who may have chosen the value: whoever sends a link, whoever writes data of the backend, the user of the page alone, or code that sets a property, keeps or imports it. */
export type FlowVariant = 'stored' | 'own' | 'indirect' | 'unknown' | undefined

/** Of a value at second hand, where it is kept. */
export function secondHandOf({ origin }: FlowHit): 'property' | 'storage' | 'imported' {
  return origin === 'storage' || origin === 'imported' ? origin : 'property'
}

/** What a service tells of the user who asks. */
export function isOwnAnswer({ origin, marks }: FlowHit): boolean {
  return marks.has('own') && origin === 'backend'
}

/** What a service tells of a change that the page itself asks for: it has what the page sent, and nothing in the project shows that it has anything of others. */
export function isAnswered({ origin, marks }: FlowHit): boolean {
  return marks.has('answered') && origin === 'backend'
}

/** What the own service says of a request that it refused, whose address nobody but the code chooses. */
export function isOfRefused({ origin, marks }: FlowHit): boolean {
  return marks.has('refused') && origin === 'backend'
}

/** What a server on the machine of the user answers, or one in a developer's workspace: who fills that, the project doesn't tell. */
export function isOfMachine({ origin, marks }: FlowHit): boolean {
  return marks.has('of-machine') && origin === 'backend'
}

/** The same for rules that speak of stored data by default. */
export function storedVariantOf(hit: FlowHit): 'link' | Exclude<FlowVariant, 'stored'> {
  const variant = variantOf(hit)
  return variant === undefined ? 'link' : variant === 'stored' ? undefined : variant
}

export function variantOf({ origin }: FlowHit): FlowVariant {
  if (origin === 'backend') return 'stored'
  if (origin === 'input') return 'own'
  if (SECOND_HAND.has(origin)) return 'indirect'
  return origin === 'unknown' ? 'unknown' : undefined
}

/**
 * What every rule on flow in a browser says of a hit: who can choose the value. A link or a message can be sent to every user; data of the backend is written by
 * other users, whom the project tells where its own CAP services take the field from all of them; what only the same user sees, or a service tells of that user, is their own; keys are mostly drawn by programs; what answers a change of the page has what that sent; of a request that was refused a service has nothing of others; a deployed page that asks `localhost` asks the machine of its own user; users see the name of a file that they choose; and nothing is proven of what nothing in the project fills: properties of
 * a control of the app itself too, while those of a library are filled by other projects.
 */
export function gradeByOrigin(hit: FlowHit, project: Pick<Project, 'ui5Apps' | 'capRoots' | 'reach'>): Match {
  const { ui5Apps } = project
  const variant = variantOf(hit)
  const isOwnProperty =
    hit.origin === 'property' &&
    !ui5Apps.some(({ isLibrary, root }) => isLibrary && hit.at.file.startsWith(root === '' ? '' : `${root}/`))
  const isGuessed =
    isOwnProperty ||
    isAnswered(hit) ||
    isOfRefused(hit) ||
    isOfMachine(hit) ||
    hit.marks.has('file-name') ||
    (hit.marks.has('drawn') && hit.origin === 'backend')
  const isOwn = hit.marks.has('own') || isOfOwnFolder(hit, project)
  const reach = REACH_OF[isOwn ? 'own' : isGuessed ? 'unknown' : (variant ?? 'link')]
  const isTold = reach === REACH_OF.stored && doUsersFill(hit, project)
  return { at: hit.at, flow: hit.steps, confidence: confidenceOf(hit, variant), ...reach, ...(isTold && { evidence: 'shown' }) }
}

/** The same of markup: texts that users type into the app, or may write by a service of the project, and that the app shows to others, are a whole attack. */
export function gradeMarkup(hit: FlowHit, project: Pick<Project, 'ui5Apps' | 'capRoots' | 'scripts' | 'reach'>): Match {
  const grade = gradeByOrigin(hit, project)
  // nothing shows that what was tested under its name is the value that is read later
  if (hit.marks.has('tested')) return { ...grade, evidence: grade.evidence === 'guessed' ? 'guessed' : 'assumed' }
  return grade.evidence === 'assumed' && (doUsersPost(hit, project) || doUsersFillRead(hit, project))
    ? { ...grade, evidence: 'shown' }
    : grade
}

const REACH_OF: Readonly<Record<'link' | Exclude<FlowVariant, undefined>, GradeFacts>> = {
  link: { reach: 'anyone' },
  stored: { reach: 'user', evidence: 'assumed' },
  indirect: { reach: 'user', evidence: 'assumed' },
  own: { reach: 'self' },
  unknown: { reach: 'user', evidence: 'guessed' },
}

function confidenceOf({ weak }: FlowHit, variant: FlowVariant): Confidence {
  if (variant === 'unknown') return 'low'
  return weak || variant !== undefined ? 'medium' : 'high'
}
