import { accessesOf, constantOf, findPart, keyOf, resolveValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Names, choices and functions followed to where an object is picked. */
const MAX_DEPTH = 4
const MAX_DEFINITIONS = 4

/**
 * The keys by which an object was picked out of another one, if that may be its prototype: `settings[section]`, also by a name, with something else where
 * there is none, or by a function of the file.
 */
export function keysBehind(value: Value, draft: FlowDraft, depth = 0): readonly Value[] {
  draft.step()
  if (depth > MAX_DEPTH) return []
  switch (value.kind) {
    case 'member': {
      const { object, property, name } = value
      const isPicked = property !== undefined && name === undefined && constantOf(property) === undefined
      return isPicked && !hasNoPrototype(object) ? [property] : []
    }
    case 'choice': {
      const keys = value.options.flatMap((option) => keysBehind(option, draft, depth + 1))
      const { test } = value
      return test === undefined ? keys : keys.filter((key) => !isAskedFor(test, key))
    }
    case 'reference': {
      const definitions = value.binding?.definitions ?? []
      if (definitions.length > MAX_DEFINITIONS) return []
      return definitions.flatMap(({ kind, value: given, path }) =>
        given === undefined || path.length > 0 || (kind !== 'init' && kind !== 'assign') || given.kind === 'reference'
          ? []
          : keysBehind(given, draft, depth + 1),
      )
    }
    case 'call': {
      const called = functionOf(value.callee)
      return called === undefined ? [] : called.returns.flatMap((given) => keysBehind(given, draft, depth + 1))
    }
    default:
      return []
  }
}

/** `Object.create(null)`. */
function hasNoPrototype(object: Value): boolean {
  const made = resolveValue(object)
  return (
    made.kind === 'call' &&
    made.args[0]?.kind === 'literal' &&
    made.args[0].value === null &&
    accessesOf(made.callee).some(({ root, steps }) => root === 'global:Object' && steps.join(' ') === 'create')
  )
}

/** `Object.hasOwn(settings, section) ? settings[section] : {}`. */
function isAskedFor(test: Value, key: Value): boolean {
  const own = keyOf(key)
  return own !== undefined && findPart(test, (part) => part !== test && keyOf(part) === own) !== undefined
}
