import { listNames } from '../../../arguments.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  excerptOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type MemberValue,
  type ReferenceValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createListReader, functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import {
  entityWords,
  isCredential,
  isOrganisation,
  isPeople,
  personalKind,
  type CapMember,
  type CapRoot,
  type PersonalKind,
} from '../../../model/cap/index.ts'
import { createDevelopmentReader, isDeployedCode, isLogCall } from '../../../model/script/index.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import { baseOf, entityOf, serviceRead } from '../_handlers/query-chains.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createRemovalReader, isRemoved } from '../_rows/removed-elements.ts'
import { lastName } from '../../../paths.ts'
import { personalMatch, toMatch } from './records.ts'

/** A log statement that writes rows with all their elements, as they were read. */
export interface LoggedRow extends Span {
  readonly part: string
  readonly entity: string
  /** Elements that are taken out of the row, or overwritten. */
  readonly removed: ReadonlySet<string>
}

/** `const row = await SELECT.one.from(Sensors, id); console.log(row)`. Fact: capire, "Querying in JavaScript": without columns a query gives all elements. */
export const loggedRows: Extract<LoggedRow> = defineExtract({
  name: 'cap-logged-rows',
  keywords: ['SELECT', '.read(', 'READ'],
  prefilter: (text) => /\.(?:log|info|warn|error|debug)\s{0,9}\(/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findLogged(facts, text, step)],
})

const QUIET = /^(?:debug|trace)$/

function* findLogged(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<LoggedRow> {
  const isForDevelopers = createDevelopmentReader(facts)
  const entityOfRows = createRowReader(facts)
  const removedBy = createRemovalReader(facts, step)
  for (const call of facts.calls) {
    step()
    if (!isLogCall(call) || QUIET.test(lastNameOf(call.callee) ?? '') || isForDevelopers(call)) continue
    for (const part of call.args.flatMap((argument) => writtenParts(argument))) {
      const rows = isOneOf(part) ? part.object : part
      const found = 'binding' in rows ? entityOfRows(rows, call) : undefined
      if (found === undefined) continue
      const { entity, from } = found
      yield { start: part.start, end: part.end, part: excerptOf(text, part), entity, removed: removedBy(from) }
    }
  }
}

/** The entity of rows, and the function that has them first. */
interface ReadRows {
  readonly entity: string
  readonly from: FunctionFact
}

/** Of a name that is logged: rows that were read or given, or each of them in a loop. */
function createRowReader(facts: ScriptFacts): (name: ReferenceValue, call: CallValue) => ReadRows | undefined {
  let handlerOf: ReturnType<typeof findHandledFunctions>['handlerOf'] | undefined
  const givenListOf = createListReader(facts)
  /** `srv.after('READ', 'Guests', (rows) => console.log(rows))`. */
  const givenAfter = (binding: Binding, call: CallValue): string | undefined => {
    if (binding.kind !== 'parameter' || binding.definitions.some(({ kind }) => kind === 'assign')) return undefined
    handlerOf ??= findHandledFunctions(facts).handlerOf
    const { phase, events, entities, fact } = handlerOf(call) ?? {}
    if (phase !== 'after' || entities?.length !== 1 || fact?.parameters[0] !== binding) return undefined
    return events?.every((name) => name === 'READ' || name === 'each') === true ? entities[0] : undefined
  }
  const listOf = (binding: Binding): Value | undefined => {
    const [definition, other] = binding.definitions
    if (definition?.kind === 'each' && other === undefined) return definition.path.length === 0 ? definition.value : undefined
    if (binding.kind !== 'parameter' || binding.function.parameters[0] !== binding) return undefined
    return givenListOf(binding.function)
  }
  return (name, call) => {
    const { binding } = name
    if (binding === undefined) return undefined
    const list = allOf(listOf(binding))
    // for (const row of await SELECT.from(Users))
    const read = list?.kind === 'reference' ? undefined : wholeRowsOf(list)
    if (read !== undefined) return { entity: read.entity, from: binding.function }
    const rows = list?.kind === 'reference' ? list : name
    if (rows.binding === undefined) return undefined
    const entity = wholeRowsOf(rows)?.entity ?? givenAfter(rows.binding, call)
    return entity === undefined ? undefined : { entity, from: rows.binding.function }
  }
}

/** `rows[0]`, `rows[i]` */
function isOneOf(value: Value): value is MemberValue {
  if (value.kind !== 'member') return false
  const { name, property } = value
  return name === undefined ? /^(?:i|j|k|idx|index)$/.test((property && lastNameOf(property)) ?? '') : /^\d{1,9}$/.test(name)
}

/** The list of which a method gives some, or all in another order: `rows` of `rows.filter((row) => …)`. */
function allOf(list: Value | undefined): Value | undefined {
  if (list === undefined || !('args' in list) || !('object' in list.callee)) return list
  return /^(?:filter|sort|slice|reverse)$/.test(list.callee.name ?? '') ? list.callee.object : list
}

/** The query that a value holds the whole rows of. */
export function wholeRowsOf(value: Value | undefined): { readonly entity: string; readonly query: CallValue } | undefined {
  if (value === undefined) return undefined
  // const { password, ...rest } = row
  if (value.kind === 'reference' && value.binding?.definitions.some(({ taken }) => taken !== undefined) === true) return undefined
  let given = resolveValue(value)
  if (given.kind === 'await') given = resolveValue(given.value)
  if (given.kind !== 'call') return undefined
  // cds.run(SELECT.from(Users)), tx.run(…)
  const [first] = given.args
  if (lastNameOf(given.callee) === 'run' && first?.kind === 'call') given = first
  const base = baseOf(given)
  const read = base?.kind === 'read' ? base.call : serviceRead(given)
  if (read === undefined || isNarrowed(given, read)) return undefined
  const entity = entityOf(read.args[0])
  return entity === undefined ? undefined : { entity, query: given }
}

/** Columns say what is read: `.columns('ID')`, `SELECT('ID').from(…)`, `SELECT.from(Users, (one) => one.ID)`. */
function isNarrowed(query: CallValue, read: CallValue): boolean {
  if (read.args.slice(1).some((one) => one.kind === 'array' || functionOf(one) !== undefined)) return true
  let here: Value = query
  for (let depth = 0; depth < 12 && here !== read; depth++) {
    if (here.kind === 'member') here = here.object
    else if (here.kind === 'call') {
      if (NARROWS.test(lastNameOf(here.callee) ?? '')) return true
      here = here.callee
    } else return true
  }
  for (here = read.callee; here.kind === 'member'; here = here.object);
  return here.kind === 'call' && !/^(?:tx|\w{1,40}Tx)$/.test(lastNameOf(here.callee) ?? '')
}

const NARROWS = /^(?:columns|groupBy)$/

/** Rows with credentials, or with more than the name of a person, in the log. Needs the extract `loggedRows`. */
export function* rowsLogged(root: CapRoot): Generator<Match> {
  if (root.test) return
  const rows = root.scripts.get(loggedRows)
  if (rows.length === 0) return
  const secrets = secretsByEntity(root)
  const personal = elementsByEntity(root, (member) => personalKind(member) !== undefined)
  for (const { file, value } of rows) {
    const isKept = (name: string): boolean => !isRemoved(name, value.removed)
    const elements = secrets.get(value.entity)?.filter(isKept) ?? []
    const { start, end, part } = value
    if (elements.length === 0) {
      const told = personal.get(value.entity)?.filter(({ name }) => isKept(name)) ?? []
      const who = rowsOf(value.entity, told)
      const match = who === undefined ? undefined : personalMatch(value.entity, told, part)
      if (match !== undefined) yield toMatch({ ...match, ...(who === 'maybe' && { evidence: 'assumed' }) }, file, value)
      continue
    }
    yield {
      at: { file, span: { start, end } },
      variant: 'row',
      args: { value: quoteWord(part), entity: quoteWord(value.entity), members: listNames(elements) },
      groupKey: `row ${file} ${value.entity}`,
    }
  }
}

/** By its name, or by two kinds of what it tells: a single `pan_number` may be that of anything, and a company has an account and an address, too. */
function rowsOf(entity: string, members: readonly CapMember[]): 'people' | 'maybe' | undefined {
  const words = entityWords(entity)
  if (isOrganisation(words)) return undefined
  if (isPeople(words)) return 'people'
  const kinds = new Set(members.flatMap((member) => personalKind(member) ?? []))
  if (kinds.size < 2) return undefined
  return [...kinds].some((kind) => !OF_COMPANIES.has(kind)) ? 'people' : 'maybe'
}

const OF_COMPANIES: ReadonlySet<PersonalKind> = new Set(['mail', 'phone', 'bank'])

/** Elements with credentials by the last part of a name, where all entities that are called so have them. */
export function secretsByEntity(root: CapRoot): ReadonlyMap<string, readonly string[]> {
  return new Map([...elementsByEntity(root, isCredential)].map(([entity, own]) => [entity, own.map(({ name }) => name)]))
}

function elementsByEntity(root: CapRoot, isMeant: (member: CapMember) => boolean): ReadonlyMap<string, readonly CapMember[]> {
  const found = new Map<string, readonly CapMember[]>()
  for (const qualified of root.entities) {
    const members = [...root.membersOf(qualified).values()]
    root.step(1 + members.length)
    const own = members.filter((member) => !member.virtual && isMeant(member))
    const name = lastName(qualified)
    const before = found.get(name)
    found.set(name, before === undefined ? own : before.filter((one) => own.some((other) => other.name === one.name)))
  }
  return found
}
