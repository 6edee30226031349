import { isStrictPattern } from '../../facts/index.ts'
import type { CdsAnnotation, CdsValue } from '../../parse/cds/types.ts'
import { isTrue, wordOf } from './access.ts'
import type { CapMember } from './types.ts'

/**
 * Whether the runtime lets only texts of one form through: `@assert.format: '^[A-Z]{2}$'`. A pattern that finds its text anywhere says nothing about the rest.
 * Fact: @sap/cds 9.9.3, lib/req/validate.js (elements and parameters, before handlers run).
 */
export function isOfFormat(value: CdsValue | undefined): boolean {
  const pattern = value?.kind === 'string' ? wordOf(value) : undefined
  return pattern !== undefined && isStrictPattern({ kind: 'regex', start: 0, end: 0, pattern, flags: 'u' })
}

/** What has CAP compare a value with an enum or a range. Fact: docs/cap-input-checks.md. */
const LISTED: ReadonlySet<string> = new Set(['assert.range', 'assert.enum'])

/** The same, or a value of a list, of annotations as they are written at a parameter or its type. */
export function hasFormat(annotations: readonly CdsAnnotation[]): boolean {
  return annotations.some(
    ({ name, value }) =>
      (name === 'assert.format' && isOfFormat(value)) ||
      (LISTED.has(name) && value.kind !== 'null' && !(value.kind === 'boolean' && value.value === false)),
  )
}

/** Whether CAP keeps a number at 0 or above, by a range, or compares it with an expression. Fact: capire, "Input Validation" (`[(0),_]` is above 0, `_` no limit). */
export function isRanged(annotations: Iterable<Pick<CdsAnnotation, 'name' | 'value'>>): boolean {
  for (const { name, value } of annotations) {
    // `null` takes the annotation away
    if (value.kind === 'null') continue
    if (name === 'assert') return true
    if (name === 'assert.range' && !isBelowZero(value)) return true
  }
  return false
}

/** `[-5,5]` and `[_,5]` let negative numbers pass. */
function isBelowZero(value: CdsValue): boolean {
  if (value.kind === 'boolean') return value.value === false
  const [lowest] = value.kind === 'array' ? value.items : []
  if (lowest?.kind === 'expression') return Number(lowest.expression.text.replaceAll(/[()\s]/g, '')) < 0
  return lowest?.kind === 'number' ? Number(lowest.value) < 0 : lowest?.kind === 'path' && lowest.text === '_'
}

/** Whether the runtime takes an element out of what clients send. Fact: the same file (`_is_readonly`, but for keys). */
export function isTakenOut({ annotations, key }: CapMember): boolean {
  return !key && ['readonly', 'Core.Computed'].some((name) => isTrue(annotations.get(name)?.value))
}

/** Whether an element holds a number, as its type says. */
export function isNumeric({ type }: Pick<CapMember, 'type'>): boolean {
  return type !== undefined && /^(?:Decimal|DecimalFloat|Double|U?Int\d{1,2}|Integer(?:64)?)$/.test(type)
}
