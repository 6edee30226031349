import { pathsOf, resolveValue, type Assignment, type Binding, type Value } from '../../facts/index.ts'
import { append } from '../../lists.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FILLING } from '../models/collections.ts'
import { isRouterMade } from '../servers/routers.ts'
import { MODULE_STORE } from '../types.ts'
import { bindingNode } from '../values/named-values.ts'
import { writeInto } from '../values/writes.ts'

type Field = readonly [key: string | undefined, value: Value]

/** Who mounts a router of a file, makes it a part of the app: adds those that an export of the file holds, itself or in objects in it. */
export function createRouterExports(draft: FlowDraft): (value: Value, path: readonly string[]) => void {
  let assigned: ReadonlyMap<Binding, readonly Assignment[]> | undefined
  let looked = 0

  /** Of `const api = { router }`, `api.router = router`, `Object.assign({ router }, more)`; what the objects bring that are put into this one, has no key. */
  const fieldsOf = (value: Value, seen: Set<object>): readonly Field[] => {
    const made = resolveValue(value)
    const isFirst = !seen.has(made)
    if ('fields' in made) {
      const own = isFirst ? made.fields.map(({ key, value: field }): Field => [key, field]) : []
      seen.add(made)
      const binding = 'binding' in value ? value.binding : undefined
      if (binding === undefined || seen.has(binding)) return own
      seen.add(binding)
      const added = (assigned ??= assignmentsIn(draft)).get(binding) ?? []
      return [...own, ...added.map(({ target, value: field }): Field => [target.name, field])]
    }
    const isFilled = 'callee' in made && pathsOf(made.callee).some((path) => FILLING.test(path.join(' ')))
    if (!isFilled || !isFirst) return []
    seen.add(made)
    return made.args.map((given): Field => [undefined, given])
  }

  return (exported, start) => {
    // each object once, where it is reached by the shortest way: objects may hold each other
    const seen = new Set<object>()
    let open: readonly (readonly [Value, readonly string[]])[] = [[exported, start]]
    for (let depth = 0; open.length > 0; depth++) {
      const inside: (readonly [Value, readonly string[]])[] = []
      for (const [value, path] of open) {
        draft.step()
        addRouter(value, path, draft)
        if (depth >= MAX_DEPTH || looked >= MAX_FIELDS) continue
        const fields = fieldsOf(value, seen)
        looked += fields.length
        for (const [key, field] of fields) inside.push([field, key === undefined ? path : [...path, key]])
      }
      open = inside
    }
  }
}

function addRouter(value: Value, path: readonly string[], draft: FlowDraft): void {
  const isPassedOn = PASSES_ON.test(draft.path) && (value.kind === 'reference' || value.kind === 'call')
  if (isPassedOn) {
    const node = draft.graph.add(value)
    draft.ends.ports.push({ node, access: 'read', store: MODULE_STORE, path })
    writeInto(value, node, draft)
  } else if (value.kind === 'reference' && value.binding !== undefined && isRouterMade(value))
    draft.ends.ports.push({ node: bindingNode(value.binding, draft), access: 'read', store: MODULE_STORE, path })
}

function assignmentsIn({ facts: { assignments }, step }: FlowDraft): ReadonlyMap<Binding, readonly Assignment[]> {
  const found = new Map<Binding, Assignment[]>()
  step(assignments.length)
  for (const one of assignments) {
    const { object } = one.target
    if ('binding' in object && object.binding !== undefined) append(found, object.binding, one)
  }
  return found
}

/** Objects in objects. */
const MAX_DEPTH = 4
/** Of a file; of what it exports beyond, the values themselves are looked at. */
const MAX_FIELDS = 2000

/** A file that hands on what others export. */
const PASSES_ON = /(?:^|\/)index\.[cm]?[jt]s$/
