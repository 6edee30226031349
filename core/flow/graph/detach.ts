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
  const isPart = (value: unknown): value is string => typeof value === 'string' && value.length >= MIN_PART
  const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
  // as deep as the data, whose shape the code gives, not the text
  const walk = (here: object): void => {
    if (here instanceof Map) {
      for (const [key, value] of here)
        if (isPart(value)) here.set(key, detached(value))
        else if (isHolder(value)) walk(value)
    } else if (Array.isArray(here)) {
      if (typeof here[0] === 'number') return
      for (let at = 0; at < here.length; at++) {
        const value: unknown = here[at]
        if (isPart(value)) here[at] = detached(value)
        else if (isHolder(value)) walk(value)
      }
    } else
      for (const key of Object.keys(here)) {
        const value: unknown = Reflect.get(here, key)
        if (isPart(value)) Reflect.set(here, key, detached(value))
        else if (isHolder(value)) walk(value)
      }
  }
  walk(data)
  return data
}
