import type { FlowCheck, PassedCheck } from './check-types.ts'
import type { Connect } from './joined-edges.ts'
import { fileAt, type Bases, type Filled, type JoinedCall } from './joined-graph.ts'
import { PLAIN_VALUE } from './field-marks.ts'
import type { LinkedFile } from './links.ts'
import { CHECKED_FIELDS } from './places.ts'
import { CLEAN, COPY, MOVE } from './types.ts'

interface Joined {
  readonly checks: ReadonlyMap<number, readonly FlowCheck[]>
  readonly files: readonly LinkedFile[]
  readonly bases: Bases
  readonly calls: readonly JoinedCall[]
  readonly argumentsAt: ReadonlyMap<number, readonly Filled[]>
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
}

/** Values that were handed to functions before: what those have checked, no longer comes by the way that it came. Adds to the nodes that are cut off. */
export function connectPassed(joined: Joined, cut: Set<number>, connect: Connect): boolean {
  const { files, bases, checks } = joined
  let isAny = false
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const passed of flow.passed ?? []) {
      if (checks.size === 0 && passed.isBelieved !== true) continue
      const [first, ...others] = parametersOf(passed, base, joined).map((parameter) =>
        edgeBehind(passed, checks.get(parameter) ?? []),
      )
      const isKnown = first !== undefined && others.every((other) => other?.name === first.name)
      if (!isKnown && passed.isBelieved !== true) continue
      isAny = true
      cut.add(base + passed.between)
      // what is known of a part of it does not speak against the rest
      if (!isKnown || (passed.isBelieved === true && first.operation === MOVE)) continue
      if (first.operation !== CLEAN || first.name !== '')
        connect(base + passed.from, base + passed.to, first.operation, first.name)
    }
  }
  return isAny
}

/** The parameters that got the value, or its request. */
function parametersOf(
  { by }: PassedCheck,
  base: number,
  { files, bases, calls, argumentsAt, functionsAt }: Joined,
): readonly number[] {
  if (!('front' in by))
    return (argumentsAt.get(base + by.given) ?? []).flatMap(({ call, parameter }) =>
      calls[call]?.result === base + by.result ? parameter : [],
    )
  return [...(functionsAt.get(base + by.front) ?? [])].flatMap((index) => {
    const file = fileAt(bases.functions, index)
    const [request] = files[file]?.flow.functions[index - (bases.functions[file] ?? 0)]?.parameters ?? []
    return request === undefined ? [] : (bases.nodes[file] ?? 0) + request
  })
}

/** What a function makes of a value that was given to it, or of one that lies in or around that; undefined: it looks at nothing of it. */
function edgeBehind(
  { form, path, within, isAwaited }: PassedCheck,
  checks: readonly FlowCheck[],
): { readonly operation: number; readonly name: string } | undefined {
  // a promise is true, and what nobody waits for stops nothing
  const own = checks.filter(
    (check) => check.form === form && (check.isPromised !== true || isAwaited === true || form === 'refuses'),
  )
  if (own.length === 0) return checks.some((check) => check.form === form) ? { operation: COPY, name: '' } : undefined
  const same = within.length > 0 ? undefined : own.find(({ path: checked = [] }) => checked.join('.') === path.join('.'))
  if (same !== undefined) return { operation: CLEAN, name: (same.cleans ?? []).join(' ') }
  const marks = own.flatMap(({ path: checked = [], cleans }) => {
    if (!path.every((name, index) => checked[index] === name)) return []
    const inner = [...within, ...checked.slice(path.length)].join('.')
    if (inner === '') return []
    if (cleans === undefined) return [`-${inner}`]
    return cleans.includes(PLAIN_VALUE) ? [`~${inner}`] : []
  })
  return marks.length === 0 ? { operation: COPY, name: '' } : { operation: MOVE, name: `${CHECKED_FIELDS}${marks.join(' ')}` }
}
