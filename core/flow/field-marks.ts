import { ANY_FIELD } from './solve/operations.ts'
import { CHECKED_FIELDS, isPlace } from './places.ts'

/** It stands for all rules about texts: the model says that the value is a number, a date and so on. */
export const PLAIN_VALUE = 'plain'

/** The same of all that is no content type: one of a list, which allows files that run scripts. */
export const PLAIN_TYPE = 'plain-type'

/** Read from a row that another one leads to by an association, and that those alone write who have a role. */
export const OF_ROLES = '@roles'

/** Begins the path of a field of a value that was written over, or checked for all rules, among what was done to the value. */
export const GONE = '-'
/** Of a request whose body nobody parses. Fact: Express 5, "req.body" (undefined without a parser). */
export const NO_BODY: string = `${GONE}body`
/** The same where the form of the field was checked. */
const FORMED = '~'
/** The same where it was checked for some rules, which follow: `+cap/path-traversal,cap/zip-slip:file.name`. */
const PARTLY = '+'
const RULES_END = ':'

export function isMark(cleaned: string): boolean {
  return cleaned.startsWith(GONE) || cleaned.startsWith(FORMED) || cleaned.startsWith(PARTLY)
}

/** The mark of a field that was checked for these rules. */
export function toMark(path: string, cleans: 'all' | readonly string[]): string {
  if (cleans === 'all') return GONE + path
  return cleans.includes(PLAIN_VALUE) ? FORMED + path : `${PARTLY}${cleans.join()}${RULES_END}${path}`
}

/** What was done to a field, and its path. */
function partsOf(mark: string): readonly [how: string, path: readonly string[]] {
  const end = mark.startsWith(PARTLY) ? mark.indexOf(RULES_END) + 1 : 1
  return [mark.slice(0, end), mark.slice(end).split('.')]
}

/** The fields that a move looks for: a key, or the paths that were checked. */
export function namesInMove(move: string): readonly string[] {
  const words = move.split(' ').slice(1)
  return [words.join(' '), ...words, ...(move.startsWith(CHECKED_FIELDS) ? words.flatMap((mark) => partsOf(mark)[1]) : [])]
}

/** What is left of a mark where nothing reads other fields than these, and other rules have no sinks; undefined: it says nothing. */
export function usedMark(mark: string, reads: ReadonlySet<string>, faults: ReadonlySet<string>): string | undefined {
  const [how, path] = partsOf(mark)
  if (path[0] !== ANY_FIELD && !reads.has(path[0] ?? '')) return undefined
  if (!how.startsWith(PARTLY)) return mark
  const rules = cleansBy(how)?.filter((fault) => faults.has(fault)) ?? []
  return rules.length === 0 ? undefined : toMark(path.join('.'), rules)
}

/** What a mark says of the field itself: the rules for which it is harmless; undefined: all. */
function cleansBy(how: string): readonly string[] | undefined {
  if (how === GONE) return undefined
  return how === FORMED ? [PLAIN_VALUE] : how.slice(PARTLY.length, -RULES_END.length).split(',')
}

/** What a check of fields makes of a value that lies in these fields of the object, `-name ~address.zip`; undefined: it is harmless. Of the object as a whole it is remembered. */
export function marksOf(fields: readonly string[], checked: string): readonly string[] | undefined {
  const found: string[] = []
  for (const mark of checked.split(' ')) {
    const [how, path] = partsOf(mark)
    if (path.some((name, index) => index < fields.length && !isOf(name, fields[index] ?? ''))) continue
    const inner = path.slice(fields.length).join('.')
    const cleans = inner === '' ? cleansBy(how) : [how + inner]
    if (cleans === undefined) return undefined
    found.push(...cleans)
  }
  return found
}

/** What is left of such marks where a field of the object is read; undefined: the field is harmless. */
export function marksBehind(cleaned: readonly string[], name: string): readonly string[] | undefined {
  const left: string[] = []
  for (const one of cleaned) {
    const [how, [first = '', ...inner]] = partsOf(one)
    if (!isMark(one)) left.push(one)
    else if (isOf(first, name)) {
      const cleans = inner.length > 0 ? [how + inner.join('.')] : cleansBy(how)
      if (cleans === undefined) return undefined
      left.push(...cleans)
    }
  }
  return [...new Set(left)].sort()
}

/** Whether a mark is about the field: each item of a list is one. */
function isOf(marked: string, field: string): boolean {
  return marked === field || (marked === ANY_FIELD && isPlace(field))
}
