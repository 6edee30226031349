import type { StepCounter } from '../../budget.ts'
import { quoteWord } from '../../quote.ts'
import type { FlowStep, Place } from '../../types.ts'
import { append } from '../../lists.ts'
import type { LinkedFile } from '../app/links.ts'
import type { FlowPlace } from './fact-paths.ts'
import { addressOf, createMountFinder, mountsOn } from './mounts.ts'
import { placeOf, shownOf, tellPath } from './path-steps.ts'
import { isTestedBefore } from './tested-before.ts'
import type { Arrival } from './arrivals.ts'
import type { Label } from './labels.ts'
import { uncheckedRoutes, type OwnerProof } from '../frameworks/unchecked-routes.ts'
import { OF_ROLES } from '../field-marks.ts'
import { MODEL_WRITTEN } from '../tables/language-models.ts'
import { AS_JSON, DRAWN } from '../tables/part-names.ts'
import { RAW_ADDRESS } from '../tables/requests.ts'
import { ENCODED_ADDRESS, IN_HANDLER, OPEN_QUOTES, KEYED, OWN, OWN_NAMES, PREFIXED, WORDED } from '../tables/web.ts'
import { ANSWERED, FILE_NAME, OF_MACHINE, REFUSED, RETURNED } from '../tables/own-changes.ts'
import { effectsOf, type SinkEffect } from '../models/effects.ts'
import type { AnsweringFunction, FlowSink, Origin, SinkDetail } from '../types.ts'
import { isAround } from '../../facts/span-index.ts'

/** Data of others at a place where it must not arrive as it is. */
export interface FlowHit {
  /** The id of the rule that reports it. */
  readonly fault: string
  readonly at: Place
  /** What receives it, as a developer calls it: `fs.readFile`. */
  readonly sink: string
  readonly detail: SinkDetail | undefined
  /** What it came in by: the request of a service (`cap-request`) or of a route (`http-request`). */
  readonly entry: Origin
  /** Who may have chosen it. */
  readonly origin: Origin
  /** What is chosen by the client, as it is written: `req.data.name`. */
  readonly part: string
  /** The same within a sentence, and the sink: a name that could be read as a word of it stands in quotes. */
  readonly quotedPart: string
  readonly quotedSink: string
  /** The CDS model says that it is text, of which it names no fields. */
  readonly isFreeText: boolean
  /** Its origin is known by a name alone. */
  readonly weak: boolean
  /** What receives it is known by its name alone. */
  readonly isGuess: boolean
  /** What receives it, and what that does. */
  readonly api: HitApi
  /** It became a part of a longer text. */
  readonly concatenated: boolean
  /** It came in by a route that asks nobody who calls. */
  readonly isOpen: boolean
  readonly marks: ReadonlySet<HitMark>
  /** Where the call ends of which several values are sinks: calls of one chain begin at one place. */
  readonly call: number | undefined
  readonly steps: readonly FlowStep[]
  /** The same by other callers of the functions on the way, one for each place where the data come in: who reaches it easiest, the model of reach knows. */
  others?(): Iterable<FlowHit>
  /** Of a route: another one of its file, and what that checks. */
  readonly compared?: { readonly route: string; readonly check: string; readonly owner?: OwnerProof }
}

/**
 * What is known of the value beside its origin: the part of the text is named as a key of a record is (`key`), as one that programs draw (`drawn`); the page knows it of its own user
 * alone (`own`); it is what an answer says of what the page itself has changed (`answered`), or of a request that its own service refused (`refused`), or of one that it sends to the machine of its user alone (`of-machine`); it is the name of a file that the user chose (`file-name`); all users of the project may write the row that it was stored in (`of-users`); whoever calls the method with the sink has tested what has the same name before (`tested`); it stands in the code of an event attribute of markup (`handler`), or in the value of one with its quotes as they are (`quotes`); it begins an address in markup, encoded but with any scheme (`encoded-address`); an exception became a text with its own properties alone (`own-names`); it became JSON (`json`); a language model wrote the text, from a prompt with it (`model-written`); it is the address of a request, nothing of it decoded (`sent-address`).
 */
export type HitMark =
  | 'key'
  | 'drawn'
  | 'own'
  | 'answered'
  | 'refused'
  | 'of-machine'
  | 'file-name'
  | 'of-users'
  | 'tested'
  | 'handler'
  | 'quotes'
  | 'encoded-address'
  | 'own-names'
  | 'json'
  | 'model-written'
  | 'sent-address'

const MARKS: readonly (readonly [mark: string, name: HitMark])[] = [
  [KEYED, 'key'],
  [DRAWN, 'drawn'],
  [OWN, 'own'],
  [ANSWERED, 'answered'],
  [RETURNED, 'answered'],
  [REFUSED, 'refused'],
  [OF_MACHINE, 'of-machine'],
  [FILE_NAME, 'file-name'],
  [IN_HANDLER, 'handler'],
  [OPEN_QUOTES, 'quotes'],
  [ENCODED_ADDRESS, 'encoded-address'],
  [OWN_NAMES, 'own-names'],
  [AS_JSON, 'json'],
  [MODEL_WRITTEN, 'model-written'],
  [RAW_ADDRESS, 'sent-address'],
]

/** What receives a value, by its name: `Link` and `href` of `Link.href`, `a` and `href` of `<a href>`; a name without a dot is both. */
export interface HitApi {
  readonly owner: string
  readonly method: string
  readonly effects: ReadonlySet<SinkEffect>
  /** What it is about, by itself: the entity of a query, the path of a route. */
  readonly subject: string | undefined
  /** Of a route that asks nobody: the functions that answer it, and those of the other routes that it stands for. */
  readonly answeredBy?: readonly Place[]
  /** The route itself, where the hit stands for a router that is mounted: the gravest of its routes. */
  readonly route?: OpenRoute
}

/** A route that asks nobody, as a client calls it. */
export interface OpenRoute {
  readonly method: string
  /** With the paths that its routers are mounted at. */
  readonly address: string
  /** How many more routes of the router are open. */
  readonly others: number
  /** Others that the file registers ask who calls. */
  readonly isBesideAsking: boolean
}

/**
 * What reached sinks as a reader sees it, one by one. Of the routes of a router that another file mounts, the mount is the fault. Throws a StopSignal where the
 * steps are used up; what was told before stays.
 */
export function* toHits(
  arrivals: readonly Arrival[],
  files: readonly LinkedFile[],
  step: StepCounter['step'],
): Iterable<FlowHit> {
  const mounts = new Map<string, FlowHit>()
  const answeringBelow = new Map<string, Place[]>()
  const routesBelow = new Map<string, number>()
  const faultOf = createMountFinder(arrivals, files, step)
  const answering = arrivals.flatMap(({ sink }) => sink.answeredBy ?? [])
  const asksIn = createAskingReader(files, step)
  for (const arrival of arrivals) {
    step(answering.length)
    const path = arrival.path()
    const own = toHit(arrival, files, path, answering, step)
    const hit = arrival.sink.of === 'open-app' ? withRoute(own, arrival, path, files, asksIn(arrival.file), step) : own
    const mount = arrival.sink.detail === 'entrance' ? undefined : faultOf(arrival.file, path)
    if (mount === undefined) yield { ...hit, others: () => otherHits(arrival, files, answering, step) }
    else {
      const key = `${mount.file} ${mount.node}`
      const before = mounts.get(key)
      for (const place of hit.api.answeredBy ?? []) append(answeringBelow, key, place)
      routesBelow.set(key, (routesBelow.get(key) ?? 0) + 1)
      if (before !== undefined && gravityOf(before) >= gravityOf(hit)) continue
      const subject = shownOf(mount, files) ?? '/'
      const route = hit.api.route && { ...hit.api.route, isBesideAsking: asksIn(mount.file) }
      const api = { ...hit.api, method: 'ANY', subject, ...(route !== undefined && { route }) }
      mounts.set(key, { ...hit, at: placeOf(mount, files), sink: `ANY ${subject}`, api })
    }
  }
  for (const [key, { api, ...hit }] of mounts) {
    const route = api.route && { ...api.route, others: (routesBelow.get(key) ?? 1) - 1 }
    yield { ...hit, api: { ...api, answeredBy: answeringBelow.get(key) ?? [], ...(route !== undefined && { route }) } }
  }
}

function withRoute(
  { api, ...hit }: FlowHit,
  { file }: Arrival,
  path: readonly FlowPlace[],
  files: readonly LinkedFile[],
  isBesideAsking: boolean,
  step: StepCounter['step'],
): FlowHit {
  const address = addressOf(api.subject ?? '', mountsOn(file, path, files, step), files)
  return { ...hit, api: { ...api, route: { method: api.method, address, others: 0, isBesideAsking } } }
}

/** Tells whether a route or a mount of a file asks who calls, by what it is registered with; each file is looked at once. */
function createAskingReader(files: readonly LinkedFile[], step: StepCounter['step']): (file: number) => boolean {
  const known = new Map<number, boolean>()
  return (file) => {
    const before = known.get(file)
    if (before !== undefined) return before
    const routes = files[file]?.flow.server?.routes ?? []
    step(routes.length)
    const asks = routes.some((one) => one.asks === true)
    known.set(file, asks)
    return asks
  }
}

function* otherHits(
  arrival: Arrival,
  files: readonly LinkedFile[],
  answering: readonly AnsweringFunction[],
  step: StepCounter['step'],
): Iterable<FlowHit> {
  for (const { path, ...other } of arrival.others?.() ?? []) yield toHit({ ...arrival, ...other }, files, path(), answering, step)
}

/** Of the routes of one router the gravest stands for all. */
function gravityOf({ detail }: FlowHit): number {
  return [
    'harmless',
    'internals',
    'verdict',
    'counts',
    'forwards',
    undefined,
    'reads',
    'backend',
    'changes',
    'token',
    'database',
    'environment',
  ].indexOf(detail)
}

/** Routes that check less than others of their file. */
export function* toRouteHits(files: readonly LinkedFile[], step: StepCounter['step']): Iterable<FlowHit> {
  for (const { arrival, key, other, check, owner } of uncheckedRoutes(files, step)) {
    const compared = { route: other, check, ...(owner !== undefined && { owner }) }
    yield { ...toHit(arrival, files), part: key, quotedPart: quoteWord(key), compared }
  }
}

/** What reached a sink as a reader sees it. */
export function toHit(
  arrival: Arrival,
  files: readonly LinkedFile[],
  path: readonly FlowPlace[] = arrival.path(),
  answering: readonly AnsweringFunction[] = [],
  step: StepCounter['step'] = () => undefined,
): FlowHit {
  const { file, sink, label, entry } = arrival
  const at = { file: files[file]?.path ?? '', span: { start: sink.start, end: sink.end } }
  const { source, part, steps } = tellPath(path, { origin: label.origin, sink: sink.name, at }, files, step)
  const begin = entry === 'http-request' ? source : entry === 'upload' ? path[0] : undefined
  return {
    fault: arrival.fault ?? sink.fault,
    at: arrival.at === undefined ? at : { file: files[arrival.at.file]?.path ?? '', span: arrival.at.span },
    sink: sink.name,
    detail: sink.detail === 'begin' && [PREFIXED, WORDED].some((mark) => label.cleaned.includes(mark)) ? 'later' : sink.detail,
    entry,
    origin: label.origin,
    part,
    quotedPart: quoteWord(part),
    quotedSink: quoteWord(sink.name),
    isFreeText: label.type?.isText === true && label.type.fields === undefined,
    weak: label.weak,
    isGuess: sink.isGuess === true,
    api: apiOf(arrival.fault ?? sink.fault, sink, files),
    concatenated: label.concatenated,
    isOpen: begin !== undefined && isWithin(begin, answering, files),
    marks: marksOf(label, path[0], files, isTestedBefore(path, { file, sink }, files, step)),
    call: sink.call,
    steps,
  }
}

function marksOf(
  { origin, cleaned }: Label,
  first: FlowPlace | undefined,
  files: readonly LinkedFile[],
  isTested: boolean,
): ReadonlySet<HitMark> {
  const marks = new Set(MARKS.flatMap(([mark, name]) => (cleaned.includes(mark) ? [name] : [])))
  const sources = (origin === 'stored' && first && files[first.file]?.flow.sources) || []
  const isOfRow = !cleaned.includes(OF_ROLES)
  if (isOfRow && sources.some(({ node, isOfUsers }) => node === first?.node && isOfUsers === true)) marks.add('of-users')
  if (isTested) marks.add('tested')
  return marks
}

function isWithin(
  { file, node }: Pick<FlowPlace, 'file' | 'node'>,
  functions: readonly AnsweringFunction[],
  files: readonly LinkedFile[],
): boolean {
  const flow = files[file]?.flow
  const usedBy = flow?.sources.find((source) => source.node === node && source.usedBy !== undefined)?.usedBy ?? []
  const places = [flow?.nodes[node * 2] ?? -1, ...usedBy.map(({ start }) => start)]
  return functions.some((one) => one.file === file && places.some((at) => isAround(one, at)))
}

function apiOf(fault: string, { name, api = {}, answeredBy }: FlowSink, files: readonly LinkedFile[]): HitApi {
  const [, tag, attribute] = /^<(\S{1,80}) (\S{1,80})>$/.exec(name) ?? []
  // as it is written, but for a route, whose name is its method and path
  const called = api.subject === undefined ? name : (api.name ?? name)
  const dot = called.lastIndexOf('.')
  const known = api.name === undefined ? [] : effectsOf(fault, api.name)
  const effects = known.length > 0 ? known : effectsOf(fault, name)
  return {
    owner: tag ?? (dot < 0 ? called : called.slice(0, dot)),
    method: attribute ?? called.slice(dot + 1),
    effects: new Set([...effects, ...(api.effects ?? [])]),
    subject: api.subject,
    ...(answeredBy !== undefined && {
      answeredBy: answeredBy.map(({ file, start, end }) => ({ file: files[file]?.path ?? '', span: { start, end } })),
    }),
  }
}
