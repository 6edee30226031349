import { keyOf, resolveValue, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { equalIn, type Asked } from '../asked.ts'
import type { Constraint } from '../constraint.ts'

/** `path.basename(name) === name`, `path.parse(name).base === name`: a name without a folder. */
export function ownName(asked: Asked): readonly Constraint[] {
  return equalIn(asked).flatMap(([name, base]): readonly Constraint[] => {
    const of = keyOf(name)
    return of !== undefined && isBaseOf(base, of) ? [{ kind: 'lacks', of, text: '/' }] : []
  })
}

function isBaseOf(value: Value, key: string): boolean {
  const base = value.kind === 'member' && value.name === 'base' ? resolveValue(value.object) : resolveValue(value)
  return (
    base.kind === 'call' &&
    /^(?:basename|parse)$/.test(nameOfCallee(base.callee) ?? '') &&
    base.args.some((argument) => keyOf(argument) === key)
  )
}
