import { constantOf, stringConstantOf, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { groupBy } from '../../../lists.ts'
import { entityOfUpdate, isState } from './decided-states.ts'

/** A state that a row of an entity has to have. */
export interface StateGiven {
  readonly entity: string
  readonly element: string
}

/** Characters of a text that are looked at. */
const LONGEST = 300

/** `status` of `UPDATE(Claims).set(…).where({ ID, status: 'OPEN' })`, whose result somebody asks for; of its texts as well. */
export function statesGiven({ entity, args, texts, isAside }: UpdateCondition): StateGiven[] {
  if (isAside) return []
  const named = args.flatMap((given, index) => {
    if ('fields' in given) return given.fields.flatMap(({ key, value }) => (key !== undefined && isFixed(value) ? key : []))
    const text = texts === undefined ? stringConstantOf(given) : undefined
    const next = args[index + 1]
    // where('ID =', ID, 'and status =', 'OPEN')
    return text === undefined ? [] : elementsOf(next !== undefined && isFixed(next) ? `${text} ''` : text)
  })
  return [...named, ...(texts ?? []).flatMap(elementsOf)].flatMap((element) => (isState(element) ? { entity, element } : []))
}

/** A constant, or `{ in: ['OPEN', 'FILED'] }`. */
function isFixed(value: Value): boolean {
  if ('items' in value) return value.items.every((item) => constantOf(item) !== undefined)
  return 'fields' in value ? value.fields.every((field) => isFixed(field.value)) : constantOf(value) !== undefined
}

/** `status` of `ID = … and status = 'OPEN'` and of `status in ('OPEN', 'FILED')`. */
function elementsOf(text: string): string[] {
  return [...text.slice(0, LONGEST).matchAll(/\b(\w{1,60})\s{0,9}(?:[=<>!]{1,2}|\bin\b)[\s(]{0,9}'/g)].flatMap(
    ([, name]) => name ?? [],
  )
}

/** What the where of an UPDATE says. */
export interface UpdateCondition extends Pick<CallValue, 'args'> {
  readonly texts: readonly string[] | undefined
  readonly entity: string
  /** Nobody asks for the result: `await UPDATE(Steps).set(…).where({ status: 'OPEN' })` as a statement. */
  readonly isAside: boolean
}

/** The conditions of all UPDATE statements among the calls of a function. `text`: of the file. */
export function* conditionsOf(calls: readonly CallValue[], text: string): Generator<UpdateCondition> {
  const chains = groupBy(calls, ({ start }) => start)
  for (const call of calls) {
    const entity = entityOfUpdate(call)?.entity
    const chain = entity === undefined ? undefined : chains.get(call.start)
    if (entity === undefined || chain === undefined || chain.length > LONGEST_CHAIN) continue
    const outer = chain.reduce((one, other) => (other.end > one.end ? other : one))
    if (!/^(?:where|and|set|with|data)$/.test(lastNameOf(outer.callee) ?? '')) continue
    const isAside = isStatement(text, call.start, outer.end)
    for (const { callee, args, texts } of chain)
      if (/^(?:where|and)$/.test(lastNameOf(callee) ?? '')) yield { entity, args, texts, isAside }
  }
}

const LONGEST_CHAIN = 12

/** A query is a statement, also as what a transaction runs: nothing in front of it or behind takes its result. */
function isStatement(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_LEAD), start)
  const run = RUN.exec(before)?.[0] ?? ''
  const behind = text.slice(end, end + LONGEST_LEAD)
  const rest = run.includes('(') ? behind.replace(/^\s{0,99}\)/, '') : behind
  if (!ENDS.test(rest)) return false
  const lines = before.slice(0, before.length - run.length).split('\n')
  const own = lines.pop() ?? ''
  // comments on lines of their own say nothing
  while (lines.length > 0 && /^\s*(?:\/\/|$)/.test(lines.at(-1) ?? '')) lines.pop()
  const above = (lines.at(-1) ?? '').trimEnd()
  if (own.trim() !== '') return /[;{}]$/.test(own.trimEnd())
  if (above === '' || above.includes('//') || above.endsWith('*/')) return false
  return !/(?:[=(,?:&|!<>+\-*/[]|\breturn)$/.test(above)
}

const LONGEST_LEAD = 400
/** `await tx.run(` */
const RUN = /(?:\bawait\s{1,9})?(?:\b[\w.()]{1,60}\.run\s?\(\s{0,99}|$)$/
/** A statement ends, or another begins on the next line. */
const ENDS = /^[^\S\n]{0,99}(?:;|\}|$|\n\s{0,99}(?:[\w$}@'"`]|$))/
