import type { StepCounter } from '../../budget.ts'
import type { Arrival } from '../solve/arrivals.ts'
import { createLinker, type LinkedFile, type LinkedFunction, type Linker } from '../app/links.ts'
import { targetFunctions, functionsOfWrapped } from '../app/wrapped-functions.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import { isPublicRoute, SELF_APPROVED, UNCHECKED_ROUTE } from '../tables/routes.ts'
import type { Span } from '../../types.ts'
import type { FlowRoute, RouteRights, RouteRow, RouteTarget } from '../types.ts'
import { approvedRow, noteMakers, type KnownMakers } from './approval-routes.ts'
import { isCatalogueName, namesPersons } from '../models/public-data.ts'
import { noteParties, partyRow, type KnownParties } from './party-rows.ts'

/** A route that changes a row of the client's choice and checks no more than a login, although another one of its file does. */
export interface UncheckedRoute {
  readonly arrival: Arrival
  /** What the client names the row by. */
  readonly key: string
  /** The other route, and what it checks. */
  readonly other: string
  readonly check: string
  /** `check` is a table of which the other route gives users their own rows alone, or keeps who made them. */
  readonly owner?: OwnerProof
}

/** How the other route treats the rows, what this one does with them, and the role of those whom it lets pass. */
export interface OwnerProof {
  /** `listed`: all rows for everybody with a login; `related`: the model has to tell whose the rows are; `named`: the path names the user; `party`: a column refers to the party that `role` stands for; `approved`: users with `role` approve rows, also those that they have made. */
  readonly own: 'asked' | 'compared' | 'written' | 'listed' | 'related' | 'named' | 'party' | 'approved'
  readonly isChanged: boolean
  readonly isTaken?: true
  readonly isAdded?: true
  /** Another route gives all users rows of others, or they may be offers to all: that they are their users' own is not sure. */
  readonly isListed?: true
  readonly role?: string
  /** The one role that both routes refuse: the same users get their own rows there and change any here. */
  readonly refused?: string
}

export interface JudgedRoute {
  readonly route: FlowRoute
  readonly check: string | undefined
  readonly looksAtCaller: boolean
  readonly namesCaller: boolean
  readonly logsIn: boolean
  readonly admits: string | undefined
  readonly refuses: string | undefined
  readonly asksRoleAlone: boolean
  /** The handler, or what runs before it beside the check and the login, may look at who calls. */
  readonly asksFurther: boolean
  readonly comparesNobody: boolean
  /** What runs before it may look at the row, or at who calls. */
  readonly frontsAsk: boolean
  /** The handler itself looks at more than a login. */
  readonly asksInside: boolean
  readonly key: string | undefined
  /** With the file whose function asks for them. */
  readonly rows: readonly (RouteRow & { readonly file: number })[]
}

/** Routers that are mounted one below the other. */
const MAX_MOUNTS = 5

/** Compares the routes that each file registers, with what their handlers and what runs before them do, in whatever file that is. */
export function* uncheckedRoutes(files: readonly LinkedFile[], step: StepCounter['step']): Iterable<UncheckedRoute> {
  if (files.every(({ flow }) => (flow.server?.routes ?? []).length === 0)) return
  const linker = createLinker(files)
  const mounts = mountsOf(files, linker)
  const covered = mountedBehind(mounts, step, ({ check }) => check !== undefined)
  const entered = mountedBehind(mounts, step, ({ logsIn }) => logsIn)
  const owned: KnownTables = { owners: new Map(), sameRole: new Map(), listed: new Set() }
  const makers: KnownMakers = new Map()
  const parties: KnownParties = { columns: new Map(), roles: new Map() }
  // one function may answer several routes
  const seen = new Set<string>()
  const all = files.map(({ flow, copy }, file) => {
    const routes = copy === undefined ? (flow.server?.routes ?? []).filter(isCompared) : []
    const judged = routes.map((route) => judgedRoute(file, route, files, linker))
    for (const one of judged) {
      noteTables(one, owned)
      noteParties(one, parties)
      if (!covered.has(file)) noteMakers(one, makers)
    }
    return judged
  })
  for (const [file, judged] of all.entries()) {
    if (judged.length === 0 || covered.has(file)) continue
    step(judged.length)
    const checked = judged.find(({ check }) => check !== undefined)
    const told = new Set<FlowRoute>()
    for (const one of judged) {
      const { route } = one
      const isEntered = one.logsIn || entered.has(file)
      const found =
        ownedRow(one, owned) ??
        partyRow(one, parties, isEntered && checked !== undefined) ??
        approvedRow(one, makers) ??
        (isEntered ? (personRow(one) ?? listedRow(one, owned)) : undefined)
      // beside a route with a check the check says more than the model
      if (found === undefined || (found.owner.own === 'related' && checked !== undefined)) continue
      const { row, key, other, owner } = found
      told.add(route)
      const place = `${row.file} ${row.start}`
      if (seen.has(place)) continue
      seen.add(place)
      yield { arrival: toArrival(row.file, nameOf(route), row, owner), key, other, check: row.table, owner }
    }
    if (checked?.check === undefined) continue
    const other = nameOf(checked.route)
    for (const { route, check, looksAtCaller, key } of judged)
      if (CHANGING_VERBS.has(route.verb) && check === undefined && !looksAtCaller && key !== undefined && !told.has(route))
        yield { arrival: toArrival(file, nameOf(route), route), key, other, check: checked.check }
  }
}

/** What the routes of the app do with its tables. */
interface KnownTables {
  readonly owners: Map<string, TableOwner>
  /** By the table and the one role that the route refuses: it gives all others their own rows. */
  readonly sameRole: Map<string, TableOwner>
  /** Tables of which all users may list rows. */
  readonly listed: Set<string>
}

interface TableOwner {
  readonly route: string
  readonly own: OwnerProof['own']
}

function noteTables(
  { route, rows, refuses, check, looksAtCaller }: JudgedRoute,
  { owners, sameRole, listed }: KnownTables,
): void {
  for (const { table, own, isListed } of rows) {
    const known = owners.get(keyOf(table))
    if (isListed === true && check === undefined && !looksAtCaller) listed.add(keyOf(table))
    if (own === undefined) continue
    if (known === undefined || PROOFS.indexOf(known.own) < PROOFS.indexOf(own))
      owners.set(keyOf(table), { route: nameOf(route), own })
  }
  for (const { table, own } of rows)
    if (own === 'asked' && refuses !== undefined) sameRole.set(`${keyOf(table)} ${refuses}`, { route: nameOf(route), own })
}

export interface FoundRow extends Pick<UncheckedRoute, 'key' | 'other'> {
  readonly row: JudgedRoute['rows'][number]
  readonly owner: OwnerProof
}

/** A row of a table of which another route gives users their own alone. */
function ownedRow(judged: JudgedRoute, { owners, sameRole, listed }: KnownTables): FoundRow | undefined {
  const { check, looksAtCaller, rows, admits, refuses, asksRoleAlone } = judged
  const isBare = check === undefined && !looksAtCaller
  if (!isBare && admits === undefined)
    return asksRoleAlone && refuses !== undefined ? sharedRow(rows, refuses, sameRole) : undefined
  // a read of the same row may stand before its change, which says more
  const inOrder = [...rows.filter((one) => one.isChanged === true), ...rows.filter((one) => one.isChanged !== true)]
  const row = inOrder.find(({ table, key, isChanged, isAdded }) => {
    const known = key === undefined || isAdded === true ? undefined : owners.get(keyOf(table))
    // what all users may list, they may read one by one
    if (known === undefined || (isChanged !== true && listed.has(keyOf(table)))) return false
    // who made a row need not own it, unless people from outside make them
    return isBare ? known.own !== 'written' : isChanged === true
  })
  const proof = row && owners.get(keyOf(row.table))
  if (row?.key === undefined || proof === undefined) return undefined
  const { key, isChanged = false, isTaken } = row
  const isListed = listed.has(keyOf(row.table))
  const owner = {
    own: proof.own,
    isChanged,
    ...(isTaken && { isTaken }),
    ...(isListed && { isListed }),
    ...(!isBare && { role: admits }),
  }
  return { row, key, other: proof.route, owner }
}

/** A row that is changed for the same users whom another route gives their own rows alone. */
function sharedRow(rows: JudgedRoute['rows'], refused: string, sameRole: KnownTables['sameRole']): FoundRow | undefined {
  for (const row of rows) {
    const proof = sameRole.get(`${keyOf(row.table)} ${refused}`)
    if (proof === undefined || row.key === undefined || row.isChanged !== true) continue
    return { row, key: row.key, other: proof.route, owner: { own: proof.own, isChanged: true, refused } }
  }
  return undefined
}

/** Behind a middleware that knows who calls: a row of the user whom the path names, or one that is changed, of which the model may tell whose it is. */
function personRow({ check, looksAtCaller, namesCaller, rows }: JudgedRoute): FoundRow | undefined {
  if (check !== undefined || (looksAtCaller && !namesCaller)) return undefined
  for (const row of rows) {
    const { key = '', isChanged, isAdded } = row
    if (!key.startsWith('req.params.')) continue
    const own = NAMES_USER.test(key) ? 'named' : isChanged === true && !looksAtCaller ? 'related' : undefined
    if (own !== undefined)
      return { row, key, other: '', owner: { own, isChanged: isChanged === true, ...(isAdded && { isAdded }) } }
  }
  return undefined
}

/** All rows of a table with what belongs to persons, of which another route gives users their own alone. */
function listedRow(judged: JudgedRoute, { owners }: KnownTables): FoundRow | undefined {
  const { route, check, looksAtCaller, asksFurther, rows } = judged
  const isBare = check === undefined && !looksAtCaller && !asksFurther
  if (!isBare || route.verb !== 'get' || route.path?.includes(':') === true) return undefined
  const row = rows.find(
    ({ table, isAll }) => isAll === true && namesPersons(table) && !isCatalogueName(table) && !IS_DIRECTORY.test(table),
  )
  const proof = row && owners.get(keyOf(row.table))
  if (row === undefined || proof === undefined || proof.own === 'written') return undefined
  return { row, key: '', other: proof.route, owner: { own: 'listed', isChanged: false } }
}

/** Accounts and persons: an app may show to each of its users who the others are. */
const IS_DIRECTORY = /(?:user|member|employee|person|personel|mitarbeiter|account|konto|benutzer|student|owner)\w{0,6}$/i

const NAMES_USER = /\.user_?id$/i

/** The one that says most last. */
const PROOFS: readonly OwnerProof['own'][] = ['written', 'asked', 'compared']

/** Answered by functions that the app holds, and not public by its path. */
function isCompared({ verb, path, answers }: FlowRoute): boolean {
  return verb !== 'use' && path?.startsWith('/') === true && !isPublicRoute(verb, path) && answers.length > 0
}

/** SQL writes one name in upper and lower case. */
const keyOf = (table: string): string => table.toLowerCase()

function nameOf({ verb, path = '' }: FlowRoute): string {
  return `${verb.toUpperCase()} ${path}`
}

function judgedRoute(file: number, route: FlowRoute, files: readonly LinkedFile[], linker: Linker): JudgedRoute {
  const answering = (from: number, target: RouteTarget): readonly LinkedFunction[] => {
    const found = targetFunctions(from, target, linker)
    return found.length > 0 ? found : functionsOfWrapped(from, target.module, files, linker)
  }
  const rightsOf = (targets: readonly RouteTarget[]): readonly (RouteRights & { readonly file: number })[] =>
    targets.flatMap((target) =>
      answering(file, target).flatMap((found) => {
        const rights = files[found.file]?.flow.functions[found.index]?.route?.rights
        return rights === undefined ? [] : { ...rights, file: found.file }
      }),
    )
  const answers = rightsOf(route.answers)
  const { check } = route
  const fronts = rightsOf(route.fronts)
  const besideAsks = (route.beside ?? []).map(rightsOf).some((found) => found.length === 0 || found.some(mayCompare))
  const isUnchecked = check === undefined && fronts.every(({ checks }) => checks === undefined)
  return {
    route,
    check: check ?? [...fronts, ...answers].find(({ checks }) => checks !== undefined)?.checks,
    looksAtCaller: answers.length === 0 || answers.some(({ looksAtCaller }) => looksAtCaller === true),
    namesCaller: answers.some(({ namesCaller }) => namesCaller === true),
    logsIn: fronts.some(({ logsIn }) => logsIn === true),
    admits: answers.length === 1 && check === undefined ? answers[0]?.admits : undefined,
    refuses: answers.length === 1 && isUnchecked ? answers[0]?.refuses : undefined,
    asksFurther: besideAsks || answers.some((one) => one.asksFurther === true),
    comparesNobody: answers.length > 0 && answers.every((one) => one.comparesNobody === true),
    frontsAsk: besideAsks || fronts.some((one) => one.key !== undefined || one.rows !== undefined),
    asksInside: answers.some(({ checks }) => checks !== undefined),
    asksRoleAlone: answers.every(({ asksRoleAlone }) => asksRoleAlone === true),
    key: answers.find(({ key }) => key !== undefined)?.key,
    rows: answers.flatMap(({ rows = [], file: own }) => rows.map((row) => ({ ...row, file: own }))),
  }
}

function mayCompare({ looksAtCaller, asksFurther, logsIn }: RouteRights): boolean {
  return logsIn !== true && (looksAtCaller ?? asksFurther) === true
}

/** Files whose routers another file mounts: an app that is made there, `express()` for `express.Router()`, is no server of its own. Fact: Express 5, "app.mountpath". */
export function mountedFiles(files: readonly LinkedFile[]): ReadonlySet<number> {
  if (!files.some(({ flow }) => flow.sources.some(({ origin }) => origin === 'open-server'))) return new Set()
  const linker = createLinker(files)
  return new Set(
    files.flatMap(({ flow }, file) =>
      (flow.server?.routes ?? []).flatMap(({ mounts }) => (mounts === undefined ? [] : (linker.fileOf(file, mounts) ?? []))),
    ),
  )
}

/** A route of a file that mounts the router of another one. */
interface Mount {
  readonly file: number
  readonly target: number
  readonly route: JudgedRoute
}

function mountsOf(files: readonly LinkedFile[], linker: Linker): readonly Mount[] {
  return files.flatMap(({ flow }, file) =>
    (flow.server?.routes ?? []).flatMap((route) => {
      const target = route.mounts === undefined ? undefined : linker.fileOf(file, route.mounts)
      return target === undefined ? [] : { file, target, route: judgedRoute(file, route, files, linker) }
    }),
  )
}

/** Files whose routers another file mounts behind a check or a login: `app.use('/admin', requireAdmin, router)`. */
function mountedBehind(
  mounts: readonly Mount[],
  step: StepCounter['step'],
  isBehind: (route: JudgedRoute) => boolean,
): ReadonlySet<number> {
  const covered = new Set(mounts.flatMap(({ target, route }) => (isBehind(route) ? target : [])))
  for (let hops = 0; hops < MAX_MOUNTS; hops++) {
    step(mounts.length)
    for (const { file, target } of mounts) if (covered.has(file)) covered.add(target)
  }
  return covered
}

function toArrival(file: number, name: string, { start, end }: Span, owner?: OwnerProof): Arrival {
  const fault = owner?.own === 'approved' ? SELF_APPROVED : UNCHECKED_ROUTE
  return {
    file,
    sink: { node: -1, fault, name, start, end },
    label: { origin: 'http-request', fields: [], cleaned: [], concatenated: false, logged: false, weak: false },
    entry: 'http-request',
    path: () => [],
  }
}
