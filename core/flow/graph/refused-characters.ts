import { constantOf, isOnTheWay, keyOf, keyOfName, resolveValue, type Guarded, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { negatedBy, unwrap } from '../../facts/checks.ts'
import { answersOf } from '../../facts/own-answers.ts'

/** Without it a text holds no tag; without it a text does not end in a query. */
export type Refused = '<' | "'"

/** Whether a text with this character was refused on the way: `if (/[<>]/.test(text)) return`, `if (MARKS.some((mark) => text.includes(mark))) return`. */
export function isRefused({ guards }: Guarded, value: Value, offset: number, refused: Refused): boolean {
  const key = keyOf(value)
  return (
    key !== undefined &&
    guards.some((guard) => isOnTheWay(guard, offset) && refuses(guard.test, { key, refused }, offset < guard.inside.end, 0))
  )
}

/** The same of a condition that chooses a value: `text.includes('<') ? '' : text`. */
export function isRefusedBy(test: Value, value: Value, holding: boolean, refused: Refused): boolean {
  const key = keyOf(value)
  return key !== undefined && refuses(test, { key, refused }, holding, 0)
}

interface Sought {
  readonly key: string
  readonly refused: Refused
}

const MAX_DEPTH = 6

/** @param holding on which side of the condition the value stands */
function refuses(test: Value, sought: Sought, holding: boolean, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  const inner = negatedBy(test)
  if (inner !== undefined) return refuses(inner, sought, !holding, depth + 1)
  if (test.kind === 'choice' && test.test === undefined) {
    const refusing = (part: Value): boolean => refuses(part, sought, holding, depth + 1)
    // behind `a || b` neither holds, inside `a && b` both do
    return (test.isAnd === true) === holding ? test.options.some(refusing) : test.options.every(refusing)
  }
  const { test: asked, holds, isCompared } = unwrap(test)
  if (asked.kind === 'reference') {
    const given = resolveValue(asked)
    return given !== asked && refuses(given, sought, holds === holding, depth + 1)
  }
  if (asked.kind !== 'call') return false
  if (asksFor(asked, sought, isCompared)) return holds !== holding
  const own = answersOf(asked, sought.key)
  return (
    own !== undefined &&
    own.answers.every((answer) =>
      answer.kind === 'literal'
        ? Boolean(answer.value) !== (holds === holding)
        : refuses(answer, { ...sought, key: own.key }, holds === holding, depth + 1),
    )
  )
}

/** `text.includes('<')`, `/[<>]/.test(text)`, `['<', '>'].some((mark) => text.includes(mark))`. */
function asksFor(test: Value, { key, refused }: Sought, isCompared: boolean): boolean {
  if (test.kind !== 'call' || test.callee.kind !== 'member') return false
  const { object, name } = test.callee
  const [first] = test.args
  if (first === undefined) return false
  if (name === 'some' && first.kind === 'function') {
    const [item] = first.function.parameters
    const own = item && keyOfName(item)
    const { returns } = first.function
    const isAsked = (answer: Value): boolean => {
      const { test: asked, holds } = unwrap(answer)
      if (asked.kind !== 'call' || asked.callee.kind !== 'member' || !holds) return false
      const [mark] = asked.args
      return (
        /^(?:includes|indexOf)$/.test(nameOfCallee(asked.callee) ?? '') &&
        keyOf(asked.callee.object) === key &&
        mark !== undefined &&
        keyOf(mark) === own
      )
    }
    return own !== undefined && returns.length > 0 && isListOf(object, refused) && returns.every(isAsked)
  }
  if (name === 'test') return keyOf(first) === key && matches(object, refused)
  if (keyOf(object) !== key) return false
  if (name === 'includes') return constantOf(first) === refused
  if (name === 'indexOf') return isCompared && constantOf(first) === refused
  return name === 'match' ? matches(first, refused) : name === 'search' && isCompared && matches(first, refused)
}

/** A list that has the character, or a text of characters that is walked: `[...'<>&']`. */
function isListOf(value: Value, refused: Refused): boolean {
  const list = resolveValue(value)
  if (list.kind !== 'array') return false
  return list.items.some((item) =>
    item.kind === 'spread' ? String(constantOf(item.value)).includes(refused) : constantOf(item) === refused,
  )
}

/** `/</`, `/[<>&]/`, `/<|>/`: it finds the character wherever that stands. */
function matches(value: Value, refused: Refused): boolean {
  const pattern = resolveValue(value)
  if (pattern.kind !== 'regex') return false
  return pattern.pattern.split('|').some((part) => {
    const [, listed] = /^\(?(?:\?:)?(?:\[([^\]^][^\]]{0,200})\]|\\?[<'])[+]?\)?$/.exec(part) ?? []
    return listed === undefined ? /^\(?(?:\?:)?\\?(.)[+]?\)?$/.exec(part)?.[1] === refused : listed.includes(refused)
  })
}
