import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessOf, constantOf, stringConstantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../../paths.ts'
import { isDeployedCode } from '../script/index.ts'

/** A table that a script of a server asks for rows or changes, by the last part of its name; '': nobody can tell which, or a service of another name is asked. */
export interface QueriedTable {
  readonly table: string
  readonly isChanged: boolean
}

/** Facts: capire, "cds.ql", "cds.Service" (CRUD-style API, `srv.run`), "cds.connect", "cds.services". */
export const queriedTables: Extract<QueriedTable> = defineExtract({
  name: 'reach-queried-tables',
  keywords: 'SELECT INSERT UPDATE DELETE UPSERT update delete upsert insert create read run connect services'.split(' '),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    if (/\bcds\s{0,4}\.\s{0,4}services\b/.test(text)) yield UNKNOWN
    const named = new Set<number>()
    const builders = new Set<number>()
    for (const call of facts.calls) {
      step()
      const builder = builderOf(call.callee, step)
      if (builder !== undefined) builders.add(builder.start)
      const found = queriedBy(call, builder)
      if (found === undefined) continue
      if (builder !== undefined) named.add(builder.start)
      yield found
    }
    // `SELECT('Orders')`: a query whose table is named in another way
    for (const start of builders) if (!named.has(start)) yield UNKNOWN
  },
})

const UNKNOWN: QueriedTable = { table: '', isChanged: true }
const CHANGES = /^(?:INSERT|UPSERT|UPDATE|DELETE)$/

/** The `SELECT` or `cds.ql.UPDATE` that a chain of calls begins with. */
function builderOf(callee: Value, step: () => void): Value | undefined {
  let here = callee
  for (;;) {
    step()
    if (here.kind === 'reference' || here.kind === 'member') {
      const name = lastNameOf(here) ?? ''
      if (name === 'SELECT' || CHANGES.test(name)) return here
    }
    if (here.kind === 'member') here = here.object
    else if (here.kind === 'call' || here.kind === 'tagged') here = here.callee
    else return undefined
  }
}

function queriedBy(call: CallValue, builder: Value | undefined): QueriedTable | undefined {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const [first] = args
  if (builder !== undefined) {
    const isChanged = lastNameOf(builder) !== 'SELECT'
    if (!/^(?:from|into|entity)$/.test(name) && (builder !== callee || !/^(?:UPDATE|DELETE)$/.test(name))) return undefined
    if (call.kind === 'tagged') return { table: lastName(TAGGED.exec(call.texts?.[0] ?? '')?.[1] ?? ''), isChanged }
    return first === undefined ? undefined : toTable(first, isChanged)
  }
  if (callee.kind !== 'member' || first === undefined) return undefined
  const { object } = callee
  if (/^(?:to|connect)$/.test(name) && /^(?:connect|cds)$/.test(lastNameOf(object) ?? ''))
    return constantOf(first) === 'db' ? undefined : UNKNOWN
  if (!SERVICE.test(object.kind === 'this' ? 'this' : (lastNameOf(object) ?? ''))) return undefined
  // a statement of SQL, or a query as an object
  if (name === 'run') return isWritten(resolveValue(first)) ? UNKNOWN : undefined
  return /^(?:read|insert|create|update|upsert|delete)$/.test(name) ? toTable(first, name !== 'read') : undefined
}

const TAGGED = /^\s{0,20}([\w.]{1,120})\s{0,20}$/

function isWritten(value: Value): boolean {
  return /^(?:template|concat|object|array)$/.test(value.kind) || typeof constantOf(value) === 'string'
}

const SERVICE = /^(?:this|cds|db|srv|tx|service|\w{1,40}(?:Srv|Service|Db|Tx))$/

/** A name of the model, or what was taken from it; what a function is given may be any table. */
function toTable(entity: Value, isChanged: boolean): QueriedTable {
  const text = stringConstantOf(entity)
  if (text !== undefined) return { table: lastName(text), isChanged }
  const access = accessOf(entity)
  const table = access?.steps.at(-1)
  if (access === undefined || table === undefined || access.binding?.kind === 'parameter') return UNKNOWN
  return { table: lastName(table), isChanged }
}
