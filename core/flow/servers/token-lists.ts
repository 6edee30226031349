import { calledBy } from '../../facts/own-answers.ts'
import { resolveValue, type Binding, type Value } from '../../facts/index.ts'
import { isNothing } from '../../facts/values.ts'

/** Methods of lists whose result is a list. */
const LISTING = /^(?:concat|filter|flat|flatMap|map|slice)$/
/** Values that are looked at for one condition. */
const MOST_LOOKED_AT = 100

/**
 * Whether a value is a list whatever happens before: a literal, what a name is given in all places, what callers in the file give for a parameter, what a function of the
 * file gives back, what the methods of a list make of it. `undefined` and the like are no other value.
 * `callers`: what calls within the file give a parameter.
 */
export function isList(value: Value, callers: (parameter: Binding) => readonly Value[]): boolean {
  const open = [value]
  const seen = new Set<Binding>()
  let lists = 0
  for (let visits = 0; visits < MOST_LOOKED_AT; visits++) {
    const next = open.pop()
    if (next === undefined) return lists > 0
    if (isNothing(next)) continue
    const here = resolveValue(next)
    if ('items' in here) lists++
    else {
      const name = 'binding' in here ? here.binding : undefined
      if (name !== undefined && seen.has(name)) continue
      if (name !== undefined) seen.add(name)
      const given = name === undefined ? madeOf(here) : givenTo(name, callers)
      if (given.length === 0) return false
      open.push(...given)
    }
  }
  return false
}

/** All that a name or a parameter is given, whole; nothing where nobody can tell. */
function givenTo(binding: Binding, callers: (parameter: Binding) => readonly Value[]): readonly Value[] {
  const given: Value[] = []
  for (const { kind, value, path, operator, fallback } of binding.definitions.slice(0, MOST_LOOKED_AT)) {
    if (path.length > 0 || operator !== '=') return []
    if (kind === 'parameter') given.push(...callers(binding), ...(fallback === undefined ? [] : [fallback]))
    else if (kind !== 'init' && kind !== 'assign') return []
    else if (value !== undefined) given.push(value)
  }
  return given
}

/** The values of which one is that of the expression; of a list's method the list. */
function madeOf(value: Value): readonly Value[] {
  if ('options' in value) return value.options
  if (!('callee' in value)) return []
  const { callee } = value
  if ('object' in callee && LISTING.test(callee.name ?? '')) return [callee.object]
  return calledBy(callee)?.returns ?? []
}
