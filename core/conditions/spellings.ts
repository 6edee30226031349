import { nameOfCallee } from '../facts/asked-values.ts'
import { keyOf, resolveValue, type Value } from '../facts/index.ts'

const MAX_SPELLINGS = 4
/** Makes a number of the whole text; `parseInt` reads the first digits of `1 or 1=1`. */
const NUMBERS = /^(?:Number|BigInt)$/

/**
 * The keys of a value and of those that it is made of without loss: `name` of `name.trim().toLowerCase()`, `Number(name)`, `String(name)`, and of a name that holds that.
 * `isPattern`: of what fits a pattern, a line break in front was not seen, which begins another command.
 */
export function keysOf(given: Value, isPattern = false): readonly string[] {
  const found: string[] = []
  let here: Value | undefined = given
  for (let depth = 0; here !== undefined && depth <= MAX_SPELLINGS; depth++) {
    const key = keyOf(here)
    if (key !== undefined && !found.includes(key)) found.push(key)
    here = spelledAnew(here.kind === 'reference' ? resolveValue(here) : here, isPattern)
  }
  return found
}

function spelledAnew(value: Value, isPattern: boolean): Value | undefined {
  if (value.kind === 'operation') return value.operator === '+' && value.operands.length === 1 ? value.operands[0] : undefined
  if (value.kind !== 'call') return undefined
  const { callee, args } = value
  const name = nameOfCallee(callee) ?? ''
  if (callee.kind === 'reference') {
    const isCast = callee.binding === undefined && args.length === 1 && (name === 'String' || NUMBERS.test(name))
    return isCast ? args[0] : undefined
  }
  if (callee.kind !== 'member') return undefined
  const isSame = /^(?:to(?:Locale)?(?:Lower|Upper)Case|toString)$/.test(name) || (!isPattern && /^trim(?:Start|End)?$/.test(name))
  return isSame ? callee.object : undefined
}
