import { ANY_FIELD } from './operations.ts'
import { isPlace } from './places.ts'

/** It stands for all rules about texts: the model says that the value is a number, a date and so on. */
export const PLAIN_VALUE = 'plain'

/** Begins the path of a field of a value that was written over, or checked for all rules, among what was done to the value. */
export const GONE = '-'
/** The same where the form of the field was checked. */
const FORMED = '~'

export function isMark(cleaned: string): boolean {
  return cleaned.startsWith(GONE) || cleaned.startsWith(FORMED)
}

/** What a check of fields makes of a value that lies in these fields of the object, `-name ~address.zip`; undefined: it is harmless. Of the object as a whole it is remembered. */
export function marksOf(fields: readonly string[], checked: string): readonly string[] | undefined {
  const found: string[] = []
  for (const mark of checked.split(' ')) {
    const path = mark.slice(1).split('.')
    if (path.some((name, index) => index < fields.length && !isOf(name, fields[index] ?? ''))) continue
    const inner = path.slice(fields.length).join('.')
    if (inner !== '') found.push(`${mark[0]}${inner}`)
    else if (mark.startsWith(GONE)) return undefined
    else found.push(PLAIN_VALUE)
  }
  return found
}

/** What is left of such marks where a field of the object is read; undefined: the field is harmless. */
export function marksBehind(cleaned: readonly string[], name: string): readonly string[] | undefined {
  const left: string[] = []
  for (const one of cleaned) {
    const [first = '', ...inner] = one.slice(1).split('.')
    if (!isMark(one)) left.push(one)
    else if (!isOf(first, name)) continue
    else if (inner.length > 0) left.push(`${one[0]}${inner.join('.')}`)
    else if (one.startsWith(GONE)) return undefined
    else left.push(PLAIN_VALUE)
  }
  return [...new Set(left)].sort()
}

/** Whether a mark is about the field: each item of a list is one. */
function isOf(marked: string, field: string): boolean {
  return marked === field || (marked === ANY_FIELD && isPlace(field))
}
