import { findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isAdministrative } from '../../model/cap/index.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import { LOOKS_AT_CALLER } from '../tables/routes.ts'
import { asksFurther } from './party-rows.ts'
import { itemsOf, statementOf } from './statements.ts'
import type { FoundRow, JudgedRoute } from './unchecked-routes.ts'

/** `/:id/approve`, `/approve-request/:id`: a second person decides. To reject something of one's own harms nobody. */
const APPROVES = /(?:^|\/)(?:approve|countersign|sign-?off)(?:-[\w-]{1,40})?(?:\/|$)/i

/** What moderators look through for what is unseemly: of their own they need no second person. */
const MODERATED = /(?:^|[._])(?:\w{1,40}_)?(?:comment|post|review|testimonial|repl(?:y|ie)|thread|topic|message)s?$/i

/** `req.user.role`: which rights the caller has, and not who it is. */
const ROLE_OF_CALLER = /\b\w{1,20}\.\w{1,20}\??\.\w{0,20}[rR]oles?\b/g
/** `const approver = req.user.id`, which is looked for under its new name. */
const NAMED_CALLER =
  /\b(?:const|let|var)\s{1,20}(\w{1,60})\s{0,20}=\s{0,20}(?:req|request|oReq|oRequest|ctx)\.(?:user|auth|session)\??\.\w{1,40}[ \t]{0,20};?/g

/** `INSERT INTO orders (id, buyer) VALUES (?, ?)`, as `statementOf` writes it. */
const INSERTED =
  /^\s{0,20}insert\s{1,20}into\s{1,20}[\w."`]{1,80}\s{0,20}\(([^()]{1,2000})\)\s{0,20}values\s{0,20}\(([^;]{1,2000})\)/i

/** Whether what a function holds and calls beside its notes and what it writes asks no more of its caller than a role. */
export function comparesNobody(beside: string, calls: readonly CallValue[]): boolean {
  const names = [...beside.matchAll(NAMED_CALLER)].map(([, name = '']) => name)
  const left = beside.replaceAll(NAMED_CALLER, '').replaceAll(ROLE_OF_CALLER, '')
  const words = new Set(names.length > 0 ? left.split(/\W/) : [])
  return !LOOKS_AT_CALLER.test(left) && !asksFurther(left, calls) && !names.some((name) => words.has(name))
}

/** The column of a new row that gets its maker. */
export function makerColumn(
  call: CallValue,
  written: readonly Value[],
  isOfCaller: (part: Value) => boolean,
): string | undefined {
  const isMaker = (value: Value | undefined): boolean => value !== undefined && findPart(value, isOfCaller) !== undefined
  for (const value of written) {
    const made = resolveValue(value)
    const field = 'fields' in made ? made.fields.find((one) => isMaker(one.value)) : undefined
    if (field?.key !== undefined) return field.key
  }
  const sent = statementOf(call)
  const [, columns, values] = INSERTED.exec(sent?.text ?? '') ?? []
  const places = values?.split(',').map((place) => place.trim()) ?? []
  const given = sent?.given.flatMap((one) => itemsOf(one)) ?? []
  for (const [index, name] of (columns?.split(',') ?? []).entries()) {
    const place = places[index] ?? ''
    const number = /^\$(\d{1,3})$/.exec(place)?.[1]
    const at = number === undefined ? places.slice(0, index).filter((one) => one === '?').length : Number(number) - 1
    if ((number !== undefined || place === '?') && isMaker(given[at])) return name.replaceAll(/["`\s]/g, '')
  }
  return undefined
}

/** Who makes rows of a table, by the table: a route that checks no more than a login writes its caller into them. */
export type KnownMakers = Map<string, { readonly route: string; readonly column: string }>

export function noteMakers({ check, asksInside, route, rows }: JudgedRoute, makers: KnownMakers): void {
  if (check !== undefined || asksInside || route.verb !== 'post') return
  for (const { table, maker } of rows)
    if (maker !== undefined) makers.set(table.toLowerCase(), { route: `POST ${route.path ?? ''}`, column: maker })
}

/** A route that approves a row for people with a role, who make such rows, too, and compares nobody with who made it. */
export function approvedRow({ route, comparesNobody, frontsAsk, rows }: JudgedRoute, makers: KnownMakers): FoundRow | undefined {
  const role = route.roles?.find((one) => !isAdministrative(one))
  if (!comparesNobody || frontsAsk || role === undefined || rows.some(({ own }) => own === 'asked' || own === 'compared'))
    return undefined
  if (!CHANGING_VERBS.has(route.verb) || !APPROVES.test(route.path ?? '')) return undefined
  for (const row of rows) {
    const made = makers.get(row.table.toLowerCase())
    if (made === undefined || MODERATED.test(row.table) || row.isChanged !== true || row.key === undefined) continue
    return { row, key: made.column, other: made.route, owner: { own: 'approved', isChanged: true, role } }
  }
  return undefined
}
