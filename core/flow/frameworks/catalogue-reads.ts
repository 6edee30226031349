import { stringConstantOf, findPart, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isCatalogueName, namesPersons } from '../models/public-data.ts'
import { collectionIn } from './listed-rows.ts'
import { builderBehind } from './query-sinks.ts'
import { statementOf } from './statements.ts'

/** `read`: tables that are named like a public catalogue; `way`: what leads to a database and reads nothing by itself. */
export type CatalogueUse = 'read' | 'way'

/** What a call that uses stored data reads, as far as it is a catalogue; undefined: something else, or nobody knows. */
export function catalogueUseOf(call: CallValue): CatalogueUse | undefined {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const statement = statementOf(call)?.text
  if (statement !== undefined && SELECTS.test(statement)) return readsCatalogue(statement) ? 'read' : undefined
  if (CONNECTS.test(name)) return 'way'
  if (args.some(namesPersonIn)) return undefined
  const builder = builderBehind(callee)
  if (builder !== undefined) return builder.startsWith('SELECT') ? ofBuilder(name, args) : undefined
  const [query] = args
  if (RUNS_QUERY.test(name)) return query !== undefined && builderBehind(query)?.startsWith('SELECT') === true ? 'way' : undefined
  if (!MODEL_READS.test(name) || !('object' in callee)) return undefined
  const model = modelName(callee.object)
  return model !== undefined && isCatalogueName(model) ? 'read' : undefined
}

const SELECTS = /^\s{0,40}select\s/i
/** Of pools and connections. Facts: README of pg 8, mysql2 3, @sap/hana-client 2; capire, "cds.connect". */
const CONNECTS = /^(?:acquire|getConnection|connect|to|release)$/
const RUNS_QUERY = /^(?:run|tx)$/
/** Facts: Mongoose 8, Sequelize 6, Prisma 6, MongoDB 8 (reference of models and collections). */
const MODEL_READS =
  /^(?:find(?:One|All|Many|First|Unique|ById|ByPk|AndCountAll)?|findOneBy|findBy|count|countDocuments|estimatedDocumentCount|distinct)$/

function readsCatalogue(statement: string): boolean {
  // FROM products, orders
  if (namesPersons(statement) || /\bfrom\s{1,20}[^\s,]{1,100}(?:\s{1,20}(?:as\s{1,20})?\w{1,60})?\s{0,20},/i.test(statement))
    return false
  const tables = [...statement.matchAll(/\b(?:from|join)\s{1,40}([^\s,();]{1,120})/gi)].map(([, table = '']) => table)
  return tables.length > 0 && tables.every(isCatalogueName)
}

/** `SELECT.from('Books')`, `SELECT.from(Books).where({ … })`. */
function ofBuilder(name: string, [entity]: readonly Value[]): CatalogueUse | undefined {
  if (name !== 'from' && name !== 'one') return 'way'
  const named = entity && nameOf(entity)
  if (named === undefined) return name === 'one' && entity === undefined ? 'way' : undefined
  return isCatalogueName(named) ? 'read' : undefined
}

function nameOf(entity: Value): string | undefined {
  return stringConstantOf(entity) ?? ('name' in entity ? entity.name : undefined)
}

/** `Product` of `Product.find()`, `prisma.product.findMany()`, `db.collection('products').find()`. */
function modelName(value: Value): string | undefined {
  const [collection] = collectionIn(value)
  return collection === undefined ? ('name' in value ? value.name : undefined) : nameOf(collection)
}

/** What is chosen, joined or compared: `{ where: { customerId } }`, `{ include: User }`. */
function namesPersonIn(argument: Value): boolean {
  const isNamed = (part: Value): boolean => {
    if ('fields' in part) return part.fields.some(({ key = '' }) => namesPersons(key) || JOINS.test(key))
    const written = stringConstantOf(part)
    return (written !== undefined && namesPersons(written)) || ('name' in part && namesPersons(part.name ?? ''))
  }
  return findPart(argument, isNamed) !== undefined
}

/** Methods that read other tables beside those that a query names. Facts: Mongoose 8, "Populate"; Objection 3, "Eager Methods". */
export const JOINS_OTHERS: RegExp = /^(?:populate|include|withGraph(?:Fetched|Joined)|leftJoin|innerJoin|join(?:Related)?)$/

const JOINS = /^(?:include|populate|relations)$/
