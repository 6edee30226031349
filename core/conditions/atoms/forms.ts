import { constantOf, keyOf, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { isLoose, isWhole, regexOf } from '../../facts/regular-expressions.ts'
import { methodOf, type Asked } from '../asked.ts'
import type { Constraint } from '../constraint.ts'
import { textsFound, keysOf } from '../pattern-texts.ts'

/** `/[^a-z]/` finds what must not be there. */
const FOREIGN = /^\[\^[^\]]+\][+*]?$|^\\W[+*]?$/
/** `\.example\.com$`: the end of a host is enough for some, which others know. */
const OF_HOSTS = /^(?:\(\?:|\()?(?:\^\|)?\\\./

/** Methods that know the form of a text, and no list of what is allowed. */
const FORMS = /^(?:isUUID|isInteger|isSafeInteger|isFinite|isNumeric)$/

/** Texts of which the whole has a form: `/^[a-z]+$/.test(text)`, `count < 10`, `Number.isInteger(count)`, `!isNaN(count)`; `lacks` `%`: none of its characters is written as an escape. */
export function forms(asked: Asked): readonly Constraint[] {
  const { test, holds } = asked
  if ('operator' in test) return holds ? ofNumbers(test) : []
  if (test.kind !== 'call') return []
  const { callee, args } = test
  const name = nameOfCallee(callee) ?? ''
  const isNumber = holds ? callee.kind === 'member' && FORMS.test(name) : name === 'isNaN'
  if (isNumber) return args.flatMap((argument) => formed(keysOf(argument), undefined))
  const tested = testedIn(asked)
  return tested === undefined ? [] : formsTested(tested, holds)
}

/**
 * `top <= 10`: other texts than numbers are neither less nor more than a number. Fact: ECMAScript 2025, "IsLessThan" (a text becomes a number, and NaN compares false).
 */
function ofNumbers({ operator, operands: [first, second] }: Value & { readonly kind: 'operation' }): readonly Constraint[] {
  if (!/^[<>]=?$/.test(operator) || first === undefined || second === undefined) return []
  const [value, other] = typeof constantOf(second) === 'number' ? [first, second] : [second, first]
  const key = keyOf(value)
  return typeof constantOf(other) === 'number' && key !== undefined ? formed([key], undefined) : []
}

interface Tested {
  readonly value: Value
  /** Undefined: nobody can read it. */
  readonly pattern: string | undefined
  readonly isOfLines: boolean
}

/** The pattern of `/x/.test(value)`, `value.match(/x/)`, `value.search(/x/)`. */
function testedIn({ test, isCompared }: Asked): Tested | undefined {
  const method = methodOf(test)
  const [first] = method?.args ?? []
  if (method === undefined || first === undefined) return undefined
  const { name, object } = method
  const [given, value] =
    name === 'test' || name === 'exec' ? [object, first] : name === 'match' || name === 'search' ? [first, object] : []
  if (given === undefined || value === undefined) return undefined
  const regex = regexOf(given)
  const isUnknown = regex === undefined && (name === 'test' || (name === 'match' && constantOf(given) === undefined))
  if ((regex === undefined && !isUnknown) || isCompared === 'front') return undefined
  return { value, pattern: regex?.pattern, isOfLines: regex?.flags.includes('m') === true }
}

function formsTested({ value, pattern, isOfLines }: Tested, holds: boolean): readonly Constraint[] {
  const keys = keysOf(value, true)
  if (keys.length === 0) return []
  if (pattern === undefined) return holds ? formed(keys, pattern) : []
  const isForeign = FOREIGN.test(pattern)
  // what a pattern finds somewhere in a text says nothing about the rest of it, nor does one that takes any rest
  const isWholeForm = !isForeign && !isOfLines && isWhole(pattern) && !isLoose(pattern)
  if (holds ? isWholeForm : isForeign) return formed(keys, pattern)
  const isUnderstood = holds ? !OF_HOSTS.test(pattern) : textsFoundIn(pattern, value)
  return keys.map((of) => ({ kind: isUnderstood ? 'asked' : 'open', of }))
}

function textsFoundIn(pattern: string, { start, end }: Value): boolean {
  return textsFound({ kind: 'regex', start, end, pattern, flags: '' }).length > 0
}

function formed(keys: readonly string[], pattern: string | undefined): readonly Constraint[] {
  return keys.flatMap((of): readonly Constraint[] =>
    pattern?.includes('%') === true
      ? [{ kind: 'form', of }]
      : [
          { kind: 'form', of },
          { kind: 'lacks', of, text: '%' },
        ],
  )
}
