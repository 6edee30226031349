import { asSum, constantOf, pathOf, resolveValue, type Value } from '../../facts/index.ts'

const MAX_DEPTH = 8

/** What a text begins with: the first part of a sum or a template, by whatever names; it decides scheme and host of an address. Of several
 *  possible ones the first that `fits`, where given; undefined: none does, or nobody can tell. */
export function firstPartOf(value: Value, fits?: (part: Value) => boolean, depth = 0): Value | undefined {
  const here = asSum(resolveValue(value))
  if (depth > MAX_DEPTH) return undefined
  if (here.kind === 'concat') return here.parts[0] && firstPartOf(here.parts[0], fits, depth + 1)
  if (here.kind === 'template') {
    const [text = ''] = here.texts
    const [part] = here.parts
    if (text !== '') return { kind: 'literal', start: here.start, end: here.end, value: text }
    return part && firstPartOf(part, fits, depth + 1)
  }
  if (here.kind !== 'choice') return here
  const parts = here.options.map((option) => firstPartOf(option, fits, depth + 1))
  return parts.find((part) => part !== undefined && (fits?.(part) ?? true))
}

/** The constant text that a value begins with: all of `"http://host/" + path` before the path. What `isLeftOut` counts as an empty text. */
export function leadingTextOf(value: Value, isLeftOut: (part: Value) => boolean = () => false): LeadingText {
  return lead(value, (part) => (isLeftOut(part) ? '' : undefined), 0)
}

/** The same of an address: of `new URL(target).origin` nobody knows which it is, but that a host ends it and no slash stands behind. Fact: URL Standard, "origin". */
export function leadingAddressOf(value: Value): LeadingText {
  return lead(value, (part) => (isOrigin(part) ? 'https://origin' : undefined), 0)
}

function isOrigin(part: Value): boolean {
  if (part.kind !== 'member' || part.name !== 'origin') return false
  const made = resolveValue(part.object)
  return made.kind === 'new' && pathOf(made.callee)?.join(' ') === 'global:URL'
}

interface LeadingText {
  readonly text: string
  readonly isWhole: boolean
}

function lead(value: Value, textOf: (part: Value) => string | undefined, depth: number): LeadingText {
  const here = asSum(resolveValue(value))
  const told = textOf(here)
  if (told !== undefined) return { text: told, isWhole: true }
  const constant = constantOf(here)
  if (constant !== undefined) return { text: String(constant), isWhole: true }
  if (depth > MAX_DEPTH || (here.kind !== 'concat' && here.kind !== 'template')) return { text: '', isWhole: false }
  let text = here.kind === 'template' ? (here.texts[0] ?? '') : ''
  for (const [index, part] of here.parts.entries()) {
    const found = lead(part, textOf, depth + 1)
    text += found.text
    if (!found.isWhole) return { text, isWhole: false }
    if (here.kind === 'template') text += here.texts[index + 1] ?? ''
  }
  return { text, isWhole: true }
}
