import { constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** Methods of models that give several rows. */
export const LISTS: RegExp = /^find(?:All|Many)?$/

/** `Job.find({})`, `Job.find({ expired: false })`, `Offer.findAll({ where: { state: 'open' } })`: all rows, or those of one state. */
export function isListed({ callee, args: [first] }: CallValue): boolean {
  if (!LISTS.test(lastNameOf(callee) ?? '')) return false
  if (first === undefined) return true
  const made = resolveValue(first)
  const where = resolveValue(fieldOf(made, 'where')?.value ?? made)
  return 'fields' in where && where.fields.every(({ value }) => constantOf(value) !== undefined)
}

/** Those of them without any condition: `Job.find()`, `Job.findMany({ orderBy: { title: 'asc' } })`. */
export function listsAll({ args: [first] }: CallValue): boolean {
  if (first === undefined) return true
  const made = resolveValue(first)
  if (!('fields' in made)) return false
  const where = fieldOf(made, 'where')
  if (where === undefined) return made.fields.every(({ key }) => key !== undefined && /^(?:orderBy|order|include)$/.test(key))
  const wanted = resolveValue(where.value)
  return 'fields' in wanted && wanted.fields.length === 0
}

/** What a collection is chosen by, `db.collection('claims')`, under whatever name. Fact: mongodb 6, "Db.collection". */
export function collectionIn(value: Value): readonly Value[] {
  const made = resolveValue(value)
  return 'callee' in made && lastNameOf(made.callee) === 'collection' ? made.args : []
}

/** Calls that a chain goes on from to a condition: `Order.find().sort(order).where({ buyer: req.user.id })`. Fact: Mongoose 8, "Query". */
export function narrowedCalls({ calls }: ScriptFacts): ReadonlySet<Value> {
  const found = new Set<Value>()
  for (const { callee } of calls) {
    if (!('object' in callee) || !/^(?:where|and|or|equals|find)$/.test(callee.name ?? '')) continue
    let here: Value = callee.object
    for (let links = 0; links < MAX_LINKS && 'callee' in here; links++) {
      found.add(here)
      if (!('object' in here.callee)) break
      here = here.callee.object
    }
  }
  return found
}

const MAX_LINKS = 6
