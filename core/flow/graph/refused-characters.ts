import { constantOf, keyOf, keyOfName, resolveValue, type Guarded, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { unwrap } from '../../facts/conditions.ts'
import { decides, isDecided, type Question } from './decisions.ts'

/** Without it a text holds no tag; does not end in a query; does not leave a folder. */
export type Refused = '<' | "'" | '..' | '/'

/** Whether a text with this character was refused on the way: `if (/[<>]/.test(text)) return`, `if (MARKS.some((mark) => text.includes(mark))) return`. */
export function isRefused(guarded: Guarded, value: Value, offset: number, refused: Refused): boolean {
  const question = questionOf(value, refused)
  return question !== undefined && isDecided(guarded, offset, question)
}

/** The same of a condition that chooses a value: `text.includes('<') ? '' : text`. */
export function isRefusedBy(test: Value, value: Value, holding: boolean, refused: Refused): boolean {
  const question = questionOf(value, refused)
  return question !== undefined && decides(test, holding, question)
}

function questionOf(value: Value, refused: Refused): Question | undefined {
  const key = keyOf(value)
  return key === undefined
    ? undefined
    : { key, wanted: false, asks: (test, own, isCompared) => asksFor(test, { key: own, refused }, isCompared) }
}

interface Sought {
  readonly key: string
  readonly refused: Refused
}

/** `text.includes('<')`, `/[<>]/.test(text)`, `['<', '>'].some((mark) => text.includes(mark))`. */
function asksFor(test: Value, { key, refused }: Sought, isCompared: boolean): boolean {
  if (test.kind !== 'call' || test.callee.kind !== 'member') return false
  const { object, name } = test.callee
  const [first] = test.args
  if (first === undefined) return false
  if ((name === 'some' || name === 'find') && first.kind === 'function') {
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
  if (name === 'includes') return isRefusedText(first, refused)
  if (name === 'indexOf') return isCompared && isRefusedText(first, refused)
  return name === 'match' ? matches(first, refused) : name === 'search' && isCompared && matches(first, refused)
}

/** The text itself, or each of a list: `for (const mark of MARKS) if (text.includes(mark)) return`. */
function isRefusedText(value: Value, refused: Refused): boolean {
  const [each] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (each?.kind === 'each') return each.value !== undefined && each.path.length === 0 && isListOf(each.value, refused)
  return constantOf(value) === refused
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
