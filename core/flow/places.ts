import { ANY_FIELD } from './solve/operations.ts'

/** Begins the key of an entry: of a map, or of a list of pairs. An entry holds a key at 0 and a value at 1. */
export const ENTRY = '='
/** An entry whose key nobody can tell. */
export const ANY_ENTRY: string = `${ENTRY}${ANY_FIELD}`
/** Moves out of what is a list where it was read as JSON. */
export const LISTED_ENTRIES = 'listed entries'
export const LISTED_KEYS = 'listed keys'
/** What is cut out of the text of an address, as a field of it and as a move there. */
export const ADDRESS_PART = 'part of an address'
/** Begins a move to behind a check of fields: `checked -name ~address.zip`, harmless for all rules, or of a harmless form. */
export const CHECKED_FIELDS = 'checked '
/** What a function gives when it is called, as a field of it. */
export const RESULT = '()'

/** Places of a list that are told apart. */
export const PLACES = 8

/** The field of a list for one of its items. */
export function placeOf(index: number): string {
  return index < PLACES ? String(index) : ANY_FIELD
}

export function isPlace(field: string | undefined): boolean {
  return field !== undefined && /^\d+$/.test(field)
}

/** Whether reading a field finds what lies in another one: places and keys that nobody can tell are any of them. */
export function isSameField(field: string, read: string): boolean {
  if (field === read || field === ANY_FIELD || read === ANY_FIELD) return true
  return field.startsWith(ENTRY) && isPlace(read)
}

/**
 * Where a value lies in what a call gives, by where it lay in the list or map before; undefined: not in there. The value itself, without a field, is left
 * to the caller. `entries`, `keys`, `values`, `pairs` (`Object.fromEntries`) · `get key` of a map · `shift 1` of a list whose first item is gone · `mix` where
 * nobody can tell the places any more · `item` what becomes an item · `called` what a function gives, `function` what it gives
 * by another name.
 */
export function moveFields(fields: readonly [string, ...string[]], move: string): readonly string[] | undefined {
  const [how = '', ...words] = move.split(' ')
  const [first, ...rest] = fields
  const [second, ...deeper] = rest
  const isEntry = first.startsWith(ENTRY)
  switch (how) {
    case 'called':
      return first === RESULT ? rest : undefined
    case 'function':
      return first === RESULT ? fields : undefined
    case 'without':
      return first === words[0] ? undefined : fields
    case 'shift': {
      if (!isPlace(first)) return fields
      const place = Number(first) - Number(words[0])
      return place < 0 ? undefined : [placeOf(place), ...rest]
    }
    case 'mix':
      return isPlace(first) ? [ANY_FIELD, ...rest] : fields
    case 'item':
      return isPlace(first) ? [ANY_FIELD, ...fields] : fields
    case 'entries':
      if (isEntry) return fields
      return [first === ANY_FIELD || isPlace(first) ? ANY_ENTRY : `${ENTRY}${first}`, '1', ...rest]
    case 'keys':
      return isEntry && second === '0' ? [ANY_FIELD, ...deeper] : undefined
    case 'values':
      if (!isEntry) return [ANY_FIELD, ...rest]
      return second === '1' ? [ANY_FIELD, ...deeper] : undefined
    case 'pairs':
      // the list may have become what its items are
      if (first === '0' || (second === '0' && (isEntry || first === ANY_FIELD || isPlace(first)))) return undefined
      if (first === '1') return second === '1' ? [ANY_FIELD, ...deeper] : [ANY_FIELD, ...rest]
      if (second !== '1') return first === ANY_FIELD ? fields : undefined
      return [isEntry ? first.slice(ENTRY.length) : ANY_FIELD, ...deeper]
    case 'get': {
      const key = words.join(' ')
      if (isEntry || ((first === ANY_FIELD || isPlace(first)) && (second === '0' || second === '1'))) {
        const isIt = !isEntry || first === ANY_ENTRY || key === ANY_FIELD || first === `${ENTRY}${key}`
        return isIt && second === '1' ? deeper : undefined
      }
      return isSameField(first, key) ? rest : undefined
    }
    default:
      return fields
  }
}
