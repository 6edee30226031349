import { listNames } from '../../../arguments.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import { isCredential, type CapRoot } from '../../../model/cap/index.ts'
import { createDevelopmentReader, isDeployedCode, isLogCall } from '../../../model/script/index.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import { baseOf, entityOf, serviceRead } from '../_handlers/query-chains.ts'
import { lastName } from '../../../paths.ts'

/** A log statement that writes rows with all their elements, as they were read. */
export interface LoggedRow extends Span {
  readonly part: string
  readonly entity: string
  /** Elements that are taken out of the row, or overwritten. */
  readonly removed: readonly string[]
}

/** `const row = await SELECT.one.from(Sensors, id); console.log(row)`. Fact: capire, "Querying in JavaScript": without columns a query gives all elements. */
export const loggedRows: Extract<LoggedRow> = defineExtract({
  name: 'cap-logged-rows',
  keywords: ['SELECT', '.read('],
  prefilter: (text) => /\.(?:log|info|warn|error|debug)\s{0,9}\(/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findLogged(facts, text, step)],
})

const QUIET = /^(?:debug|trace)$/

function* findLogged(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<LoggedRow> {
  const isForDevelopers = createDevelopmentReader(facts)
  for (const call of facts.calls) {
    step()
    if (!isLogCall(call) || QUIET.test(lastNameOf(call.callee) ?? '') || isForDevelopers(call)) continue
    for (const part of call.args.flatMap((argument) => writtenParts(argument))) {
      const entity = part.kind === 'reference' ? readEntity(part) : undefined
      if (part.kind !== 'reference' || entity === undefined) continue
      step(facts.deletions.length + facts.assignments.length)
      const removed = [...facts.deletions, ...facts.assignments.map(({ target }) => target)].flatMap(({ object, name }) =>
        name !== undefined && lastNameOf(object) === part.name ? name : [],
      )
      yield { start: part.start, end: part.end, part: excerptOf(text, part), entity, removed }
    }
  }
}

/** The entity of which a name holds whole rows. */
function readEntity(name: Value): string | undefined {
  return wholeRowsOf(name)?.entity
}

/** The query that a value holds the whole rows of. */
export function wholeRowsOf(value: Value): { readonly entity: string; readonly query: CallValue } | undefined {
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

/** Rows with credentials in the log. Needs the extract `loggedRows`. */
export function* rowsLogged(root: CapRoot): Generator<Match> {
  if (root.test) return
  const rows = root.scripts.get(loggedRows)
  if (rows.length === 0) return
  const secrets = secretsByEntity(root)
  for (const { file, value } of rows) {
    const elements = secrets.get(value.entity)?.filter((name) => !value.removed.includes(name)) ?? []
    if (elements.length === 0) continue
    const { start, end, part } = value
    yield {
      at: { file, span: { start, end } },
      variant: 'row',
      args: { value: quoteWord(part), entity: quoteWord(value.entity), members: listNames(elements) },
      groupKey: `row ${file} ${value.entity}`,
    }
  }
}

/** Elements with credentials by the last part of a name, where all entities that are called so have them. */
export function secretsByEntity(root: CapRoot): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const qualified of root.entities) {
    const members = [...root.membersOf(qualified).values()]
    root.step(1 + members.length)
    const own = members.flatMap((member) => (isCredential(member) && !member.virtual ? member.name : []))
    const name = lastName(qualified)
    const before = found.get(name)
    found.set(name, before === undefined ? own : before.filter((one) => own.includes(one)))
  }
  return found
}
