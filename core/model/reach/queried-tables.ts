import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, findPart, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../../paths.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../script/index.ts'

/** A table that a script of a server asks for rows or changes, by the last part of its name in lower case; '': nobody can tell which, or a service of another name is asked. */
export interface QueriedTable {
  readonly table: string
  readonly isChanged: boolean
}

/** Facts: capire, "cds.ql", "cds.Service" (CRUD-style API, `srv.run`), "cds.connect". */
export const queriedTables: Extract<QueriedTable> = defineExtract({
  name: 'reach-queried-tables',
  keywords: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'UPSERT', '.run(', '.read(', '.connect', '.insert(', '.create('],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      step()
      const found = queriedBy(call)
      if (found !== undefined) yield found
    }
  },
})

const UNKNOWN: QueriedTable = { table: '', isChanged: true }
const CHANGES = /^(?:INSERT|UPSERT|UPDATE|DELETE)$/

function queriedBy({ callee, args }: CallValue): QueriedTable | undefined {
  const name = lastNameOf(callee) ?? ''
  const [first] = args
  if (callee.kind === 'reference') return CHANGES.test(name) && first !== undefined ? toTable(first, true) : undefined
  if (callee.kind !== 'member' || first === undefined) return undefined
  const { object } = callee
  if (/^(?:from|into|entity)$/.test(name)) {
    const builder = findPart(object, (part) => part.kind === 'reference' && (part.name === 'SELECT' || CHANGES.test(part.name)))
    return builder === undefined ? undefined : toTable(first, lastNameOf(builder) !== 'SELECT')
  }
  if (name === 'to' && lastNameOf(object) === 'connect') return constantOf(first) === 'db' ? undefined : UNKNOWN
  if (!SERVICE.test(object.kind === 'this' ? 'this' : (lastNameOf(object) ?? ''))) return undefined
  // a statement of SQL
  if (name === 'run') return first.kind === 'template' || typeof constantOf(first) === 'string' ? UNKNOWN : undefined
  return /^(?:read|insert|create|update|upsert|delete)$/.test(name) ? toTable(first, name !== 'read') : undefined
}

const SERVICE = /^(?:this|cds|db|srv|tx|service|\w{1,40}(?:Srv|Service|Db|Tx))$/

function toTable(entity: Value, isChanged: boolean): QueriedTable {
  const text = constantOf(entity)
  const name = typeof text === 'string' ? text : lastNameOf(entity)
  return name === undefined ? UNKNOWN : { table: lastName(name).toLowerCase(), isChanged }
}
