import type { AskedValue, FlowCheck, ProvedField, FlowRefusal } from '../check-types.ts'
import { toMark } from '../field-marks.ts'
import type { Connect } from '../app/joined-edges.ts'
import { fileAt, type Bases, type Filled, type JoinedCall } from '../app/joined-graph.ts'
import type { LinkedFile, Linker } from '../app/links.ts'
import { append } from '../../lists.ts'
import { CHECKED_FIELDS } from '../places.ts'
import { cleansOf } from '../tables/harmless.ts'
import { CLEAN, COPY, MOVE, type FlowSource } from '../types.ts'
import { isAllowed } from '../../conditions/constraint.ts'
import { lastName } from '../../paths.ts'

interface Joined {
  readonly checks: ReadonlyMap<number, readonly FlowCheck[]>
  readonly files: readonly LinkedFile[]
  readonly linker: Linker
  readonly bases: Bases
  readonly calls: readonly JoinedCall[]
  readonly argumentsAt: ReadonlyMap<number, readonly Filled[]>
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
}

/** What is left of a value behind a check; `gone`: it is harmless for all rules. */
type CheckedEdge = readonly [operation: number, name: string] | 'gone'

/** By the node of a parameter: what its function checks of it. */
export function checksAt(files: readonly LinkedFile[], bases: readonly number[]): ReadonlyMap<number, readonly FlowCheck[]> {
  const found = new Map<number, FlowCheck[]>()
  for (const [file, { flow }] of files.entries())
    for (const { checks, parameters } of flow.functions)
      for (const check of checks ?? []) {
        const node = parameters[check.parameter]
        if (node !== undefined) append(found, (bases[file] ?? 0) + node, check)
      }
  return found
}

/** Values that somebody was asked about before: as far as those have checked them, they no longer come by the way that they came. Adds to the nodes that are cut off. */
export function connectAsked(joined: Joined, cut: Set<number>, connect: Connect): boolean {
  let isAny = false
  for (const [file, { flow }] of joined.files.entries()) {
    const base = joined.bases.nodes[file] ?? 0
    for (const asked of flow.asked ?? []) {
      const [first, ...others] = edgesBehind(asked, file, joined)
      const isKnown = first !== undefined && others.every((other) => String(other) === String(first))
      if (!isKnown && asked.isBelieved !== true) continue
      isAny = true
      cut.add(base + asked.between)
      if (!isKnown || first === 'gone') continue
      // what is known of a part of it does not speak against the name of a function
      if (asked.isBelieved !== true || first[0] !== MOVE || 'schema' in asked.by)
        connect(base + asked.from, base + asked.to, ...first)
    }
  }
  return isAny
}

/** What each of those who were asked leaves of the value; undefined: it looks at nothing of it. */
function edgesBehind(asked: AskedValue, file: number, joined: Joined): readonly (CheckedEdge | undefined)[] {
  const { by } = asked
  if ('schema' in by) {
    const target = joined.linker.fileOf(file, by.schema.source)
    const schema = joined.files[target ?? -1]?.flow.exports.schemas?.find(({ name }) => name === by.schema.name)
    return schema === undefined ? [] : [checkedEdge(schema.proved, asked)]
  }
  if (joined.checks.size === 0) return []
  return parametersOf(by, joined.bases.nodes[file] ?? 0, joined).map((parameter) => {
    const checks = (joined.checks.get(parameter) ?? []).filter(({ form }) => asked.forms.includes(form))
    // a promise is true, and what nobody waits for stops nothing
    const own = checks.filter(({ form, isPromised }) => isPromised !== true || asked.isAwaited === true || form === 'refuses')
    return checks.length === 0 ? undefined : checkedEdge(own, asked)
  })
}

/** The parameters that got the value, or its request. */
function parametersOf(
  by: Exclude<AskedValue['by'], { readonly schema: unknown }>,
  base: number,
  { files, bases, calls, argumentsAt, functionsAt }: Joined,
): readonly number[] {
  if ('call' in by)
    return (argumentsAt.get(base + by.given) ?? []).flatMap(({ call, parameter }) =>
      calls[call]?.result === base + by.call ? parameter : [],
    )
  return [...(functionsAt.get(base + by.front) ?? [])].flatMap((index) => {
    const file = fileAt(bases.functions, index)
    const [request] = files[file]?.flow.functions[index - (bases.functions[file] ?? 0)]?.parameters ?? []
    return request === undefined ? [] : (bases.nodes[file] ?? 0) + request
  })
}

/** What is left of a value of which this is proved, of one that lies in it (`path`), or of one that it lies in (`within`). */
export function checkedEdge(
  proved: readonly ProvedField[],
  { path, within }: Pick<AskedValue, 'path' | 'within'> = { path: [], within: [] },
): CheckedEdge {
  const here = path.join('.')
  const same = proved.filter((one) => within.length === 0 && (one.path ?? []).join('.') === here)
  const whole = cleansOf(same.flatMap(({ proofs }) => proofs))
  if (whole !== undefined) return whole === 'all' ? 'gone' : [CLEAN, whole.join(' ')]
  const marks = proved.flatMap(({ path: checked = [], proofs }) => {
    if (!path.every((name, index) => checked[index] === name)) return []
    const inner = [...within, ...checked.slice(path.length)].join('.')
    const cleans = inner === '' ? undefined : cleansOf(proofs)
    return cleans === undefined ? [] : [toMark(inner, cleans)]
  })
  return marks.length === 0 ? [COPY, ''] : [MOVE, CHECKED_FIELDS + marks.join(' ')]
}

/** Tells the fields of a request's data that handlers of the phase before refuse where they have the wrong form. */
export function createRefusalReader(
  files: readonly LinkedFile[],
  bases: readonly number[],
  checks: ReadonlyMap<number, readonly FlowCheck[]>,
  argumentsAt: ReadonlyMap<number, readonly Filled[]>,
): (source: FlowSource) => readonly string[] {
  const byEvent = new Map<string, { readonly handled: FlowRefusal['handled']; readonly fields: readonly string[] }[]>()
  for (const [file, { flow }] of files.entries())
    for (const { handled, fields, given } of flow.server?.refusals ?? []) {
      const called = given.flatMap(({ node, path }) =>
        fieldsBehind(path, argumentsAt.get((bases[file] ?? 0) + node) ?? [], checks),
      )
      const all = [...fields, ...called]
      if (all.length > 0) for (const event of handled.events) append(byEvent, event, { handled, fields: all })
    }
  if (byEvent.size === 0) return () => []
  return ({ handled, isBehind }) => {
    const [event, ...others] = handled?.events ?? []
    if (handled === undefined || isBehind !== true || event === undefined) return []
    const refused = (name: string): readonly string[] =>
      [...(byEvent.get(name) ?? []), ...(byEvent.get('*') ?? [])].flatMap((one) =>
        covers(one.handled, handled) ? one.fields : [],
      )
    return refused(event).filter((field) => others.every((other) => refused(other).includes(field)))
  }
}

/** Whether a handler runs for all that another one runs for. */
export function covers(before: FlowRefusal['handled'], { service, entities }: FlowRefusal['handled']): boolean {
  const isSame = before.service === undefined || service === undefined || lastName(before.service) === lastName(service)
  return isSame && (before.entities === undefined || (entities?.every((name) => before.entities?.includes(name)) ?? false))
}

/** The fields of the data that all functions refuse to which it is given. */
function fieldsBehind(
  path: readonly string[],
  given: readonly Filled[],
  checks: ReadonlyMap<number, readonly FlowCheck[]>,
): readonly string[] {
  const [first, ...others] = given.map(({ parameter }) =>
    (checks.get(parameter) ?? []).flatMap(({ form, path: inner = [], proofs }) => {
      const [root, field, ...deeper] = [...path, ...inner]
      const isWhole = proofs.some(isAllowed)
      return form === 'throws' && root === 'data' && field !== undefined && deeper.length === 0 && isWhole ? [field] : []
    }),
  )
  return (first ?? []).filter((field) => others.every((other) => other.includes(field)))
}
