import { accessesOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isContext } from '../../model/script/index.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import { isCatalogueName, namesPersons } from '../models/public-data.ts'
import { OUTSIDERS, OWN_STEPS } from '../tables/routes.ts'
import type { FlowRoute, RouteRow } from '../types.ts'
import { beginningOf } from './statements.ts'
import type { FoundRow, JudgedRoute } from './unchecked-routes.ts'

/** Parties from outside whose rows the tables of an app hold, and which of them log in to it. */
export interface KnownParties {
  /** By table and party: the column that refers to it. */
  readonly columns: Map<string, Map<string, string>>
  /** Roles that a check in front of a route names. */
  readonly roles: Map<string, string>
}

/** `INSERT INTO orders (id, vendorId) VALUES …`. */
const INSERTED = /^\s{0,20}insert\s{1,20}into\s{1,20}[\w."`]{1,80}\s{0,20}\(([^()]{1,2000})\)/i
/** `vendorId`, `customer_id`: the column refers to one party. */
const OF_PARTY = /^["`\s]{0,20}([a-z]\w{1,40}?)_?(?:id|Id|ID)["`\s]{0,20}$/
/** `SELECT * FROM orders WHERE 1=1`: what may follow is added where the client asks for it. */
const ALL_ROWS =
  /^\s{0,20}select\s{1,20}[^()]{1,1000}?\sfrom\s{1,20}["`]?([\w.]{1,80})["`]?(?:\s{1,20}where\s{1,20}(?:1\s{0,4}=\s{0,4}1|true))?(?:\s{1,20}order\s{1,20}by\s[^;?$]{1,200})?\s{0,20};?\s{0,20}$/i

/** `req.courier`, `res.locals.courier`, `const { courier } = req`. */
const OF_REQUEST =
  /\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}\??\.\s{0,4}(\w{1,40})|\bres\s{0,4}\.\s{0,4}(locals)\b|\{([^{}]{1,300})\}\s{0,10}=\s{0,10}(?:req|request|oReq|oRequest|ctx|context)\b(?!\s{0,4}[?.(])/g

/** What a middleware has set on the request may tell who calls, and a function of the project that gets the request may look. */
export function asksFurther(text: string, calls: readonly CallValue[]): boolean {
  const read = [...text.matchAll(OF_REQUEST)].flatMap(([, one, locals, several]) => one ?? locals ?? several?.split(',') ?? [])
  if (read.some((name) => !OWN_STEPS.has(/\w{1,40}/.exec(name)?.[0] ?? 'body'))) return true
  // `validationResult(req)` of a package; `handler(req, res, next)` of a wrapper, which is looked at itself
  const isOther = ({ callee }: CallValue): boolean =>
    accessesOf(callee).some(
      ({ root, steps }) => /^module:[^.]/.test(root) || (root.startsWith('parameter:') && steps.length === 0),
    )
  return calls.some((call) => call.args.some(isContext) && !isOther(call))
}

/** The columns of a new row that refer to a party from outside. */
export function partyColumns(call: CallValue, written: readonly Value[]): readonly string[] {
  const [, columns] = INSERTED.exec(beginningOf(call) ?? '') ?? []
  const fields = written.map((value) => resolveValue(value)).flatMap((made) => ('fields' in made ? made.fields : []))
  return [...(columns?.split(',') ?? []), ...fields.flatMap(({ key }) => key ?? [])]
    .filter((name) => OUTSIDERS.test(OF_PARTY.exec(name)?.[1] ?? ''))
    .map((name) => name.replace(/["`\s]/g, ''))
}

/** The table of which a statement reads all rows, unless the client asks for fewer. */
export function tableOfAll(call: CallValue): string | undefined {
  return ALL_ROWS.exec(beginningOf(call) ?? '')?.[1]
}

export function noteParties({ route, rows }: JudgedRoute, { columns, roles }: KnownParties): void {
  for (const role of partiesOf(route)) roles.set(partyOf(role), role)
  for (const { table, parties = [] } of rows)
    for (const column of parties) {
      const known = columns.get(table.toLowerCase()) ?? new Map<string, string>()
      known.set(partyOf(OF_PARTY.exec(column)?.[1] ?? ''), column)
      columns.set(table.toLowerCase(), known)
    }
}

/** The roles of people from outside whom its check lets pass. */
function partiesOf({ roles = [] }: FlowRoute): readonly string[] {
  return roles.filter((role) => OUTSIDERS.test(role) && !OF_ALL.test(role))
}

/** In a company everybody is a user, or a member. */
const OF_ALL = /^(?:user|member)s?$/i

/** One name for `Vendor`, `vendor` and `vendors`. */
function partyOf(name: string): string {
  return name.toLowerCase().replace(/s$/, '')
}

/**
 * A row of a party from outside, for any user of that party: one that is changed or gets parts by a key of the client, behind a check that lets the role of the party pass;
 * or all rows for everybody with a login (`isEntered`), beside routes of the same router that check more.
 */
export function partyRow(judged: JudgedRoute, known: KnownParties, isEntered: boolean): FoundRow | undefined {
  const { route, check, looksAtCaller, asksFurther: asks, asksInside, rows } = judged
  if (looksAtCaller || asks || asksInside || rows.some(({ own }) => own !== undefined)) return undefined
  const columnOf = ({ table }: RouteRow, party: string): string | undefined => known.columns.get(table.toLowerCase())?.get(party)
  for (const role of CHANGING_VERBS.has(route.verb) ? partiesOf(route) : []) {
    const ofParty = rows.filter((one) => columnOf(one, partyOf(role)) !== undefined)
    const named = ofParty.find(({ key }) => key !== undefined)
    const changed = ofParty.find(({ key, isChanged }) => key !== undefined && isChanged === true)
    const row = changed ?? (named && ofParty.find(({ parties }) => parties !== undefined))
    const key = row?.key ?? named?.key
    const column = row && columnOf(row, partyOf(role))
    if (row === undefined || key === undefined || column === undefined) continue
    const isChanged = row.isChanged === true
    return { row, key, other: column, owner: { own: 'party', isChanged, role, ...(!isChanged && { isAdded: true }) } }
  }
  if (check !== undefined || !isEntered || route.verb !== 'get' || route.path?.includes(':') === true) return undefined
  for (const row of rows) {
    if (row.isAll !== true || isCatalogueName(row.table)) continue
    for (const [party, role] of known.roles) {
      const column = columnOf(row, party)
      if (column === undefined) continue
      // what a market lists may be for everybody
      const isListed = !namesPersons(row.table)
      return { row, key: '', other: column, owner: { own: 'party', isChanged: false, role, ...(isListed && { isListed }) } }
    }
  }
  return undefined
}
