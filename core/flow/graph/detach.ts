/** Shorter strings are copied by the engine itself when they are cut out of another one. */
const MIN_PART = 13

/**
 * Gives the strings in plain data a memory of their own, in place: a part of a file's text would keep the whole text. Objects, arrays and Maps are walked; lists of
 * numbers hold none.
 */
export function detachStrings<Data extends object>(data: Data): Data {
  const own = new Map<string, string>()
  const detached = (text: string): string => {
    const known = own.get(text)
    if (known !== undefined) return known
    const copy = String(JSON.parse(JSON.stringify(text)))
    own.set(copy, copy)
    return copy
  }
  const open: object[] = [data]
  const visit = (value: unknown, put: (copy: string) => void): void => {
    if (typeof value === 'string') {
      if (value.length >= MIN_PART) put(detached(value))
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) open.push(value)
  }
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const at = here
    if (at instanceof Map) for (const [key, value] of at) visit(value, (copy) => void at.set(key, copy))
    else if (Array.isArray(at)) {
      if (typeof at[0] !== 'number') for (const [index, value] of at.entries()) visit(value, (copy) => void (at[index] = copy))
    } else for (const [key, value] of Object.entries(at)) visit(value, (copy) => void Reflect.set(at, key, copy))
  }
  return data
}
