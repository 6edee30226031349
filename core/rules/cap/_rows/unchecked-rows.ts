import {
  accessesOf,
  findPart,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'

/** A write of the row that one field of the request names, behind a check of the row that another one names. */
export interface UncheckedRow extends Span {
  /** `Invites`, or what the functions call it: `Interlock`. */
  readonly entity: string
  /** As written: the field by which the checked row was read, that by which the row is written, and the name of the checked row. */
  readonly checkedBy: string
  readonly writtenBy: string
  readonly row: string
  /** Functions of the project read and write it, by their names. */
  readonly isNamed: boolean
}

/** A row that was read for one field of the request. */
interface ReadRow {
  readonly entity: string
  readonly row: Binding
  readonly field: Field
  readonly read: Span
}

/** A step that writes the row with a certain key. */
interface Write extends Span {
  readonly entity: string
  readonly field: Field
  readonly call: CallValue
}

/** A field of a parameter: `req.data.code`, `{ code } = req.data`, `invite.code`. */
interface Field {
  readonly of: Binding
  readonly path: string
  readonly name: string
}

export function* uncheckedRows(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<UncheckedRow> {
  const rows: ReadRow[] = []
  const writes: Write[] = []
  for (const { base, kind, entity, terms, last } of scriptQueries(facts, step)) {
    step()
    const [term, another] = terms
    const field = term && another === undefined ? fieldOf(term.value) : undefined
    if (field === undefined) continue
    if (kind === 'read') rows.push(...rowsOf(last, facts).map((row) => ({ entity, row, field, read: last })))
    else if (CHANGES.has(kind) && term !== undefined && ID.test(term.column))
      writes.push({ entity, field, call: last, start: base.start, end: last.end })
  }
  const named = new Set<Span>()
  for (const call of facts.calls) {
    step()
    const { callee, args } = call
    const name = lastNameOf(callee) ?? ''
    const [first, another] = args
    const noun = first !== undefined && another === undefined ? READER.exec(name)?.[1] : undefined
    const field = noun === undefined || first === undefined ? undefined : fieldOf(first)
    if (noun !== undefined && field !== undefined)
      rows.push(...rowsOf(call, facts).map((row) => ({ entity: noun, row, field, read: call })))
    const key = WRITER.test(name) && args[0] !== undefined ? fieldOf(args[0]) : undefined
    if (key === undefined) continue
    named.add(call)
    writes.push({ entity: name, field: key, call, start: call.start, end: call.end })
  }
  if (rows.length === 0 || writes.length === 0) return
  const refuses = createRefusalReader(facts, text)
  const guardsIn = groupBy(facts.guards, (guard) => guard.function)
  const rowsIn = groupBy(rows, ({ row }) => row.function)
  const rowsBy = groupBy(rows, ({ field }) => field.of)
  const reported = new Set<string>()
  for (const write of writes) {
    const { start, end, field, call } = write
    const isNamed = named.has(call)
    const guards = guardsIn.get(call.function) ?? []
    for (const { entity, row, field: checked, read } of rowsIn.get(call.function) ?? []) {
      step(1 + guards.length)
      if (read.end > start || !isWithin(read, call.function)) continue
      if (checked.of !== field.of || checked.path === field.path) continue
      if (isNamed ? !isSame(entity, write.entity, field.name) : entity !== write.entity) continue
      // what is written is told by the row, too
      if (mentions(call, row)) continue
      const front = guards.filter((guard) => guard.start > read.end && guard.end <= start && refuses(guard))
      const isChecked = front.some(({ test }) => looksInto(test, row) || (PROOF.test(checked.name) && mentions(test, row)))
      if (!isChecked || isCompared(guards, field, call)) continue
      const others = rowsBy.get(field.of) ?? []
      step(others.length * (1 + guards.length))
      if (isReadToo(others, (of) => guardsIn.get(of) ?? [], field, write)) continue
      const key = `${call.function.start} ${entity}`
      if (reported.has(key)) break
      reported.add(key)
      yield { start, end, entity, checkedBy: written(checked), writtenBy: written(field), row: row.name, isNamed }
      break
    }
  }
}

const CHANGES: ReadonlySet<string> = new Set(['update', 'delete'])
const ID = /(?:^|_)(?:id|uuid|guid|key)$|[a-z](?:Id|ID|UUID|Uuid)$/i
/** That there is such a row is a check where not everybody knows the field. */
const PROOF = /code|hash|token|secret|otp|pin$|password|nonce/i
/** `getInviteByHash`, `loadInvite`; `getInvites` gives many. */
const READER = /^(?:get|find|load|read|fetch|select)([A-Z]\w{2,40}?)(?:By[A-Z]\w{0,40})?$/
const WRITER =
  /^(?:set|update|upd|change|delete|del|remove|deactivate|activate|approve|reject|cancel|close|confirm|accept|archive|mark)(?=[A-Z])/

/** `setInterlockStatus(body.interlock_id, …)` writes what `getInterlockByHash(…)` reads. */
function isSame(noun: string, writer: string, field: string): boolean {
  const after = writer.replace(WRITER, '')
  const key = field.replaceAll('_', '').toLowerCase()
  if (!after.startsWith(noun) || /^[a-z]/.test(after.slice(noun.length))) return false
  return key === 'id' || (key.startsWith(noun.toLowerCase()) && ID.test(field))
}

function written({ of, path }: Field): string {
  return `${of.name}.${path}`
}

/** One field of what clients send, as it is. */
function fieldOf(value: Value): Field | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const name = steps.at(-1)
    if (binding?.kind !== 'parameter' || name === undefined || !steps.every((one) => /^\w+$/.test(one))) continue
    // who asks is no choice of the client
    if (steps.some((one) => /^(?:user|session|auth\w*|headers|tenant)$/i.test(one))) continue
    return { of: binding, path: steps.join('.'), name }
  }
  return undefined
}

/** The name that gets what a call gives: `const invite = await SELECT.one.from(Invites).where(…)`. */
function rowsOf(call: CallValue, { bindings }: ScriptFacts): readonly Binding[] {
  return bindings.filter(({ definitions: [definition, another] }) => {
    const given = definition?.value
    if (given === undefined || another !== undefined || definition === undefined || definition.path.length > 0) return false
    return given.end === call.end && given.start <= call.start && call.start - given.start <= MAX_AWAIT
  })
}

/** The length of `await ` and a little white space. */
const MAX_AWAIT = 12

function mentions(value: Value, row: Binding): boolean {
  return findPart(value, (part) => 'binding' in part && part.binding === row) !== undefined
}

/** `row.state`, and not only whether there is a row. */
function looksInto(test: Value, row: Binding): boolean {
  return findPart(test, (part) => 'object' in part && 'binding' in part.object && part.object.binding === row) !== undefined
}

/** A condition in front looks at the field that names the row: it may compare it with the row, or with what the user may. */
function isCompared(guards: readonly Guard[], { of, path }: Field, { start, end }: CallValue): boolean {
  return guards.some(
    ({ test, ...guard }) =>
      guard.end <= start &&
      !isElsewhere(guard, { start, end }, guards) &&
      findPart(test, (part) => {
        const found = 'object' in part || 'binding' in part ? fieldOf(part) : undefined
        return found?.of === of && found.path === path
      }) !== undefined,
  )
}

/** The row that is written was read as well. */
function isReadToo(
  rows: readonly ReadRow[],
  guardsOf: (around: FunctionFact) => readonly Guard[],
  { of, path }: Field,
  write: Write,
): boolean {
  const { call } = write
  return rows.some(
    ({ row, field, read }) =>
      field.of === of &&
      field.path === path &&
      read.end <= write.start &&
      !isElsewhere(read, write, guardsOf(call.function)) &&
      !isElsewhere(read, write, row.function === call.function ? [] : guardsOf(row.function)),
  )
}

/** In a branch that does not lead to the write. */
function isElsewhere(place: Span, write: Span, guards: readonly Guard[]): boolean {
  return guards.some(({ inside }) => isWithin(place, inside) && !isWithin(write, inside))
}
