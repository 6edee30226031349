import { accessesOf, stringConstantOf, findPart, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** What a query does; `own` is one for the rows of the user. */
export type QueryKind = 'own' | 'read' | 'update' | 'delete' | 'insert'

const KINDS = new Map<string, QueryKind>([
  ['UPDATE', 'update'],
  ['DELETE', 'delete'],
  ['SELECT', 'read'],
  ['INSERT', 'insert'],
])

/** The call of a chain that names the entity: `UPDATE(Books)`, `DELETE.from(Books)`, `SELECT.one.from(Books)`; deep chains are left alone. */
export function baseOf(call: CallValue): { readonly call: CallValue; readonly kind: QueryKind } | undefined {
  let here: CallValue = call
  for (let depth = 0; depth < 12; depth++) {
    const { callee } = here
    const path = callee.kind === 'call' || callee.kind === 'tagged' ? undefined : plainPath(callee)
    const kind = (path === undefined ? undefined : KINDS.get(path[0] ?? '')) ?? crudKind(here)
    if (kind !== undefined) return { call: here, kind }
    if (callee.kind !== 'member') return undefined
    const inner = callee.object
    if (inner.kind !== 'call' && inner.kind !== 'tagged') return undefined
    // SELECT('ID').from(Books): columns come first
    if (callee.name === 'from' && lastNameOf(inner.callee) === 'SELECT') return { call: here, kind: 'read' }
    here = inner
  }
  return undefined
}

const FINDS = /^find(?:One|ByPk|ById|Unique|First)(?:OrThrow)?$/

/** The entity that a query reads: `SELECT.one.from(Users)` with all that follows, `User.findOne(…)` of Mongoose, Sequelize and Prisma. */
export function entityRead(query: CallValue): string | undefined {
  const base = baseOf(query)
  if (base?.kind === 'read') return entityOf(base.call.args[0])
  const { callee } = query
  return callee.kind === 'member' && FINDS.test(callee.name ?? '') ? entityOf(callee.object) : undefined
}

const SERVICE = /^(?:cds|db|srv|tx|service|\w{1,40}(?:Srv|Service|Db|Tx))$/

/** `srv.update(Books, id)`, `db.delete(Books).where(…)`. Fact: capire, "cds.Service", CRUD-style API. */
function crudKind({ kind, callee, args }: CallValue): QueryKind | undefined {
  if (kind !== 'call' || callee.kind !== 'member' || args.length === 0) return undefined
  const isService = callee.object.kind === 'this' || SERVICE.test(lastNameOf(callee.object) ?? '')
  return isService && (callee.name === 'update' || callee.name === 'delete') ? callee.name : undefined
}

/** `srv.read(Sensors, id)`. Fact: capire, "cds.Service", CRUD-style API. */
export function isReadOfService({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member' || callee.name !== 'read' || args.length === 0) return false
  return callee.object.kind === 'this' || SERVICE.test(lastNameOf(callee.object) ?? '')
}

/** `srv.read(Sensors)` of `srv.read(Sensors).where({ … })`. */
export function serviceRead(query: CallValue): CallValue | undefined {
  let here: Value = query
  for (let depth = 0; depth < 12; depth++) {
    if (here.kind === 'call' && isReadOfService(here)) return here
    if (here.kind === 'call') here = here.callee
    else if (here.kind === 'member') here = here.object
    else return undefined
  }
  return undefined
}

/** `SELECT.one.from`: names alone, of what CAP makes global or `cds.ql` holds. */
function plainPath(value: Value): string[] | undefined {
  const found = accessesOf(value)[0]
  if (found === undefined) return undefined
  const path = [found.root.replace(/^global:/, ''), ...found.steps]
  const from = path.findIndex((name) => KINDS.has(name))
  return from < 0 || from > 2 || path.includes('()') ? undefined : path.slice(from)
}

export function entityOf(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = stringConstantOf(value)
  const name = text ?? lastNameOf(value)
  return name === undefined ? undefined : name.slice(name.lastIndexOf('.') + 1)
}

/** The call that names the entity of a new row: `INSERT.into(Books)` of `INSERT.into(Books).entries`. */
export function intoOf(query: Value): CallValue | undefined {
  const into = findPart(query, (part) => 'callee' in part && lastNameOf(part.callee) === 'into')
  return into !== undefined && 'callee' in into ? into : undefined
}
