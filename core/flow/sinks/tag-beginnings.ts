import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { FlowDraft } from '../graph/draft.ts'

const MAX_DEPTH = 6
const TAG = /^\s*</
/** What leaves the beginning of a text, mostly. */
const KEEPS: ReadonlySet<string> = new Set(['trim', 'replace', 'replaceAll', 'concat', 'toString', 'split', 'reverse'])

/** Whether a text may begin with a tag, put together by whatever names, lists and functions of the file: `$(rowOf(order))` makes elements then. */
export function mayBeginWithTag(value: Value, draft: FlowDraft, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  draft.step()
  const may = (one: Value | undefined): boolean => one !== undefined && mayBeginWithTag(one, draft, depth + 1)
  const here = resolveValue(value)
  const constant = constantOf(here)
  if (constant !== undefined) return TAG.test(String(constant))
  switch (here.kind) {
    case 'concat':
      return may(here.parts.find((part) => !isBlank(part)))
    case 'template': {
      const [text = ''] = here.texts
      return text.trim() === '' ? may(here.parts[0]) : TAG.test(text)
    }
    case 'choice':
      return here.options.some(may)
    case 'array':
      return may(here.items[0])
    case 'reference':
      return (here.binding?.definitions ?? []).some(
        ({ operator, path, value: given }) => operator === '=' && path.length === 0 && may(given),
      )
    case 'call':
      return beginningsOf(here, draft).some(may)
    default:
      return false
  }
}

const isBlank = (part: Value): boolean => {
  const constant = constantOf(part)
  return typeof constant === 'string' && constant.trim() === ''
}

function beginningsOf({ callee, args }: CallValue, draft: FlowDraft): readonly Value[] {
  const called = draft.owners.functionsBehind(callee)
  if (called.length > 0) return called.flatMap(({ returns }) => returns)
  if (callee.kind !== 'member' || callee.name === undefined) return []
  const { object, name } = callee
  if (name === 'join') return [...(object.kind === 'reference' ? (object.binding?.additions.slice(0, 1) ?? []) : []), object]
  if (name === 'map') return functionOf(args[0])?.returns ?? []
  return KEEPS.has(name) ? [object] : []
}
