import { isMark, PLAIN_TYPE, PLAIN_VALUE, usedMark } from '../field-marks.ts'
import { CHECKED_LINK, ENCODED_IN_CODE, SHOWING_LINKS } from '../models/faults.ts'
import { isPlace } from '../places.ts'
import { MAX_FIELDS, OTHER_FIELD, stepLabel, withPlain, type Label } from './labels.ts'
import { COPY, READ, WRITE } from './operations.ts'

/** Labels told apart in one app; real ones have some dozens. */
export const MAX_LABELS: number = 1 << 16

/** Labels by numbers, so that a set of them is a set of numbers. */
export interface LabelTable {
  of(label: Label): number
  get(index: number): Label
  /** The label behind an edge; undefined: nothing gets through. */
  step(index: number, operation: number, name: string): number | undefined
  /** The label of the same that is harmless for no rule, if there is one by now and it is another one: where it is, a less harmful one tells nothing. */
  bare(index: number): number | undefined
}

/** What tells labels apart in one app: fields that nothing reads by their names are one field, and what was checked for rules without sinks is not remembered. */
export interface LabelUses {
  readonly reads: ReadonlySet<string>
  readonly faults: ReadonlySet<string>
}

/** More than there are operations. */
const OPERATIONS = 16
/** A secret in any field would be one in all that lies beside it: the name of its client is in no log of secrets. */
const MAX_FIELDS_OF_SECRETS = 5
/**
 * Apps have some hundreds of labels. A framework, which keeps requests in objects of objects, has ten thousand: from here on, fields of fields are any field.
 * An app of React copies its state with another field written over each time, and ten fields give a thousand sets of them: from here on, which fields of an
 * object are written over or checked is not remembered, and data may be told where it no longer is.
 */
const MANY_LABELS = 1000

/** `isPlain`: whether what a back end sends under a name is no text. */
export function createLabelTable(uses: LabelUses, isPlain: (name: string) => boolean = () => false): LabelTable {
  const labels: Label[] = []
  const idOf = createIds()
  const indexes = new Map<string, number>()
  const groups = createGroups()
  const faults = new Set([...uses.faults, ...TELLING])
  const fieldOf = (name: string): string =>
    uses.reads.has(name) || isPlace(name) || !/^[A-Za-z_$]/.test(name) ? name : OTHER_FIELD
  const isCrowded = (): boolean => labels.length >= MANY_LABELS
  const usedMarks = (one: string): string | readonly string[] => {
    if (isMark(one)) return (isCrowded() ? undefined : usedMark(one, uses.reads, faults)) ?? []
    return isRule(one) && !faults.has(one) ? [] : one
  }
  const used = (label: Label): Label => ({
    ...label,
    fields: label.fields.map(fieldOf),
    cleaned: label.cleaned.length > 0 ? [...new Set(label.cleaned.flatMap(usedMarks))].sort() : label.cleaned,
  })
  const of = (label: Label): number => {
    const { origin, fields, cleaned, concatenated, logged, weak, types, type } = used(label)
    const keyOf = (cleaned: readonly string[]): string =>
      `${origin} ${fields.join('.')} ${cleaned.join(',')} ${concatenated} ${logged} ${weak} ${idOf(types)} ${idOf(type)}`
    const key = keyOf(cleaned)
    const known = indexes.get(key)
    if (known !== undefined) return known
    indexes.set(key, labels.length)
    const bare = keyOf(cleaned.filter((one) => !isRule(one) && one !== PLAIN_VALUE))
    groups.add(bare, bare === key)
    // one form for all, which every reader of labels is quick with
    return labels.push({ origin, fields, cleaned, concatenated, logged, weak, types, type }) - 1
  }
  const get = (index: number): Label => labelAt(labels, index)
  // by the name, then by label and operation: a key of all three would be a text for each edge that is followed
  const steps = new Map<string, Map<number, number | undefined>>()
  return {
    of,
    get,
    step(index, operation, name) {
      if (operation === COPY) return index
      const own = steps.get(name) ?? new Map<number, number | undefined>()
      if (own.size === 0) steps.set(name, own)
      const key = index * OPERATIONS + operation
      const known = own.get(key)
      if (known !== undefined || own.has(key)) return known
      const label = get(index)
      const most = label.origin === 'credential' ? MAX_FIELDS_OF_SECRETS : isCrowded() ? 1 : MAX_FIELDS
      const isTyped = operation === READ && label.origin === 'backend' && label.fields.length === 0
      const next = stepLabel(
        isTyped ? withPlain(label, name, isPlain) : label,
        operation,
        operation === WRITE ? fieldOf(name) : name,
        most,
      )
      const result = next && of(next)
      own.set(key, result)
      return result
    },
    bare: groups.bare,
  }
}

function labelAt(labels: readonly Label[], index: number): Label {
  const label = labels[index]
  if (label === undefined) throw new Error('a label of another table')
  return label
}

/** Labels, one after the other, by those that differ in nothing but what makes them harmless. */
function createGroups(): { add(key: string, isBare: boolean): void } & Pick<LabelTable, 'bare'> {
  const groups: number[] = []
  const groupOf = new Map<string, number>()
  const bareOf: (number | undefined)[] = []
  return {
    add(key, isBare) {
      const group = groupOf.get(key) ?? groupOf.size
      groupOf.set(key, group)
      const index = groups.push(group) - 1
      if (isBare) bareOf[group] = index
    },
    bare(index) {
      const bare = bareOf[groups[index] ?? 0]
      return bare === index ? undefined : bare
    },
  }
}

/** What is harmless for these is so for others behind an edge, too, or stays so. */
const TELLING = [PLAIN_TYPE, CHECKED_LINK, ...ENCODED_IN_CODE, ...SHOWING_LINKS]

/** Among what was done to a value: it is harmless for this rule. */
function isRule(cleaned: string): boolean {
  return cleaned.includes('/') && !isMark(cleaned)
}

/** Numbers for what is one only as the same object. */
function createIds(): (thing: object | undefined) => number {
  const ids = new Map<object, number>()
  return (thing) => {
    if (thing === undefined) return -1
    const id = ids.get(thing) ?? ids.size
    ids.set(thing, id)
    return id
  }
}
