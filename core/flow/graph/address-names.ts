import { isNothing } from '../../facts/values.ts'
import { constantOf, keyOf, keyOfName, pathOf, resolveValue, type Value } from '../../facts/index.ts'
import { calledBy } from '../../facts/own-answers.ts'

/** Whether a value is the address of this name, or one that was made of it. */
export function isMadeOf(value: Value, key: string): boolean {
  if (nameOf(value) === key) return true
  const made = resolveValue(value)
  // const anchor = document.createElement('a'); anchor.href = address
  const given = isAnchor(made) && value.kind === 'reference' ? (value.binding?.additions ?? []) : addressesIn(made)
  return given.some((address) => nameOf(address) === key)
}

function isAnchor(made: Value): boolean {
  const [tag] = made.kind === 'call' ? made.args : []
  return tag !== undefined && constantOf(tag) === 'a' && pathOf(made)?.includes('createElement') === true
}

/** The texts of which an address is made: `new URL(text)`, `URL.parse(text)`, `toUrl(text)` of the file that gives one of those or nothing. */
function addressesIn(made: Value): readonly Value[] {
  if (made.kind === 'choice') return made.options.flatMap(addressesIn)
  if (made.kind === 'new') return made.args.slice(0, 1)
  if (made.kind !== 'call') return []
  if (made.callee.kind === 'member' && made.callee.name === 'parse' && pathOf(made.callee)?.[0] === 'global:URL')
    return made.args.slice(0, 1)
  const called = calledBy(made.callee)
  if (called === undefined || called.isAsync) return []
  const answers = called.returns.map((answer) => resolveValue(answer)).filter((answer) => !isNothing(answer))
  return made.args.filter((_, index) => {
    const parameter = called.parameters[index]
    const own = parameter && keyOfName(parameter)
    return (
      own !== undefined &&
      answers.length > 0 &&
      answers.every((answer) => answer.kind === 'new' && answer.args[0] !== undefined && nameOf(answer.args[0]) === own)
    )
  })
}

/** Methods that change nothing about where an address leads. */
const SAME = /^(?:toString|trim|toLowerCase)$/

/** What the same address is known by: the name itself, or that of which it is the `href`; `address || ''` is the address. */
export function nameOf(value: Value): string | undefined {
  const [first, second] = value.kind === 'choice' && value.isAnd !== true ? value.options : []
  if (first !== undefined && second !== undefined && constantOf(second) === '') return nameOf(first)
  if (value.kind === 'member' && (value.name === 'href' || value.name === 'pathname')) return nameOf(value.object)
  if (value.kind === 'call' && value.callee.kind === 'member' && SAME.test(value.callee.name ?? ''))
    return nameOf(value.callee.object)
  return keyOf(value)
}
