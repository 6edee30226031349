import { stringConstantOf, keyOf, keyOfName, resolveValue, type Value } from '../../facts/index.ts'
import { type Constraint, toConstraints } from '../constraint.ts'
import { askedIn, methodOf, type Asked, type MethodCall } from '../asked.ts'
import { textsFound } from '../pattern-texts.ts'

/** Texts that do not occur in a value: `text.includes('<')` that fails, `/[<>]/.test(text)`, `MARKS.some((mark) => text.includes(mark))`. */
export function refusedCharacters({ test, holds, isCompared }: Asked): readonly Constraint[] {
  const method = methodOf(test)
  const [first] = method?.args ?? []
  if (method === undefined || first === undefined || isCompared === 'front') return []
  const { object, name } = method
  if (name === 'some' || name === 'find' || name === 'every') return refusedByItems(method, holds)
  if (holds) return []
  if (name === 'test') return lacking(first, textsFound(object))
  if (name === 'match' || name === 'search') return lacking(object, textsFound(first))
  return name === 'includes' || name === 'indexOf' ? lacking(partedOf(object), textsOf(first)) : []
}

/** `name` of `name.split('/')`: no part of it is the text. */
function partedOf(object: Value): Value {
  const method = methodOf(object)
  return method?.name === 'split' ? method.object : object
}

function lacking(value: Value, texts: readonly string[]): readonly Constraint[] {
  return texts.flatMap((text) => toConstraints('lacks', [keyOf(value)], text))
}

/** The text itself, or each of a list: `for (const mark of MARKS) if (text.includes(mark)) return`. */
function textsOf(value: Value): readonly string[] {
  const [each] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (each?.kind === 'each') return each.value !== undefined && each.path.length === 0 ? textsIn(each.value) : []
  const text = stringConstantOf(value)
  return text !== undefined && text !== '' ? [text] : []
}

/** The texts of a list, or the characters of a text that is walked: `[...'<>&']`. */
function textsIn(value: Value): readonly string[] {
  const list = resolveValue(value)
  if (list.kind !== 'array') return []
  return list.items.flatMap((item) => {
    const text = stringConstantOf(item.kind === 'spread' ? item.value : item)
    if (text === undefined || text === '') return []
    return item.kind === 'spread' ? [...text] : [text]
  })
}

/** `MARKS.some((mark) => text.includes(mark))` that fails, `MARKS.every((mark) => !text.includes(mark))` that holds. */
function refusedByItems({ name, object: list, args: [callback] }: MethodCall, holds: boolean): readonly Constraint[] {
  const { parameters: [item] = [], returns: [answer, ...others] = [] } = callback?.kind === 'function' ? callback.function : {}
  const own = item && keyOfName(item)
  const isEvery = name === 'every'
  if (holds !== isEvery || own === undefined || answer === undefined || others.length > 0) return []
  const [negated] = answer.kind === 'operation' && answer.operator === '!' ? answer.operands : []
  const asked = askedIn(negated ?? answer, isEvery === (negated === undefined))
  const method = asked?.holds === false ? methodOf(asked.test) : undefined
  const [mark] = method?.args ?? []
  if (method === undefined || mark === undefined || keyOf(mark) !== own) return []
  return method.name === 'includes' || method.name === 'indexOf' ? lacking(method.object, textsIn(list)) : []
}
