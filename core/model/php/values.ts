/** What a value is cleaned for. `all`: a number, or one of a list. `sql` holds within quotes alone. */
export type Purpose = 'all' | 'sql' | 'html' | 'path' | 'command'

/** `request` and `body` (JSON, which no form of another site sends), a header, the name of an upload; a row of the database; an error; what says who is logged in. */
export type Origin = 'request' | 'body' | 'header' | 'upload' | 'row' | 'error' | 'login'

/** A value that is not written in the code. */
export interface Unknown {
  readonly origin: Origin
  /** As it is written: `$_POST['name']`. */
  readonly part: string
  /** The field that it was read from. */
  readonly field: string
  readonly clean: readonly Purpose[]
  /** The function that hashed it: `md5`. */
  readonly hash?: string
}

/** A text in its parts: written ones, and values from elsewhere. What is neither, is an empty value. */
export interface PhpValue {
  readonly parts: readonly (string | Unknown)[]
  readonly fields?: ReadonlyMap<string, PhpValue>
}

export const NOTHING: PhpValue = { parts: [] }

/** Texts that loops put together grow no further. */
const MOST_PARTS = 60
const MOST_TEXT = 2000

export function textValue(text: string): PhpValue {
  return { parts: [text.slice(0, MOST_TEXT)] }
}

export function unknownValue(origin: Origin, part: string, field = ''): PhpValue {
  return { parts: [{ origin, part, field, clean: [] }] }
}

export function unknownsOf({ parts }: PhpValue): Unknown[] {
  return parts.filter((part) => typeof part !== 'string')
}

/** Those of a value and of its fields. */
export function allUnknowns(value: PhpValue): Unknown[] {
  return [...unknownsOf(value), ...[...(value.fields?.values() ?? [])].flatMap(unknownsOf)]
}

/** The text of a value that is written in the code as a whole. */
export function writtenText({ parts }: PhpValue): string | undefined {
  return parts.length > 0 && parts.every((part) => typeof part === 'string') ? parts.join('') : undefined
}

export function joinValues(values: readonly PhpValue[]): PhpValue {
  // what gives no text that is known stands there all the same
  const parts = values.flatMap((value) => (value.parts.length === 0 ? [...allUnknowns(value), ''] : value.parts))
  return { parts: parts.slice(0, MOST_PARTS) }
}

/** What comes out of one of several ways: the one with more that is dangerous, else the one that is not written: `$_SESSION['role'] ?? ''`. */
export function eitherValue(one: PhpValue, other: PhpValue): PhpValue {
  if (one === other) return one
  const fields = eitherFields(one, other)
  const parts = dangerOf(one) > dangerOf(other) ? one.parts : other.parts.length > 0 ? other.parts : one.parts
  return { parts, ...(fields && { fields }) }
}

/** Of a value from elsewhere those that both ways have proved; of a list all of them. */
function eitherFields(one: PhpValue, other: PhpValue): PhpValue['fields'] {
  const isSent = unknownsOf(one).length > 0 && unknownsOf(other).length > 0
  if (one.fields === other.fields) return one.fields
  if (one.fields === undefined || other.fields === undefined) return isSent ? undefined : (one.fields ?? other.fields)
  const fields = new Map(isSent ? [] : other.fields)
  for (const [key, field] of one.fields) {
    const beside = other.fields.get(key)
    if (beside !== undefined) fields.set(key, eitherValue(field, beside))
    else if (!isSent) fields.set(key, field)
  }
  return fields
}

function dangerOf({ parts }: PhpValue): number {
  const unknowns = parts.filter((part) => typeof part !== 'string')
  // of a cleaned value it still counts where it comes from
  return unknowns.filter(({ clean }) => clean.length === 0).length + (unknowns.length > 0 ? 0.5 : 0)
}

export function cleaned(value: PhpValue, ...purposes: readonly Purpose[]): PhpValue {
  const fields = value.fields && new Map([...value.fields].map(([key, field]) => [key, cleaned(field, ...purposes)] as const))
  const parts = value.parts.map((part) =>
    typeof part === 'string' ? part : { ...part, clean: [...new Set([...part.clean, ...purposes])] },
  )
  return { parts, ...(fields && { fields }) }
}

export function hashed(value: PhpValue, hash: string): PhpValue {
  return { parts: unknownsOf(value).map((part) => ({ ...part, clean: ['all'], hash })) }
}

/** A field of a value: what was written into it, or of a value from elsewhere one that is read of it. */
export function fieldOf(value: PhpValue, key: string | undefined, written: string): PhpValue {
  const known = key === undefined ? undefined : value.fields?.get(key)
  if (known !== undefined) return known
  const [whole] = unknownsOf(value)
  if (whole !== undefined) return { parts: [{ ...whole, part: written, field: key ?? whole.field }] }
  const [first] = key === undefined ? [...(value.fields?.values() ?? [])].filter((field) => unknownsOf(field).length > 0) : []
  return first ?? NOTHING
}

/** Lists of more fields are data. */
const MOST_FIELDS = 200

export function withField(value: PhpValue, key: string, field: PhpValue): PhpValue {
  if ((value.fields?.size ?? 0) >= MOST_FIELDS) return value
  const fields = new Map(value.fields)
  fields.set(key, field)
  return { parts: value.parts, fields }
}
